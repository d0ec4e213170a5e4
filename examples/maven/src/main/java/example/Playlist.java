package example;

/** Tracks in the order in which they are played, linked in both directions. */
public class Playlist {
    private Track first;
    private Track last;
    private int size;

    /** One track between two others. */
    static class Track {
        int seconds;
        Track next;
        Track previous;

        Track(int seconds) {
            this.seconds = seconds;
        }
    }

    /** Puts a track behind all others. */
    public void append(int seconds) {
        Track track = new Track(seconds);
        track.previous = last;
        if (last == null) {
            first = track;
        } else {
            last.next = track;
        }
        last = track;
        size++;
    }

    /** Removes the first track of this length; says whether there was one. */
    public boolean remove(int seconds) {
        for (Track track = first; track != null; track = track.next) {
            if (track.seconds == seconds) {
                unlink(track);
                return true;
            }
        }
        return false;
    }

    /** Brings the last track to the front. */
    public void replayLast() {
        if (size < 2) {
            return;
        }
        Track track = last;
        unlink(track);
        track.previous = null;
        track.next = first;
        first.previous = track;
        first = track;
        size++;
    }

    private void unlink(Track track) {
        if (track.previous == null) {
            first = track.next;
        } else {
            track.previous.next = track.next;
        }
        if (track.next == null) {
            last = track.previous;
        } else {
            track.next.previous = track.previous;
        }
        size--;
    }
}
