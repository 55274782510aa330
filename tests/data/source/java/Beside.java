/** Used by Objects.java: what is called of it is read, and nothing else. */
class Beside {
    static int help(int n) {
        return more(n) + 1;
    }

    private static int more(int n) {
        return n * 2;
    }

    static int notCalled() {
        return 0;
    }
}
