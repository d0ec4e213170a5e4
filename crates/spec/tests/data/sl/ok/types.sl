data All { bool a; boolean b; byte c; short d; int e; long f; ubyte g; ushort h; uint i; ulong j; char k; float l; double m; All n; }
pred all(x) := exists c, k, l, m. x -> All(c: c, k: k, l: l, m: m)
  & c < 0x7f & k = 'a' & l < 1.5 & m >= 1 & m != 2.5e3 & k != '\n' & k != '\u0041' & l = -1;
pred casts(a, b: double) := emp & int(a * 3) = byte(a) & long(b) = a & b = double(a) & float(b) < 1.0f & isnan(b) & sqrt(b) = abs(b);
pred masks(a: int, b: ulong) := emp & bitand(a, 255) = bitor(b, 1) & shl(a, 3) = shr(b, 2) & bitxor(a, 0) = 1_000_000;
pred choice(a, b, c: boolean, x, y) := emp & min(a, b) = max(a, 3) & abs(a) = (c ? a : b) & x = ite(c, y, null);
pred floats(l: float) := emp & l % 2 = l / 3 + l * 0.5 - l & same(l, NaN) & l < Infinity & bits(l) = 0;
pred quotients(a, b) := emp & a / b = 3 & a % b = 1 & a * b = 7;
