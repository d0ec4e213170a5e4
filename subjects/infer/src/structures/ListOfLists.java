package structures;

/** A list of lists. */
public class ListOfLists {
    Row rows;

    static class Row {
        Item items;
        Row below;
    }

    static class Item {
        Object value;
        Item next;
    }

    /** Adds an empty row in front. */
    public void addRow() {
        Row row = new Row();
        row.below = rows;
        rows = row;
    }

    /** Adds a value to the first row. */
    public void add(Object value) {
        Item item = new Item();
        item.value = value;
        item.next = rows.items;
        rows.items = item;
    }

    /** Moves the first row behind the second one. */
    public void swap() {
        Row second = rows.below;
        rows.below = second.below;
        second.below = rows;
        rows = second;
    }

    /** Removes the first row. */
    public void removeRow() {
        rows = rows.below;
    }
}
