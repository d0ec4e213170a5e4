; Two list segments from x to y: satisfiable only while they are empty or x = y, since the cell at
; x cannot belong to both.
(set-logic QF_SHLS)
(set-info :status unsat)
(declare-sort RefNode 0)
(declare-datatypes ((Node 0)) (((c_Node (next RefNode)))))
(declare-heap (RefNode Node))
(define-fun-rec ls ((in RefNode) (out RefNode)) Bool
  (or (and (= in out) (_ emp RefNode Node))
      (exists ((u RefNode))
        (and (distinct in out) (sep (pto in (c_Node u)) (ls u out))))))
(check-sat)
(declare-const x RefNode)
(declare-const y RefNode)
(assert (and (distinct x y) (sep (ls x y) (ls x y))))
(check-sat)
