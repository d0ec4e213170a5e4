(declare-const x Int
(assert (= x 1))
(assert (= y 1)))
(assert (= x 2)
(check-sat)
stray
(1 2)
()
(assert ())
(echo "never closed
