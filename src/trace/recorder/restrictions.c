/* SPDX-License-Identifier: BSD-3-Clause */
/* The program restricts itself through prctl, which is defined here and goes on to the C library's.
 * A filter of system calls may come later by another system call (seccomp), but an unprivileged
 * program has to call prctl(PR_SET_NO_NEW_PRIVS) first. */
#include "trace/recorder/restrictions.h"

#ifdef RECORDER_SIMULATED
RecordingEnd restrictions_found(void)
{
    return RECORDING_WHOLE;
}
#else
#include "trace/recorder/recorder.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int Prctl(int option, ...);

static Prctl *next_prctl;
static RecordingEnd found = RECORDING_WHOLE;

RecordingEnd restrictions_found(void)
{
    return (RecordingEnd)__atomic_load_n(&found, __ATOMIC_RELAXED);
}

/* A call that the thread is in ends without a look at the clock. */
static void note(RecordingEnd restriction)
{
    if (restrictions_found() == RECORDING_WHOLE || restriction == RECORDING_CLOCKLESS)
        __atomic_store_n(&found, restriction, __ATOMIC_RELAXED);
    recorder_stop(restriction, 0);
    this_thread.frame = 0;
}

/* Looked up here and not at the first call, which may be in a forked child: there, another thread's
 * copy may hold the loader's locks for ever. */
__attribute__((constructor)) static void prepare(void)
{
    void *symbol = dlsym(RTLD_NEXT, "prctl");
    int tsc = PR_TSC_ENABLE;
    memcpy(&next_prctl, &symbol, sizeof symbol);
    if (syscall(SYS_prctl, PR_GET_TSC, &tsc, 0, 0, 0) == 0 && tsc == PR_TSC_SIGSEGV)
        found = RECORDING_CLOCKLESS;
}

__attribute__((visibility("default"))) int prctl(int option, ...)
{
    unsigned long words[4];
    va_list rest;
    va_start(rest, option);
    for (int i = 0; i < 4; i++)
        words[i] = va_arg(rest, unsigned long);
    va_end(rest);
    if (option == PR_SET_TSC && words[0] == PR_TSC_SIGSEGV)
        note(RECORDING_CLOCKLESS);
    if ((option == PR_SET_NO_NEW_PRIVS && words[0]) || option == PR_SET_SECCOMP)
        note(RECORDING_CONFINED);
    return next_prctl ? next_prctl(option, words[0], words[1], words[2], words[3])
                      : (int)syscall(SYS_prctl, option, words[0], words[1], words[2], words[3]);
}
#endif
