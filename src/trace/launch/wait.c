/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for the launcher, and handles signals meanwhile.
 *
 * The launcher stays in firma's process group. With a group of its own, firma would have to hand
 * the terminal over and back. That would break `firma trace … | less`, job control, and batch
 * systems that signal the group. In firma's group, the terminal sends Ctrl-C to both. The launcher
 * ends the job as its user expects. firma holds these signals back, and saves the trace.
 *
 * A detached launch, which can be saved, gets no signals of the terminal. launch_wait() then
 * reports the signal to its caller, which ends the launch. */
#include "trace/launch/guard.h"

/* By this time, a signal that went to the whole group has had an effect on the launcher. */
#define FORWARD_AFTER_NS 1000000000LL

/* timeout(1) and batch systems send a signal twice at once. A later one is from a user who waits. */
#define SECOND_AFTER_NS 2000000000LL

/* Adopted processes are no children, so their end causes no SIGCHLD. Each look takes a processor
 * from a rank, so firma looks rarely. */
#define ADOPTED_LOOK_NS 200000000LL

static const int held_signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

void launch_hold_signals(Launch *launch)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGCHLD);
    for (size_t i = 0; i < sizeof held_signals / sizeof *held_signals; i++)
        sigaddset(&held, held_signals[i]);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &held, &launch->outer_mask);
}

void launch_release_signals(Launch *launch)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof held_signals / sizeof *held_signals; i++)
        /* The caller handles the signals that it blocks itself. */
        if (!sigismember(&launch->outer_mask, held_signals[i]))
            sigaddset(&held, held_signals[i]);
    for (int number; (number = sigtimedwait(&held, NULL, &(struct timespec){0, 0})) > 0;)
        launch->interrupted = launch->interrupted ? launch->interrupted : number;
    sigprocmask(SIG_SETMASK, &launch->outer_mask, NULL);
}

static bool take_end(Launch *launch)
{
    if (launch_is_adopted(launch)) {
        launch->ended = watch_all_finished(&launch->watch);
        launch->end_ns = launch_now_ns();
        return launch->ended;
    }
    if (!process_wait(launch->process, 0))
        return false;
    launch->ended = true;
    launch->end_ns = launch_now_ns();
    if (!launch->stopping)
        guard_end(launch); /* what a launcher leaves behind when it ends by itself is the user's */
    launch_release_signals(launch);
    return true;
}

bool launch_can_be_killed(const Launch *launch)
{
    return launch->interrupted && !launch->ended && !launch_is_apart(launch) &&
           launch_now_ns() - launch->interrupted_ns >= SECOND_AFTER_NS;
}

bool launch_was_killed(const Launch *launch)
{
    return launch->killed;
}

/* Handles a signal. The launcher also got it if it came from the terminal. A signal from kill(2)
 * may have gone to firma alone. firma forwards such a signal, unless the launcher ends before by
 * itself. */
static void take_signal(Launch *launch, const siginfo_t *info)
{
    if (info->si_signo == SIGCHLD)
        return;
    if (launch_can_be_killed(launch)) {
        process_kill(launch->process, SIGKILL);
        launch->killed = true;
        return;
    }
    if (!launch->interrupted) {
        launch->interrupted = info->si_signo;
        launch->interrupted_ns = launch_now_ns();
    }
    if (info->si_code <= 0 && !launch->forwarding && !launch_is_apart(launch)) {
        launch->forwarding = info->si_signo;
        launch->forward_at_ns = launch_now_ns() + FORWARD_AFTER_NS;
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

bool launch_wait(Launch *launch, int timeout_ms)
{
    int64_t deadline_ns = timeout_ms < 0 ? INT64_MAX : launch_now_ns() + timeout_ms * 1000000LL;
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    for (size_t i = 0; i < sizeof held_signals / sizeof *held_signals; i++)
        sigaddset(&awaited, held_signals[i]);
    while (!launch->ended && !take_end(launch)) {
        int64_t now = launch_now_ns();
        if (launch->forwarding && launch->forward_at_ns && now >= launch->forward_at_ns) {
            process_kill(launch->process, launch->forwarding);
            launch->forward_at_ns = 0; /* forward only once */
        }
        if (now >= deadline_ns || (launch->interrupted && launch_is_apart(launch) && !launch->stopping))
            return false;
        int64_t until_ns = launch->forward_at_ns ? least(deadline_ns, launch->forward_at_ns) : deadline_ns;
        int64_t left_ns = least(until_ns - now, launch_is_adopted(launch) ? ADOPTED_LOOK_NS : 3600 * 1000000000LL);
        siginfo_t info;
        if (sigtimedwait(&awaited, &info, &(struct timespec){left_ns / 1000000000, left_ns % 1000000000}) > 0)
            take_signal(launch, &info);
    }
    return true;
}

int launch_interrupted(const Launch *launch)
{
    return launch->interrupted;
}

double launch_elapsed_s(const Launch *launch)
{
    return (double)((launch->ended ? launch->end_ns : launch_now_ns()) - launch->begin_ns) / 1e9;
}

int launch_status(const Launch *launch)
{
    return launch_is_adopted(launch) ? 0 : process_status(launch->process);
}
