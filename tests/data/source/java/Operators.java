/** Operators and conversions. */
class Operators {
    static final int SIZE = 4 * 256 + 1;
    private static final long MASK = (1L << 48) - 1;
    static final double HALF = 1 / 2.0;
    private static int never = 7;
    private static int sometimes = 8;
    int field;
    final int six = 6;

    double widths(byte b, short s, char c, int i, long l, float f, double d, boolean z) {
        int small = b + s * c;
        long mixed = i + l;
        float single = l * f;
        double all = d / (i - f);
        b = (byte) i;
        c = (char) (c + 1);
        i = (int) d;
        l = 'a';
        d = 1;
        f = 0x1p3f;
        boolean test = i < l && f >= d || !z;
        test = test ? z : c == 'x';
        l = i << l;
        i = (int) (l >>> 3) & ~i ^ (z & test ? 1 : 0);
        d = z ? i : l;
        d = z ? 1 : 2.5;
        i += d;
        s -= 1;
        l <<= i;
        c++;
        --i;
        return i;
    }

    int constants() {
        final int local = 3;
        int twice = local * 2;
        sometimes++;
        return SIZE + never + sometimes + local + twice + six + field + this.field + Integer.MAX_VALUE + 0x7f + 0b101
            + 017 + 1_000;
    }

    long longs() {
        return MASK & 0x5DEECE66DL + (long) 1e9 + Long.MAX_VALUE;
    }

    double doubles() {
        return HALF * Math.PI + 7 / 2 + 7 % 4 + -3 + 1e-3 + .5f;
    }

    String texts(String s, int n) {
        s += n;
        String t = "a" + "b" + 1;
        return "n = " + n + ", s = " + s + t;
    }

    int boxes(Integer boxed, Double real) {
        Integer other = 5;
        Long big = 6L;
        boxed++;
        boxed += 2;
        double sum = boxed + real;
        Object any = n();
        return boxed == null ? other : (int) (sum + big);
    }

    static int n() {
        return 1;
    }
}
