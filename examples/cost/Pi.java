/* SPDX-License-Identifier: BSD-3-Clause */
/* A task of the Monte Carlo method for pi: how many of some random points of the unit square lie in the circle. All
 * tasks' points together give pi = 4 inside/points. Herai and Henriques, 4.3.1. */
import java.util.Random;

public final class Pi {
    private Pi() {
    }

    static long countPoints(long points, long seed) {
        Random random = new Random(seed);
        long inside = 0;
        for (long i = 0; i < points; i++) {
            double x = random.nextDouble();
            double y = random.nextDouble();
            if (x * x + y * y <= 1.0)
                inside++;
        }
        return inside;
    }
}
