/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder's state: starting and stopping the recording, and stopping the program. */
#include "trace/recorder/recorder.h"

#include "trace/recorder/aside.h"
#include "trace/recorder/cost.h"
#include "trace/recorder/local.h"
#include "trace/recorder/lock.h"
#include "trace/recorder/middleware.h"
#include "trace/recorder/notice.h"
#include "trace/recorder/process.h"
#include "trace/recorder/restrictions.h"
#include "trace/recorder/stops.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FOLDS_AN_ANCHOR 10000
#define POLL_REPEATS_LIMIT 4000000000 /* each streak ends at an anchor, so the count stays far below its limit */
#define PARK_NS 5000000

__thread Thread this_thread;
RecorderState recorder_state = RECORDER_PASSIVE;

static const ControlFile no_control;
const ControlFile *recorder_control = &no_control;

static void state_set(RecorderState state)
{
    __atomic_store_n(&recorder_state, state, __ATOMIC_RELEASE);
}

/* A forked child shares its parent's mapped records, but isn't an MPI process. So it doesn't
 * record. */
static void forked(void)
{
    state_set(RECORDER_PASSIVE);
    lock_own_id = 0;
}

/* Records MPI_Init itself, because a segment exists only now. Its return is the moment when the
 * recorder is ready. */
static void record_init(Thread *thread, uint16_t call, int64_t enter_ns)
{
    Record *place = record_next(thread);
    const int64_t leave_ns = clock_now_ns();
    place->call.enter_ns = enter_ns;
    place->call.leave_ns = leave_ns;
    record_publish(place, record_head(RECORD_CALL, 0, call, 0));
    record_cpu(thread, leave_ns);
    process_stamp_init_leave(leave_ns);
    thread->leave_ns = leave_ns;
}

/* Standard error at the time when this library was loaded. Later, a file of the program may have
 * its descriptor. */
static struct stat loaded_stderr;

__attribute__((constructor)) static void look_at_stderr(void)
{
    if (fstat(STDERR_FILENO, &loaded_stderr) != 0)
        loaded_stderr.st_nlink = 0;
}

static bool has_stderr(void)
{
    struct stat now;
    return loaded_stderr.st_nlink && fstat(STDERR_FILENO, &now) == 0 && now.st_dev == loaded_stderr.st_dev &&
           now.st_ino == loaded_stderr.st_ino;
}

/* Writes a line to stderr, without raising a signal in the program. SIGPIPE (the reader has gone)
 * and SIGXFSZ (the file is full) are blocked meanwhile. */
