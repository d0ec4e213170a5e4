(set-logic QF_SHLS)
(declare-const x Loc)
(assert (= x y))
(check-sat
