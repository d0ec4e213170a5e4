; A file whose :status is wrong, to see that the benchmark says so.
(set-logic QF_SHLS)
(set-info :status unsat)
(declare-sort RefNode 0)
(declare-datatypes ((Node 0)) (((c_Node (next RefNode)))))
(declare-heap (RefNode Node))
(declare-const x RefNode)
(assert (pto x (c_Node x)))
(check-sat)
