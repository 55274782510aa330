/* SPDX-License-Identifier: BSD-3-Clause */
/* See lock.h. The kernel knows the holder by its thread id. So it also knows if the holder has
 * ended. */
#include "trace/recorder/lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPINS 100
#define NAP_NS 50000

__thread uint32_t lock_own_id;

static bool try_to_take(Lock *lock)
{
    uint32_t found = 0;
    return __atomic_compare_exchange_n(&lock->holder, &found, lock_own_id, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* The kernel's answer to a request for the lock. */
typedef enum Answer {
    ANSWER_TAKEN,
    ANSWER_TAKEN_FROM_THE_DEAD,
    ANSWER_OWN,  /* this thread holds the lock: its signal handler left the lock by longjmp, or runs inside it */
    ANSWER_LOST, /* the holder ended while no thread waited */
    ANSWER_AGAIN,
    ANSWER_REFUSED
} Answer;

static Answer ask_kernel(Lock *lock)
{
    if (syscall(SYS_futex, &lock->holder, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0)
        return __atomic_load_n(&lock->holder, __ATOMIC_ACQUIRE) & FUTEX_OWNER_DIED ? ANSWER_TAKEN_FROM_THE_DEAD
                                                                                   : ANSWER_TAKEN;
    switch (errno) {
    case EDEADLK:
        return ANSWER_OWN;
    case ESRCH:
        return ANSWER_LOST;
    case EINTR:
    case EAGAIN:
        return ANSWER_AGAIN;
    default:
        return ANSWER_REFUSED;
    }
}

/* On a kernel without such futexes, the thread naps. If it only yielded, a thread of high priority
 * could keep the holder from its processor. */
static Answer wait_for(Lock *lock)
{
    for (int i = 0; i < SPINS; i++)
        if (__atomic_load_n(&lock->holder, __ATOMIC_RELAXED) == 0 && try_to_take(lock))
            return ANSWER_TAKEN;
    for (;;) {
        const Answer answer = ask_kernel(lock);
        if (answer == ANSWER_REFUSED) {
            nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
            if (try_to_take(lock))
                return ANSWER_TAKEN;
        } else if (answer != ANSWER_AGAIN) {
            return answer;
        }
    }
}

/* A thread that finds the lock lost marks it as lost, and wakes the waiting threads, which then
 * find the mark. */
bool lock_wait(Lock *lock)
{
    const int saved = errno;
    if (!lock_own_id)
        lock_own_id = (uint32_t)syscall(SYS_gettid);
    const Answer answer = wait_for(lock);
    const bool holds = answer == ANSWER_TAKEN || answer == ANSWER_TAKEN_FROM_THE_DEAD || answer == ANSWER_OWN;
    if (holds && answer != ANSWER_TAKEN)
        lock->lost = true;
    const bool taken = holds && !lock->lost;
    if (holds && !taken)
        lock_hand_over(lock);
    errno = saved;
    return taken;
}

/* The kernel gives the lock to a waiting thread. C's memory model doesn't know this, so the holder
 * releases its changes first, by an operation that leaves the word as it is. */
void lock_hand_over(Lock *lock)
{
    const int saved = errno;
    uint32_t found = lock_own_id;
    __atomic_fetch_or(&lock->holder, 0, __ATOMIC_RELEASE);
    if (!__atomic_compare_exchange_n(&lock->holder, &found, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        syscall(SYS_futex, &lock->holder, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0);
    errno = saved;
}
