// Every sign in its plain and its mathematical spelling.
data Node { int value; Node next; }
pred ascii(x, n) := emp & x = nil & n == 0
  || exists v, y, m. x -> Node(v, y) * ascii(y, m) && n = m + 1 /\ v != 3 & v /= 4 & !(v <= 5) & (v >= 9 \/ v = 7);
pred signs(x, n) ≡ emp ∧ x = null ∧ n = 0
  ∨ ∃ v, y, m. x ↦ Node(v, y) ∗ signs(y, m) ∧ n = m + 1 ∧ v ≠ 3 ∧ v ≠ 4 ∧ ¬(v ≤ 5) ∧ (v ≥ 9 ∨ v = 7);
pred other(x) ::= | emp & ~(x != null);
pred twice(x) == emp & x = null;
/* comments /* nest */ */
