/* Calls of an interface's methods: of the only implementation, or of several with equal shares. */
class Interfaces {
    interface Shape {
        double area();
    }

    static class Square implements Shape {
        double side;

        public double area() {
            return side * side;
        }
    }

    static class Ring implements Shape {
        double inner, outer;

        public double area() {
            return Math.PI * (outer * outer - inner * inner);
        }
    }

    interface Step {
        int next(int n);
    }

    static class Twice implements Step {
        public int next(int n) {
            return 2 * n;
        }
    }

    static double total(Shape[] shapes, Step step) {
        double sum = step.next(1);
        for (Shape shape : shapes)
            sum += shape.area();
        return sum;
    }
}
