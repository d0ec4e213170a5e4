; SMT-LIB's remainder is never negative. All of these are true, so nothing is left of them.
(assert (and (= (div 7 2) 3) (= (mod 7 2) 1)))
(assert (and (= (div (- 7) 2) (- 4)) (= (mod (- 7) 2) 1)))
(assert (and (= (div 7 (- 2)) (- 3)) (= (mod 7 (- 2)) 1)))
(assert (and (= (div (- 7) (- 2)) 4) (= (mod (- 7) (- 2)) 1)))
(assert (and (= (div (- 8) (- 2)) 4) (= (mod (- 8) 2) 0)))
(assert (= (abs (- 3)) (abs 3) 3))
(check-sat)
; And this is false.
(assert (= (div (- 7) 2) (- 3)))
(check-sat)
