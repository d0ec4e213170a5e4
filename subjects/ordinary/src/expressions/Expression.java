package expressions;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Arithmetic on whole numbers, with names. */
public sealed interface Expression {
    record Number(int value) implements Expression {}

    record Name(String text) implements Expression {
        public Name {
            if (text == null || text.isEmpty()) {
                throw new IllegalArgumentException("a name has letters");
            }
        }
    }

    record Sum(Expression left, Expression right) implements Expression {}

    record Product(Expression left, Expression right) implements Expression {}

    record Negation(Expression inner) implements Expression {}

    record Let(String name, Expression value, Expression body) implements Expression {}

    static Expression number(int value) {
        return new Number(value);
    }

    /** The value, given those of the names. */
    static int evaluate(Expression expression, Map<String, Integer> values) {
        if (expression instanceof Number number) {
            return number.value();
        } else if (expression instanceof Name name) {
            Integer value = values.get(name.text());
            if (value == null) {
                throw new IllegalStateException("unknown name " + name.text());
            }
            return value;
        } else if (expression instanceof Sum sum) {
            return evaluate(sum.left(), values) + evaluate(sum.right(), values);
        } else if (expression instanceof Product product) {
            int left = evaluate(product.left(), values);
            return left == 0 ? 0 : left * evaluate(product.right(), values);
        } else if (expression instanceof Negation negation) {
            return -evaluate(negation.inner(), values);
        } else {
            Let let = (Let) expression;
            int value = evaluate(let.value(), values);
            Map<String, Integer> inner = new java.util.HashMap<>(values);
            inner.put(let.name(), value);
            return evaluate(let.body(), inner);
        }
    }

    /** An expression with the same value that has no needless operations. */
    default Expression simplified() {
        if (this instanceof Sum sum) {
            Expression left = sum.left().simplified();
            Expression right = sum.right().simplified();
            if (left instanceof Number a && right instanceof Number b) {
                return new Number(a.value() + b.value());
            }
            if (left.isNumber(0)) {
                return right;
            }
            if (right.isNumber(0)) {
                return left;
            }
            return left.equals(right) ? new Product(new Number(2), left) : new Sum(left, right);
        }
        if (this instanceof Product product) {
            Expression left = product.left().simplified();
            Expression right = product.right().simplified();
            if (left.isNumber(0) || right.isNumber(0)) {
                return new Number(0);
            }
            if (left.isNumber(1)) {
                return right;
            }
            return right.isNumber(1) ? left : new Product(left, right);
        }
        if (this instanceof Negation negation) {
            Expression inner = negation.inner().simplified();
            if (inner instanceof Negation twice) {
                return twice.inner();
            }
            return inner instanceof Number n ? new Number(-n.value()) : new Negation(inner);
        }
        return this;
    }

    default boolean isNumber(int wanted) {
        return this instanceof Number number && number.value() == wanted;
    }

    /** The names that nothing binds. */
    default Set<String> freeNames() {
        Set<String> names = new TreeSet<>();
        if (this instanceof Name name) {
            names.add(name.text());
        } else if (this instanceof Sum sum) {
            names.addAll(sum.left().freeNames());
            names.addAll(sum.right().freeNames());
        } else if (this instanceof Product product) {
            names.addAll(product.left().freeNames());
            names.addAll(product.right().freeNames());
        } else if (this instanceof Negation negation) {
            names.addAll(negation.inner().freeNames());
        } else if (this instanceof Let let) {
            names.addAll(let.body().freeNames());
            names.remove(let.name());
            names.addAll(let.value().freeNames());
        }
        return names;
    }

    default int depth() {
        if (this instanceof Sum sum) {
            return 1 + Math.max(sum.left().depth(), sum.right().depth());
        }
        if (this instanceof Product product) {
            return 1 + Math.max(product.left().depth(), product.right().depth());
        }
        if (this instanceof Negation negation) {
            return 1 + negation.inner().depth();
        }
        return this instanceof Let let ? 1 + Math.max(let.value().depth(), let.body().depth()) : 1;
    }
}
