//! The style sheet of the pictures on the web page.

use crate::style::colours;

/// What the letters mean: `b` box, `h` header, `l` lines, `s` name of the class, `f` changed field,
/// `w` what it was, `x` dangling, `n` note, `e` references, `r` roots.
const RULES: &str = "\
.hp{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}
.hp text,.o tspan{fill:var(--hw-text)}
.hp .n{fill:var(--hw-muted);font-style:italic}
.hp .w{fill:var(--hw-changed)}
.hp .x{fill:var(--hw-danger);font-weight:600}
.o text{fill:var(--hw-muted)}
.o .s{font-weight:600;fill:var(--hw-text)}
.o .s tspan{font-weight:400}
.o .n{fill:var(--hw-muted);font-style:italic}
.o .b{fill:var(--hw-box);stroke:var(--hw-border);stroke-width:1.2;stroke-linejoin:round}
.o .h{fill:var(--hw-header)}
.o .l{fill:none;stroke:var(--hw-line)}
.o .f{fill:var(--hw-changed-fill)}
.o .w,.o .w tspan{fill:var(--hw-changed)}
.o .x{fill:var(--hw-danger);font-weight:600}
.o.new .b{stroke:var(--hw-new);stroke-width:2}
.o.new .h{fill:var(--hw-new-fill)}
.o.new .s tspan{fill:var(--hw-new)}
.o.freed .b{stroke:var(--hw-danger);stroke-dasharray:5 3}
.o.freed .s tspan{fill:var(--hw-danger)}
.o.unreachable .b{stroke:var(--hw-back);stroke-dasharray:2 3}
.o.unreachable text,.o.unreachable tspan{fill:var(--hw-muted)}
.hp .e path{fill:none;stroke:var(--hw-edge);stroke-width:1.5}
.hp .e path+path{fill:var(--hw-edge);stroke:none}
.hp .back path{stroke:var(--hw-back);stroke-width:1.2}
.hp .back path+path{fill:var(--hw-back)}
.hp .changed path{stroke:var(--hw-changed);stroke-width:2.2}
.hp .changed path+path{fill:var(--hw-changed)}
.hp .removed path{stroke:var(--hw-changed);stroke-width:1;stroke-dasharray:2 4}
.hp .removed path+path{fill:var(--hw-changed)}
.hp .dangling path{stroke:var(--hw-danger);stroke-dasharray:6 3}
.hp .dangling path+path{fill:var(--hw-danger)}
.hp .stale path{stroke:var(--hw-back);stroke-dasharray:2 3}
.hp .stale path+path{fill:var(--hw-back)}
.r text{fill:var(--hw-root)}
.r .c{font-weight:600}
.r rect,.r path{fill:none;stroke:var(--hw-root)}
.r path+path{fill:var(--hw-root);stroke:none}
.r.lost text{fill:var(--hw-danger)}
.r.lost rect,.r.lost path{stroke:var(--hw-danger)}
.r.lost path+path{fill:var(--hw-danger)}
";

/// The style sheet that these pictures share.
pub fn stylesheet() -> String {
    format!(".hp{{{}}}\n{RULES}", colours())
}
