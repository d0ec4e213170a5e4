import "nowhere.sl";
import shapes.nothing;
import 3;
check list(x);
