/* SPDX-License-Identifier: BSD-3-Clause */
/* What an instrumented copy of a task's source counts. cost/count/instrument.c writes calls of these functions into the
 * copy, in whatever C the user's compiler options ask for. */
#pragma GCC system_header

extern double firma_counts[]; /* in the task's library: cost/run/compile_c.c */

__attribute__((unused)) static __inline__ void firma_count(unsigned counter, double value)
{
#ifdef _OPENMP
#pragma omp atomic
#endif
    firma_counts[counter] += value;
}

/* A condition: how often it held, and how often it didn't. */
__attribute__((unused)) static __inline__ int firma_truth(unsigned counter, int truth)
{
    firma_count(counter + !truth, 1);
    return truth;
}

/* Something that is reached; what `switch` jumps to. Returns 0. */
__attribute__((unused)) static __inline__ int firma_reach(unsigned counter)
{
    firma_count(counter, 1);
    return 0;
}

/* A loop of whose iterations the condition tells how many there are at most, when it is first tested. */
__attribute__((unused)) static __inline__ int firma_begin(unsigned counter)
{
    firma_counts[counter + 1] = 1;
    return firma_reach(counter);
}

__attribute__((unused)) static __inline__ void firma_bound(unsigned counter, unsigned sum, double iterations)
{
    if (firma_counts[counter + 1] > 0)
        firma_count(sum, iterations);
    firma_counts[counter + 1] = 0;
}

/* Iterations until a distance is gone. is_strict: none is left when it is 0. */
__attribute__((unused)) static __inline__ double firma_steps(double distance, double step, int is_strict)
{
    double steps = distance / step;
    if (!(steps >= 0) || steps > 9e15)
        return 0;
    return (double)(long long)steps + (is_strict ? (double)(long long)steps < steps : 1);
}

__attribute__((unused)) static __inline__ double firma_least(double a, double b)
{
    return a < b ? a : b;
}

/* A number whose mean is wanted. */
__attribute__((unused)) static __inline__ void firma_mean(unsigned counter, double value)
{
    firma_count(counter, value);
    firma_count(counter + 1, 1);
}

/* A function: its calls, and those while it wasn't running. */
__attribute__((unused)) static __inline__ unsigned *firma_enter(unsigned counter, unsigned *depth)
{
    firma_count(counter, 1);
    if (!(*depth)++)
        firma_count(counter + 1, 1);
    return depth;
}

__attribute__((unused)) static __inline__ void firma_leave(unsigned **depth)
{
    --**depth;
}
