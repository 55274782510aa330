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

/* Functions of the library that read texts, and how many characters they read, as far as the text tells before the call:
 * without its end, and up to what they find. */
__attribute__((unused)) static __inline__ __SIZE_TYPE__ firma_strlen(unsigned counter, const char *text)
{
    __SIZE_TYPE__ length = __builtin_strlen(text);
    firma_mean(counter, (double)length);
    return length;
}

__attribute__((unused)) static __inline__ char *firma_strcpy(unsigned counter, char *to, const char *from)
{
    firma_strlen(counter, from);
    return __builtin_strcpy(to, from);
}

/* Also of the text that is looked at for its end. */
__attribute__((unused)) static __inline__ char *firma_strcat(unsigned counter, char *to, const char *from)
{
    firma_mean(counter, (double)(__builtin_strlen(to) + __builtin_strlen(from)));
    return __builtin_strcat(to, from);
}

__attribute__((unused)) static __inline__ char *firma_found(unsigned counter, const char *text, char *found)
{
    firma_mean(counter, found ? (double)(found - text) : (double)__builtin_strlen(text));
    return found;
}

__attribute__((unused)) static __inline__ char *firma_strchr(unsigned counter, const char *text, int wanted)
{
    return firma_found(counter, text, __builtin_strchr(text, wanted));
}

__attribute__((unused)) static __inline__ char *firma_strstr(unsigned counter, const char *text, const char *wanted)
{
    return firma_found(counter, text, __builtin_strstr(text, wanted));
}

/* From its beginning to its end. */
__attribute__((unused)) static __inline__ char *firma_strrchr(unsigned counter, const char *text, int wanted)
{
    firma_strlen(counter, text);
    return __builtin_strrchr(text, wanted);
}

/* As long as both are the same. */
__attribute__((unused)) static __inline__ int firma_strcmp(unsigned counter, const char *a, const char *b)
{
    __SIZE_TYPE__ same = 0;
    while (a[same] && a[same] == b[same])
        same++;
    firma_mean(counter, (double)same);
    return __builtin_strcmp(a, b);
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