static void write_line(const char *line, size_t length)
{
    sigset_t fatal, before, pending;
    sigemptyset(&fatal);
    sigaddset(&fatal, SIGPIPE);
    sigaddset(&fatal, SIGXFSZ);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &fatal, &before);
    if (write(STDERR_FILENO, line, length) < 0) {
        /* take back a signal that the write raised, but not one that was pending before */
        if (sigismember(&pending, SIGPIPE))
            sigdelset(&fatal, SIGPIPE);
        if (sigismember(&pending, SIGXFSZ))
            sigdelset(&fatal, SIGXFSZ);
        sigtimedwait(&fatal, NULL, &(struct timespec){0});
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void say_line(char *line, size_t size_bytes, int length)
{
    if (length > 0 && has_stderr())
        write_line(line, (size_t)length < size_bytes ? (size_t)length : size_bytes - 1);
}

static void say(const char *what, const char *directory, const char *reason)
{
    char line[8192];
    /* A directory that each node has for itself is named with its node. */
    const bool is_local = directory == process_records_directory() && directory != process_directory();
    say_line(line, sizeof line,
             snprintf(line, sizeof line, "firma: %s in %s%s%s: %s; the program goes on without being recorded\n", what,
                      directory, is_local ? " on " : "", is_local ? process_host() : "", reason));
}

void recorder_say(const char *what, const char *directory, int error)
{
    char line[8192];
    say_line(line, sizeof line,
             snprintf(line, sizeof line, "firma: process %ld on %s %s %s: %s\n", (long)getpid(), process_host(), what,
                      directory, strerror(error)));
}

int64_t recorder_now_ns(void)
{
    return restrictions_found() == RECORDING_CLOCKLESS ? 0 : clock_now_ns();
}

/* False, and a line: the program has already restricted itself. */
static bool is_free(const char *directory)
{
    const RecordingEnd restriction = restrictions_found();
    if (restriction != RECORDING_WHOLE)
        say("cannot record", directory, recording_end_reason(restriction));
    return restriction == RECORDING_WHOLE;
}

void recorder_start(Thread *thread, uint16_t call, int64_t enter_ns)
{
    ASIDE;
    const int saved = errno;
    const char *directory = getenv(RECORD_DIRECTORY_VARIABLE);
    if (!directory || !*directory || recorder_state != RECORDER_PASSIVE || !library_load() || !process_claim() ||
        !is_free(directory))
        goto done;
    ProcessStart start = {.directory = directory, .init_enter_ns = enter_ns, .init_leave_ns = clock_now_ns()};
    library_describe_process(&start);
    int error = process_open(&start);
    if (error) {
        notice_failure(directory, error);
        say("cannot record", directory, strerror(error));
        goto done;
    }
    const ControlFile *control = process_map_control();
    if (control) {
        recorder_control = control;
        clock_follow(control);
    }
    pthread_atfork(NULL, NULL, forked);
    clock_start();
    if (start.spawned) {
        process_end_recording(RECORDING_SPAWNED, 0);
        state_set(RECORDER_STOPPED);
        goto done;
    }
    if (start.flavour != MPI_FLAVOUR_SMPI) /* in SMPI, all ranks would sleep together */
        stops_start((uint32_t)start.rank);
    state_set(RECORDER_ON);
    error = local_begin(recorder_control);
    if (error)
        recorder_stop(RECORDING_FAILED, error);
    comms_start();
    if (start.flavour != MPI_FLAVOUR_SMPI) /* recording takes no simulated time */
        cost_measure();
    record_init(thread, call, enter_ns);
done:
    errno = saved;
}

void recorder_finish(int64_t leave_ns)
{
    process_stamp_finalize_leave(leave_ns);
    state_set(RECORDER_PASSIVE);
    local_end();
    library_forget();
}

void recorder_stop(RecordingEnd end, int error)
{
    ASIDE;
    RecorderState expected = RECORDER_ON;
    if (!__atomic_compare_exchange_n(&recorder_state, &expected, RECORDER_STOPPED, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return;
    process_end_recording(end, error);
    const char *reason = recording_end_reason(end);
    say("recording stopped", process_records_directory(), reason ? reason : strerror(error));
}

/* True if the process exists, and began at that time. (The kernel uses process ids again.) */
static bool is_running(int32_t pid, uint64_t start_ticks)
{
    const uint64_t ticks = process_start_ticks(pid);
    return ticks ? !start_ticks || ticks == start_ticks : kill(pid, 0) == 0 || errno != ESRCH;
}

/* Another PID namespace, such as a container's, hides the owner. */
static bool can_see_owner(const ControlFile *control)
{
    struct stat space;
    return !control->owner_pid_namespace || stat("/proc/self/ns/pid", &space) != 0 ||
           space.st_ino == control->owner_pid_namespace;
}

/* Adopted processes live in a namespace in which they can't see their owner. They end with this
 * namespace. */
bool recorder_is_left_alone(void)
{
    const ControlFile *control = recorder_control;
    return control->owner_pid > 0 && !__atomic_load_n(&control->adoptions, __ATOMIC_RELAXED) &&
           !strncmp(control->owner_host, process_host(), sizeof control->owner_host) && can_see_owner(control) &&
           !is_running(control->owner_pid, control->owner_start_ticks);
}

void recorder_park(void)
{
    const int saved = errno;
    const struct timespec pause = {.tv_nsec = PARK_NS};
    const ControlFile *control = recorder_control;
    while (__atomic_load_n(&control->stop, __ATOMIC_RELAXED)) {
        if (recorder_is_left_alone()) {
            recorder_control = &no_control;
            break;
        }
        nanosleep(&pause, NULL);
    }
    errno = saved;
}

/* The kernel reads a set of signals from the address before it looks at the invalid first argument. */
static bool is_readable(const volatile void *address)
{
    const int saved = errno;
    const bool readable = syscall(SYS_rt_sigprocmask, -1, address, NULL, 8) < 0 && errno == EINVAL;
    errno = saved;
    return readable;
}

/* Frames of other functions, or a sanitizer's guards around variables, may lie at this address
 * now. Or nothing does: it was the stack of a coroutine, and is freed. */
__attribute__((no_sanitize_address)) bool call_was_left(const Thread *thread)
{
    const uintptr_t frame = thread->frame;
    return !is_readable((const void *)(frame + sizeof frame)) || RETURN_ADDRESS(frame) != thread->return_address;
}

void recorder_stop_after_return(void)
{
    recorder_stop(RECORDING_RESUMED, 0);
}

/* Counts one more poll in the record of the first one. From time to time, forces a new anchor. */
static void fold_into(Thread *thread, Record *first, int64_t leave_ns)
{
    if (first->call.repeats % FOLDS_AN_ANCHOR == FOLDS_AN_ANCHOR - 1) {
        thread->anchor.ticks = 0;
        thread->quick_polls = 0;
    }
    __atomic_store_n(&first->call.repeats, first->call.repeats + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&first->call.leave_ns, leave_ns, __ATOMIC_RELAXED);
}

void poll_fold(Thread *thread)
{
    thread->leave_ns = thread->poll_enter_ns;
    fold_into(thread, thread->poll, thread->poll_enter_ns);
}

void call_found_nothing(Thread *thread)
{
    const int64_t leave_ns = thread->leave_ns;
    Record *before = thread->poll, *call = thread->call;
    const bool folds = before && before + 1 == call && call + 1 == thread->cursor &&
                       call->call.enter_ns - before->call.leave_ns < POLL_GAP_NS &&
                       leave_ns - call->call.enter_ns <= CPU_GAP_NS && before->call.repeats < POLL_REPEATS_LIMIT;
    if (folds) {
        const bool quick =
            __atomic_load_n(&clock_scale, __ATOMIC_RELAXED) && leave_ns - call->call.enter_ns < POLL_GAP_NS;
        thread->quick_polls = quick ? thread->quick_polls + 1 : 0;
        fold_into(thread, before, leave_ns);
        /* if the process is killed before this line, the poll remains a call of its own */
        __atomic_store_n(&call->call.kind, RECORD_NONE, __ATOMIC_RELEASE);
        thread->cursor = call;
        return;
    }
    thread->quick_polls = 0;
    call_end(thread);
    thread->poll = thread->cursor == call + 1 ? call : NULL;
}
