package trial;

/** equals, hashCode and toString; final fields; private constructor. */
public final class Account implements Comparable<Account> {
    private final String owner;
    private final long number;
    private double balance;
    private transient int reads;

    private Account(String owner, long number) {
        this.owner = owner;
        this.number = number;
    }

    public static Account open(String owner, long number) {
        if (owner == null || number <= 0) {
            throw new IllegalArgumentException("owner or number");
        }
        return new Account(owner, number);
    }

    public boolean withdraw(double amount) {
        if (amount <= 0 || Double.isNaN(amount)) {
            throw new IllegalArgumentException("amount " + amount);
        }
        if (amount > balance) {
            return false;
        }
        balance -= amount;
        return true;
    }

    public void transfer(Account to, double amount) {
        if (to == this) {
            return;
        }
        if (withdraw(amount)) {
            to.balance += amount;
        }
    }

    private int audit(int depth) {
        reads++;
        return depth > 2 ? reads : audit(depth + 1);
    }

    public double balance() {
        audit(2);
        return balance;
    }

    @Override
    public int compareTo(Account other) {
        int byOwner = owner.compareTo(other.owner);
        return byOwner != 0 ? byOwner : Long.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof Account)) {
            return false;
        }
        Account that = (Account) other;
        return number == that.number && owner.equals(that.owner);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(number) + owner.hashCode();
    }

    @Override
    public String toString() {
        return owner + ":" + number + "=" + (balance < 0 ? "debt" : "fine");
    }
}
