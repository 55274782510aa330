import static java.lang.Math.max;

import java.util.*;

/** Classes, fields, arrays, calls. */
public class Objects {
    private int n = 3;
    private final double[] values = {1, 2.5};
    static int[] table = new int[10];
    static Random random = new Random(5);

    static {
        table[0] = 1;
    }

    Objects(int n) {
        this.n = n;
    }

    Objects() {
        this(4);
        n++;
    }

    interface Shape {
        double area();
    }

    static class Square implements Shape {
        double side;

        Square(double side) {
            this.side = side;
        }

        public double area() {
            return side * side;
        }
    }

    record Point(int x, int y) {
        int sum() {
            return x + y();
        }
    }

    static class Base {
        int twice(int n) {
            return 2 * n;
        }
    }

    static class Derived extends Base {
        int twice(int n) {
            return super.twice(n) + 1;
        }
    }

    double objects(Shape shape, Base base) {
        Square square = new Square(2);
        Point point = new Point(1, n);
        Objects other = new Objects();
        other.n = point.x() + point.y;
        return square.side + shape.area() + other.n + base.twice(3) + point.sum() + new Derived().twice(1);
    }

    int arrays(int size) {
        int[] a = {1, size, 3};
        double[][] matrix = new double[size][3];
        long[] b[] = new long[size][];
        a[1] += a.length;
        matrix[0][size - 1] = a[0];
        b[0] = new long[] {1, size};
        return sum(a) + sum(1, 2, size) + matrix[0].length + table.length + values.length + (int) b[0][1];
    }

    static int sum(int... numbers) {
        int sum = 0;
        for (int number : numbers)
            sum += number;
        return sum;
    }

    static int overloaded(int n) {
        return n;
    }

    static double overloaded(double x) {
        return x;
    }

    static int overloaded(int[] a, Object o) {
        return 0;
    }

    double calls(String s, int n, long l) {
        List<Integer> list = new ArrayList<>();
        Map<String, Double> map = new HashMap<>();
        list.add(n);
        int first = list.get(0);
        double found = map.get(s) + list.size();
        double x = Math.sqrt(n) + Math.abs(l) + Math.round(2.5f) + max(n, l) + Math.pow(2, n);
        x += random.nextDouble() + s.length() + s.charAt(n) + Integer.parseInt(s);
        long now = System.nanoTime();
        System.out.println(s + now);
        return x + found + first + overloaded(n) + overloaded(l) + overloaded(null, s) + Beside.help(n);
    }
}
