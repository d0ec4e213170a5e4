import shapes.list;
import "imported.sl";
import "imported.sl";
check list(x) * two(y);
