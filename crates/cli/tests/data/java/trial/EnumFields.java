package trial;

/** Objects and arrays that hold constants of enums. */
public class EnumFields {
    enum Suit {
        CLUBS, HEARTS, SPADES
    }

    enum Operator {
        PLUS {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        MINUS {
            @Override
            int apply(int a, int b) {
                return a - b;
            }
        };

        abstract int apply(int a, int b);
    }

    static class Card {
        Suit suit;
        int rank;
        Card below;
    }

    private Suit trump;
    private Operator operator;

    boolean beats(Card first, Card second) {
        if (first.suit == second.suit) {
            return first.rank > second.rank;
        }
        return first.suit == trump;
    }

    int compute(int a, int b) {
        int result = operator.apply(a, b);
        return result == 7 ? 1 : 0;
    }

    static int worth(Card card) {
        return switch (card.suit) {
            case CLUBS -> 1;
            case HEARTS -> card.below == null ? 2 : 3;
            case SPADES -> 4;
        };
    }

    static boolean alternate(Card card) {
        while (card.below != null) {
            if (card.suit == card.below.suit) {
                return false;
            }
            card = card.below;
        }
        return true;
    }

    static int count(Suit[] suits, Suit wanted) {
        int count = 0;
        for (Suit suit : suits) {
            if (suit == wanted) {
                count++;
            }
        }
        return count == 2 ? -1 : count;
    }

    static Suit demote(Card card) {
        if (card.suit != Suit.SPADES) {
            return null;
        }
        card.suit = Suit.HEARTS;
        return card.suit;
    }

    static String label(Card card) {
        if (card.suit.name().length() == 6) {
            return card.suit.toString();
        }
        return "other";
    }
}
