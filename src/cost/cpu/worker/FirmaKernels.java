/* SPDX-License-Identifier: BSD-3-Clause */

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * FirmaKernels SECONDS ENTRY N TIMES …: times kernels in one JVM, as kernels.c times those in C. Each round runs each
 * kernel once. The JVM compiles them on the way, so rounds go on until the least times stay as they are, or until time
 * is up. Prints `run INDEX S` for each run, with the CPU seconds of its thread alone, and `done` at the end.
 */
public class FirmaKernels {
    static final int LEAST_ROUNDS = 8, LEAST_STAYS = 2, WORDS_EACH = 3;
    static final double SHRINKS = 0.99; // the sum of least times in a round in which the JVM made kernels faster
    static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    static double sink;

    static final class Run {
        final MethodHandle entry;
        final int n, times;
        double leastS = Double.POSITIVE_INFINITY;

        Run(String entry, String n, String times) throws ReflectiveOperationException {
            int dot = entry.lastIndexOf('.');
            this.entry = MethodHandles.lookup().findStatic(Class.forName(entry.substring(0, dot)),
                entry.substring(dot + 1), MethodType.methodType(double.class, int.class, int.class));
            this.n = Integer.parseInt(n);
            this.times = Integer.parseInt(times);
        }

        double seconds() throws Throwable {
            long before = threads.getCurrentThreadCpuTime();
            sink += (double) entry.invokeExact(n, times);
            return 1e-9 * (threads.getCurrentThreadCpuTime() - before);
        }
    }

    static double round(Run[] runs) throws Throwable {
        double sumS = 0;
        for (int i = 0; i < runs.length; i++) {
            double seconds = runs[i].seconds();
            runs[i].leastS = Math.min(runs[i].leastS, seconds);
            sumS += runs[i].leastS;
            System.out.println("run " + i + " " + seconds);
        }
        return sumS;
    }

    public static void main(String[] words) throws Throwable {
        long end = System.nanoTime() + (long) (1e9 * Double.parseDouble(words[0]));
        Run[] runs = new Run[(words.length - 1) / WORDS_EACH];
        for (int i = 0; i < runs.length; i++)
            runs[i] = new Run(words[1 + WORDS_EACH * i], words[2 + WORDS_EACH * i], words[3 + WORDS_EACH * i]);
        double lastS = Double.POSITIVE_INFINITY;
        int stays = 0;
        for (int rounds = 0; rounds < LEAST_ROUNDS || stays < LEAST_STAYS && System.nanoTime() < end; rounds++) {
            double sumS = round(runs);
            stays = sumS < SHRINKS * lastS ? 0 : stays + 1;
            lastS = sumS;
        }
        System.out.println("done");
    }
}
