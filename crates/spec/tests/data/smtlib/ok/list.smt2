; One list segment, asked twice, as in the files of the competition.
(set-logic QF_SHLS)
(set-info :source |a quoted
symbol over two lines; this is no comment|)
(set-info :status sat)
(declare-sort RefCell 0)
(declare-datatypes ((Cell 0)) (((c_Cell (next RefCell)))))
(declare-heap (RefCell Cell))
(define-fun-rec seg ((a RefCell) (b RefCell)) Bool
  (or
    (and (= a b) (_ emp RefCell Cell))
    (exists ((u RefCell))
      (and (distinct a b) (sep (pto a (c_Cell u)) (seg u b))))))
(check-sat)
(declare-const x RefCell)
(declare-const |y z| RefCell)
(assert (and (distinct x |y z| (as nil RefCell)) (sep (seg x |y z|) (seg |y z| nil))))
(check-sat)
(get-model)
