// SPDX-License-Identifier: BSD-3-Clause
import java.util.Random;

/**
 * A task of the Monte Carlo method for pi: how many of some random points of the unit square lie in the circle. All
 * tasks' points together give pi = 4 inside/points. Herai and Henriques, 4.3.1.
 */
public class Pi {
    public static long countPoints(long points, long seed) {
        long inside = 0;
        Random random = new Random(seed);
        for (long i = 0; i < points; i++) {
            double x = random.nextDouble();
            double y = random.nextDouble();
            if (x * x + y * y <= 1.0)
                inside++;
        }
        return inside;
    }
}
