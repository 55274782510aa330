/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder's lock: threads take turns, and it is lost, not waited for, when its holder is gone. */
#include "test.h"
#include "trace/recorder/lock.h"

#include <pthread.h>
#include <sched.h>

#define N_THREADS 4
#define N_ROUNDS 20000

static Lock lock;
static int count;

static void *count_up(void *unused)
{
    for (int i = 0; i < N_ROUNDS; i++) {
        if (!lock_take(&lock))
            break;
        count++;
        lock_release(&lock);
    }
    return unused;
}

static void *take_and_end(void *taken)
{
    *(bool *)taken = lock_take(&lock);
    return NULL;
}

static void *take_and_wait_to_be_cancelled(void *barrier)
{
    if (lock_take(&lock))
        pthread_barrier_wait(barrier);
    while (true)
        pthread_testcancel();
    return NULL;
}

static void *take_in_turn(void *taken)
{
    *(bool *)taken = lock_take(&lock);
    if (*(bool *)taken)
        lock_release(&lock);
    return NULL;
}

static bool is_waited_for(void)
{
    return __atomic_load_n(&lock.holder, __ATOMIC_RELAXED) & 0x80000000u;
}

static int begin(void **state)
{
    lock = (Lock){0};
    return 0;
}

static void threads_take_turns(void **state)
{
    pthread_t threads[N_THREADS];
    for (int i = 0; i < N_THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_up, NULL), 0);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(count, N_THREADS * N_ROUNDS);
    assert_int_equal(lock.holder, 0);
}

static void is_lost_when_its_holder_has_ended(void **state)
{
    pthread_t thread;
    bool taken = false;
    pthread_create(&thread, NULL, take_and_end, &taken);
    pthread_join(thread, NULL);
    assert_true(taken);
    assert_false(lock_take(&lock));
    assert_false(lock_take(&lock));
}

static void is_lost_when_its_holder_ends_while_another_waits(void **state)
{
    pthread_t holder, waiter;
    pthread_barrier_t barrier;
    bool taken = true;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&holder, NULL, take_and_wait_to_be_cancelled, &barrier);
    pthread_barrier_wait(&barrier);
    pthread_create(&waiter, NULL, take_in_turn, &taken);
    while (!is_waited_for())
        sched_yield();
    pthread_cancel(holder);
    pthread_join(holder, NULL);
    pthread_join(waiter, NULL);
    assert_false(taken);
    assert_false(lock_take(&lock));
}

static void is_lost_for_all_when_its_holder_takes_it_again(void **state)
{
    pthread_t waiter;
    bool taken = true;
    assert_true(lock_take(&lock));
    pthread_create(&waiter, NULL, take_in_turn, &taken);
    while (!is_waited_for())
        sched_yield();
    assert_false(lock_take(&lock));
    pthread_join(waiter, NULL);
    assert_false(taken);
    assert_false(lock_take(&lock));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(threads_take_turns, begin),
        cmocka_unit_test_setup(is_lost_when_its_holder_has_ended, begin),
        cmocka_unit_test_setup(is_lost_when_its_holder_ends_while_another_waits, begin),
        cmocka_unit_test_setup(is_lost_for_all_when_its_holder_takes_it_again, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
