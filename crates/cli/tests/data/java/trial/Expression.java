package trial;

/** A tree of expressions: sealed types, visitors, recursion over an interface. */
public sealed interface Expression {
    int evaluate();

    record Number(int value) implements Expression {
        @Override
        public int evaluate() {
            return value;
        }
    }

    record Sum(Expression left, Expression right) implements Expression {
        @Override
        public int evaluate() {
            return left.evaluate() + right.evaluate();
        }
    }

    record Quotient(Expression left, Expression right) implements Expression {
        @Override
        public int evaluate() {
            int divisor = right.evaluate();
            if (divisor == 0) {
                throw new ArithmeticException("division");
            }
            return left.evaluate() / divisor;
        }
    }

    static int size(Expression expression) {
        if (expression instanceof Sum sum) {
            return 1 + size(sum.left()) + size(sum.right());
        }
        if (expression instanceof Quotient q) {
            return 1 + size(q.left) + size(q.right);
        }
        return 1;
    }

    static Expression simplify(Expression expression) {
        if (expression instanceof Sum sum
                && sum.left() instanceof Number a
                && sum.right() instanceof Number b) {
            return new Number(a.value() + b.value());
        }
        return expression;
    }

    static boolean isZero(Expression expression) {
        return expression.equals(new Number(0));
    }
}
