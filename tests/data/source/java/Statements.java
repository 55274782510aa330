class Statements {
    int loops(int n, int[] values, java.util.List<Integer> list) {
        int i, sum = 0;
        for (i = 0; i < n; i++)
            sum += i;
        for (int j = 0, k = n; j < k; j++, k--) {
        }
        for (;;)
            break;
        for (int value : values)
            sum += value;
        for (var item : list)
            sum += item;
        while (i > 0)
            i /= 2;
        do {
            i++;
            if (i == 5)
                continue;
        } while (i < 10);
        ;
        return sum;
    }

    int jumps(int n) {
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                if (i % j == 0)
                    continue outer;
                if (i == 7)
                    break outer;
            }
            inner:
            while (true) {
                break inner;
            }
        }
        block: {
            if (n > 3)
                break block;
            n = 4;
        }
        return n;
    }

    enum Colour { RED, GREEN }

    int cases(int n, String s, Colour colour) {
        switch (n) {
        case 1:
        case 2:
            n = 5;
            break;
        case 3: {
            n = 6;
            break;
        }
        case 4:
        default:
            n = 8;
            if (n > 9)
                break;
        case 7:
            return 9;
        }
        switch (s) {
        case "a", "b" -> n = 1;
        case "c" -> {
            n = 2;
        }
        default -> throw new IllegalStateException(s);
        }
        switch (colour) {
        case RED:
            n++;
        case GREEN:
        }
        int days = switch (n) {
        case 4, 6 -> 30;
        default -> 31;
        case 2 -> 28;
        };
        int other = switch (n) {
        case 1:
            yield 3;
        default: {
            int x = n * n;
            yield x;
        }
        };
        return days + other;
    }

    synchronized int exceptions(int n) throws Exception {
        try {
            n = risky(n);
        } catch (IllegalStateException | Error e) {
            n = 0;
            throw e;
        } finally {
            n++;
        }
        try (AutoCloseable file = open(n)) {
            n--;
        }
        synchronized (this) {
            n += 2;
        }
        assert n > 0 : "n";
        if (n < 0)
            throw new Exception("n < 0");
        return n;
    }

    int risky(int n) {
        return n;
    }

    AutoCloseable open(int n) {
        return null;
    }
}
