/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting a launcher with the recorder preloaded, waiting for it, watching it, and ending it: see launch.h.
 *
 * The launcher stays in firma's process group. A group of its own would need the terminal handed over and back, and
 * would break `firma trace … | less`, job control and batch systems that signal the group. In ours, the terminal sends
 * Ctrl-C to both, the launcher ends the job as its user expects, and firma, which holds these signals back, saves the
 * trace. */
#include "trace/launch.h"
#include "base/map.h"
#include "base/vec.h"
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HAND_ON_AFTER_NS                                                                                               \
    1000000000LL /* a signal to the whole group reaches the launcher by itself: it shows by then                       \
                  */
#define PARK_LIMIT_NS 300000000LL
#define PARK_QUIET_NS 30000000LL
#define GRACE_NS 5000000000LL
#define NAP_NS 5000000LL
#define ENVIRON_LIMIT_BYTES (2u << 20)

static const int held_signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

/* A file of the recording directory whose content was valid, and stays mapped. */
typedef struct WatchedSegment {
    const SegmentHeader *header;
    uint32_t rank;
} WatchedSegment;

struct Launch {
    pid_t pid;
    bool ended;
    int status;
    int64_t begin_ns, end_ns;
    sigset_t outer_mask;
    int interrupted; /* the first signal that came while waiting */
    int handing_on;  /* a signal that went to firma alone, to be sent at … */
    int64_t hand_on_at_ns;
    const char *recording; /* absolute */
    ControlFile *control;
    char host[256];

    Map known; /* names of files that were taken in; of a HOST-PID.process: HOST-PID, with its rank */
    VEC(WatchedSegment) segments;
    bool incomplete;               /* some file was there, but not filled in yet */
    struct timespec scanned_state; /* the directory's mtime at the last scan */
    uint32_t n_processes;
    uint64_t *send_events; /* [n_processes] */
    Arena *arena;
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, NAP_NS}, NULL);
}

/* ---- the recorder library ---- */

static const char *own_directory(Arena *arena)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return ".";
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    *slash = '\0';
    return arena_strdup(arena, slash == path ? "/" : path);
}

bool launch_find_recorder(MpiFlavour flavour, Arena *arena, const char **path, Err *err)
{
    const char *name = flavour == MPI_FLAVOUR_MPICH ? "libfirma-mpich.so" : "libfirma-openmpi.so";
    const char *own = own_directory(arena), *chosen = getenv("FIRMA_LIBDIR");
    const char *const candidates[] = {
        chosen && *chosen ? arena_printf(arena, "%s/%s", chosen, name) : NULL,
        arena_printf(arena, "%s/../trace/recorder/%s", own, name),        /* build tree */
        arena_printf(arena, "%s/../%s/firma/%s", own, LIBDIR_NAME, name), /* installed, also when moved since */
        arena_printf(arena, "%s/%s", RECORDER_DIRECTORY, name),
    };
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        char resolved[PATH_MAX];
        if (!candidates[i] || access(candidates[i], R_OK) != 0 || !realpath(candidates[i], resolved))
            continue;
        if (strpbrk(resolved, " :")) {
            err_set(err, ERR_ENVIRONMENT, "%s: a blank or colon in the path, which LD_PRELOAD can't carry", resolved);
            return err_hint(err, "copy the library to a directory without, and set FIRMA_LIBDIR to that directory");
        }
        *path = arena_strdup(arena, resolved);
        return true;
    }
    err_set(err, ERR_ENVIRONMENT, "%s: the recorder for %s is not there", name, mpi_flavour_name(flavour));
    return err_hint(err,
                    "build firma where %s's headers are installed (Debian: %s); FIRMA_LIBDIR names another directory",
                    mpi_flavour_name(flavour), flavour == MPI_FLAVOUR_MPICH ? "libmpich-dev" : "libopenmpi-dev");
}

/* ---- the recording directory ---- */

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

static bool make_directory(const char *path, Arena *arena, const char **absolute, Err *err)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return err_set(err, ERR_ENVIRONMENT, "%s: can't make this directory: %s", path, strerror(errno));
    char resolved[PATH_MAX];
    if (!realpath(path, resolved))
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    DIR *directory = opendir(resolved);
    if (!directory)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    bool used = false;
    for (struct dirent *entry; (entry = readdir(directory));)
        used |= has_suffix(entry->d_name, ".process") || has_suffix(entry->d_name, ".segment");
    closedir(directory);
    if (used) {
        err_set(err, ERR_USAGE, "%s: holds the recording of an earlier run", path);
        return err_hint(err, "remove it, or name another directory");
    }
    *absolute = arena_strdup(arena, resolved);
    return true;
}

static bool make_control(Launch *launch, Err *err)
{
    const char *path = arena_printf(launch->arena, "%s/control", launch->recording);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    /* allocated, not only made long: writing to a mapped hole on a full disk would be SIGBUS */
    int code = posix_fallocate(file, 0, sizeof(ControlFile));
    void *mapped =
        code == 0 ? mmap(NULL, sizeof(ControlFile), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    code = code ? code : errno;
    close(file);
    if (mapped == MAP_FAILED)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(code));
    launch->control = mapped;
    launch->control->version = SEGMENT_VERSION;
    launch->control->owner_pid = getpid();
    memcpy(launch->control->owner_host, launch->host, sizeof launch->control->owner_host);
    __atomic_store_n(&launch->control->stop, 0, __ATOMIC_RELAXED);
    memcpy(launch->control->magic, CONTROL_MAGIC, sizeof launch->control->magic);
    return true;
}

/* ---- the environment and the command line ---- */

static bool sets_preload(char *const argv[], int program)
{
    for (int i = 0; i < program; i++) {
        bool names_variable = strcmp(argv[i], "-env") == 0 || strcmp(argv[i], "-genv") == 0;
        if (names_variable && i + 1 < program && strcmp(argv[i + 1], "LD_PRELOAD") == 0)
            return true;
        if (strcmp(argv[i], "-x") == 0 && i + 1 < program && strncmp(argv[i + 1], "LD_PRELOAD=", 11) == 0)
            return true;
        if (strncmp(argv[i], "LD_PRELOAD=", 11) == 0)
            return true;
    }
    return false;
}

#define HANDED_ON "LD_PRELOAD;" RECORD_DIRECTORY_VARIABLE

/* Open MPI starts remote daemons by ssh, which carry no environment: it must be told which variables to hand on. The
 * variable does it without touching the command line; but where the user says -x, Open MPI takes -x only, and a list on
 * the command line overrides ours. So these two are continued as the user began them. */
static char *const *hand_on_by_openmpi(char *const argv[], int program, Arena *arena)
{
    int n = 0, first_x = -1, list = -1;
    for (; argv[n]; n++) {
        if (n < program && first_x < 0 && strcmp(argv[n], "-x") == 0)
            first_x = n;
        if (n + 1 < program && strcmp(argv[n], "mca_base_env_list") == 0)
            list = n + 1;
    }
    char **changed = arena_new_array(arena, char *, (size_t)n + 5);
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (i == first_x) {
            static char option[] = "-x", preload[] = "LD_PRELOAD", directory[] = RECORD_DIRECTORY_VARIABLE;
            changed[used++] = option;
            changed[used++] = preload;
            changed[used++] = option;
            changed[used++] = directory;
        }
        changed[used++] = i == list ? arena_printf(arena, "%s;%s", argv[i], HANDED_ON) : argv[i];
    }
    if (first_x < 0 && list < 0) {
        const char *users = getenv("OMPI_MCA_mca_base_env_list");
        setenv("OMPI_MCA_mca_base_env_list",
               users && *users ? arena_printf(arena, "%s;%s", users, HANDED_ON) : HANDED_ON, 1);
    }
    return changed;
}

static bool redirect(int output)
{
    return output < 0 || (dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0);
}

/* In the child: becomes the launcher, or tells why not through `report`. */
static void become_launcher(const Launch *launch, const LaunchOptions *options, const char *recorder,
                            char *const argv[], int program, int output, int report)
{
    const char *users = getenv("LD_PRELOAD");
    const char *preload = users && *users ? arena_printf(launch->arena, "%s:%s", recorder, users) : recorder;
    if (options->flavour == MPI_FLAVOUR_OPENMPI)
        argv = hand_on_by_openmpi(argv, program, launch->arena);
    if (options->to_be_stopped)
        setenv("OMPI_MCA_odls_base_sigkill_timeout", "0", 0);
    bool ready = setenv("LD_PRELOAD", preload, 1) == 0 &&
                 setenv(RECORD_DIRECTORY_VARIABLE, launch->recording, 1) == 0 && redirect(output) &&
                 (!options->output_to_stderr || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0);
    sigprocmask(SIG_SETMASK, &launch->outer_mask, NULL);
    if (ready)
        execvp(argv[0], argv);
    int code = errno;
    _exit(write(report, &code, sizeof code) == sizeof code ? 127 : 126);
}

static bool open_output(const char *path, int *output, Err *err)
{
    *output = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    return *output >= 0 || !path || err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

static bool start_error(const char *launcher, int code, Err *err)
{
    err_set(err, ERR_ENVIRONMENT, "%s: can't be started: %s", launcher, strerror(code));
    if (code == ENOENT)
        err_hint(err, "is the launcher's name right, and MPI installed? `firma doctor` tells");
    return false;
}

/* Holds SIGCHLD and what would end firma: both are taken one by one in launch_wait. */
static void hold_signals(Launch *launch)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGCHLD);
    for (size_t i = 0; i < sizeof held_signals / sizeof *held_signals; i++)
        sigaddset(&held, held_signals[i]);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &held, &launch->outer_mask);
}

/* What came until now was meant for the program that has ended. */
static void release_signals(Launch *launch)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof held_signals / sizeof *held_signals; i++)
        sigaddset(&held, held_signals[i]);
    for (int number; (number = sigtimedwait(&held, NULL, &(struct timespec){0, 0})) > 0;)
        launch->interrupted = launch->interrupted ? launch->interrupted : number;
    sigprocmask(SIG_SETMASK, &launch->outer_mask, NULL);
}

static bool start_child(Launch *launch, const LaunchOptions *options, const char *recorder, char *const argv[],
                        Err *err)
{
    int program = launch_find_program(argv, launch->arena), output, ends[2];
    int launcher_words = 0;
    while (argv[launcher_words] && (program < 0 || launcher_words < program))
        launcher_words++;
    if (sets_preload(argv, launcher_words)) {
        err_set(err, ERR_USAGE, "%s …: the command line sets LD_PRELOAD, which would shut out firma's recorder",
                argv[0]);
        return err_hint(err, "set LD_PRELOAD in the environment of firma instead: the recorder is put before it");
    }
    if (!open_output(options->output_path, &output, err))
        return false;
    bool started = false;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        err_set(err, ERR_ENVIRONMENT, "no pipe to start %s: %s", argv[0], strerror(errno));
        goto done;
    }
    fflush(NULL);
    hold_signals(launch);
    launch->begin_ns = now_ns();
    launch->pid = fork();
    if (launch->pid == 0)
        become_launcher(launch, options, recorder, argv, launcher_words, output, ends[1]);
    int code = launch->pid < 0 ? errno : 0;
    close(ends[1]);
    if (launch->pid > 0 && read(ends[0], &code, sizeof code) > 0)
        waitpid(launch->pid, NULL, 0);
    close(ends[0]);
    started = code == 0;
    if (!started) {
        release_signals(launch);
        start_error(argv[0], code, err);
    }
done:
    if (output >= 0)
        close(output);
    return started;
}

bool launch_start(const LaunchOptions *options, char *const argv[], Arena *arena, Launch **launch, Err *err)
{
    LaunchOptions chosen = *options;
    const char *reason, *recorder;
    if (!argv || !argv[0])
        return err_set(err, ERR_USAGE, "no launcher to start");
    if (chosen.flavour == MPI_FLAVOUR_NONE && !launch_find_flavour(argv, arena, &chosen.flavour, &reason, err))
        return false;
    if (!launch_find_recorder(chosen.flavour, arena, &recorder, err))
        return false;
    Launch *started = arena_alloc(arena, sizeof *started);
    started->arena = arena;
    gethostname(started->host, sizeof started->host - 1);
    if (!make_directory(options->recording, arena, &started->recording, err) || !make_control(started, err) ||
        !start_child(started, &chosen, recorder, argv, err))
        return false;
    *launch = started;
    return true;
}

/* ---- waiting ---- */

static bool take_end(Launch *launch)
{
    int state;
    pid_t got = waitpid(launch->pid, &state, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR))
        return false;
    launch->status = got < 0 ? 255 : WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    launch->ended = true;
    launch->end_ns = now_ns();
    release_signals(launch);
    return true;
}

/* A signal from the terminal went to the launcher too. One from kill(2) perhaps to firma alone: it is handed on unless
 * the launcher ends by itself before. */
static void take_signal(Launch *launch, const siginfo_t *info)
{
    if (info->si_signo == SIGCHLD)
        return;
    if (!launch->interrupted)
        launch->interrupted = info->si_signo;
    if (info->si_code <= 0 && !launch->handing_on) {
        launch->handing_on = info->si_signo;
        launch->hand_on_at_ns = now_ns() + HAND_ON_AFTER_NS;
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

bool launch_wait(Launch *launch, int timeout_ms)
{
    int64_t deadline_ns = timeout_ms < 0 ? INT64_MAX : now_ns() + timeout_ms * 1000000LL;
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    for (size_t i = 0; i < sizeof held_signals / sizeof *held_signals; i++)
        sigaddset(&awaited, held_signals[i]);
    while (!launch->ended && !take_end(launch)) {
        int64_t now = now_ns();
        if (launch->handing_on && launch->hand_on_at_ns && now >= launch->hand_on_at_ns) {
            kill(launch->pid, launch->handing_on);
            launch->hand_on_at_ns = 0; /* once */
        }
        if (now >= deadline_ns)
            return false;
        int64_t until_ns = launch->hand_on_at_ns ? least(deadline_ns, launch->hand_on_at_ns) : deadline_ns;
        int64_t left_ns = least(until_ns - now, 3600 * 1000000000LL);
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
    return (double)((launch->ended ? launch->end_ns : now_ns()) - launch->begin_ns) / 1e9;
}

int launch_status(const Launch *launch)
{
    return launch->status;
}

/* ---- watching ---- */

static MapKey name_key(const char *name, size_t length)
{
    MapKey key = {0x6669726d61, length};
    for (size_t at = 0; at < length; at += 8) {
        uint64_t word = 0;
        memcpy(&word, name + at, length - at < 8 ? length - at : 8);
        key = hash_word(key, word);
    }
    return key;
}

/* The first `size_bytes` of a file, mapped for reading; NULL while it is shorter or doesn't begin with the magic. */
static const void *map_when_valid(int directory, const char *name, size_t size_bytes, const char magic[8])
{
    struct stat info;
    int file = openat(directory, name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    void *mapped = MAP_FAILED;
    if (fstat(file, &info) == 0 && (size_t)info.st_size >= size_bytes)
        mapped = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED)
        return NULL;
    if (memcmp(mapped, magic, 8) == 0)
        return mapped;
    munmap(mapped, size_bytes);
    return NULL;
}

static void grow_send_events(Launch *launch, uint32_t n_processes)
{
    uint64_t *grown = arena_new_array(launch->arena, uint64_t, n_processes);
    if (launch->n_processes)
        memcpy(grown, launch->send_events, launch->n_processes * sizeof *grown);
    launch->send_events = grown;
    launch->n_processes = n_processes;
}

#define PROCESS_COUNT_LIMIT (1 << 24)

static bool take_process(Launch *launch, int directory, const char *name)
{
    const ProcessFile *process = map_when_valid(directory, name, sizeof *process, PROCESS_MAGIC);
    if (!process)
        return false;
    bool sane = process->n_processes > 0 && process->n_processes <= PROCESS_COUNT_LIMIT && process->rank >= 0 &&
                process->rank < process->n_processes;
    if (sane) {
        if ((uint32_t)process->n_processes > launch->n_processes)
            grow_send_events(launch, (uint32_t)process->n_processes);
        *map_put(&launch->known, name_key(name, strlen(name) - strlen(".process")), NULL) = (uint64_t)process->rank;
    }
    munmap((void *)process, sizeof *process);
    return sane;
}

static bool take_segment(Launch *launch, int directory, const char *name)
{
    size_t stem = strlen(name) - strlen(".segment");
    while (stem > 0 && name[stem] != '-') /* HOST-PID-THREAD.segment belongs to HOST-PID.process */
        stem--;
    const uint64_t *known_rank = map_get(&launch->known, name_key(name, stem));
    if (!known_rank)
        return false;
    uint32_t rank = (uint32_t)*known_rank;
    const SegmentHeader *header = map_when_valid(directory, name, SEGMENT_HEADER_BYTES, SEGMENT_MAGIC);
    if (!header)
        return false;
    *vec_push(&launch->segments) = (WatchedSegment){header, rank};
    *map_put(&launch->known, name_key(name, strlen(name)), NULL) = 1;
    return true;
}

/* Takes in the files with this suffix that are new. */
static void scan_for(Launch *launch, DIR *directory, const char *suffix, bool (*take)(Launch *, int, const char *))
{
    rewinddir(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name;
        size_t length = strlen(name), suffix_length = strlen(suffix);
        if (!has_suffix(name, suffix))
            continue;
        bool is_process = strcmp(suffix, ".process") == 0;
        if (!map_get(&launch->known, name_key(name, is_process ? length - suffix_length : length)))
            launch->incomplete |= !take(launch, dirfd(directory), name);
    }
}

/* Looks for new files when the directory has changed, or has so lately that its time stamp may hide a further change.
 */
static void scan(Launch *launch)
{
    struct stat info;
    struct timespec now;
    if (stat(launch->recording, &info) != 0)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    bool unchanged =
        info.st_mtim.tv_sec == launch->scanned_state.tv_sec && info.st_mtim.tv_nsec == launch->scanned_state.tv_nsec;
    bool settled = now.tv_sec - info.st_mtim.tv_sec > 1;
    if (unchanged && settled && !launch->incomplete)
        return;
    DIR *directory = opendir(launch->recording);
    if (!directory)
        return;
    launch->scanned_state = info.st_mtim;
    launch->incomplete = false;
    scan_for(launch, directory, ".process", take_process);
    scan_for(launch, directory, ".segment", take_segment);
    closedir(directory);
}

const uint64_t *launch_send_events(Launch *launch, uint32_t *count)
{
    scan(launch);
    *count = launch->n_processes;
    if (launch->n_processes == 0)
        return NULL;
    memset(launch->send_events, 0, launch->n_processes * sizeof *launch->send_events);
    for (size_t i = 0; i < launch->segments.count; i++) {
        const WatchedSegment *segment = &launch->segments.items[i];
        launch->send_events[segment->rank] += __atomic_load_n(&segment->header->send_events, __ATOMIC_RELAXED);
    }
    return launch->send_events;
}

/* ---- ending ---- */

/* Until the processes have come to their next MPI call, as far as that can be seen: no more events, or the limit. */
static void wait_until_parked(Launch *launch)
{
    int64_t limit_ns = now_ns() + PARK_LIMIT_NS, quiet_since_ns = now_ns();
    uint64_t last_sum = UINT64_MAX;
    while (now_ns() < limit_ns && now_ns() - quiet_since_ns < PARK_QUIET_NS && !launch_wait(launch, 0)) {
        uint32_t count;
        uint64_t sum = 0;
        const uint64_t *events = launch_send_events(launch, &count);
        for (uint32_t i = 0; i < count; i++)
            sum += events[i];
        if (sum != last_sum)
            quiet_since_ns = now_ns();
        last_sum = sum;
        nap();
    }
}

/* Whether the process was started with this launch's recording directory in its environment: nothing else was. */
static bool is_of_launch(const Launch *launch, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    char *text = memory_resize(NULL, ENVIRON_LIMIT_BYTES);
    size_t used = 0;
    for (ssize_t got; used < ENVIRON_LIMIT_BYTES && (got = read(file, text + used, ENVIRON_LIMIT_BYTES - used)) > 0;)
        used += (size_t)got;
    close(file);
    size_t name_length = strlen(RECORD_DIRECTORY_VARIABLE "="), directory_length = strlen(launch->recording) + 1;
    bool found = false;
    for (size_t at = 0; at < used && !found;) {
        size_t length = strnlen(text + at, used - at);
        found = length + 1 == name_length + directory_length && at + length < used &&
                memcmp(text + at, RECORD_DIRECTORY_VARIABLE "=", name_length) == 0 &&
                memcmp(text + at + name_length, launch->recording, directory_length) == 0;
        at += length + 1;
    }
    free(text);
    return found;
}

/* Sends a signal to every process of the launch on this host; how many there are. A dead one that nobody has collected
 * has no environment any more, and doesn't count. */
static size_t signal_remaining(const Launch *launch, int number)
{
    DIR *processes = opendir("/proc");
    size_t count = 0;
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (*end || pid <= 1 || pid == getpid() || !is_of_launch(launch, (pid_t)pid))
            continue;
        count++;
        if (number)
            kill((pid_t)pid, number);
    }
    if (processes)
        closedir(processes);
    return count;
}

static bool wait_until_gone(const Launch *launch, int number, int64_t limit_ns)
{
    int64_t deadline_ns = now_ns() + limit_ns;
    while (signal_remaining(launch, number) > 0) {
        if (now_ns() > deadline_ns)
            return false;
        nap();
    }
    return true;
}

void launch_stop(Launch *launch)
{
    __atomic_store_n(&launch->control->stop, 1, __ATOMIC_RELEASE);
    if (!launch_wait(launch, 0)) {
        wait_until_parked(launch);
        if (!launch_wait(launch, 0))
            kill(launch->pid, SIGTERM);
        if (!launch_wait(launch, GRACE_NS / 1000000)) {
            kill(launch->pid, SIGKILL);
            launch_wait(launch, -1);
        }
    }
    /* The launcher's death takes its processes along in a moment; those that it forgot are killed. */
    if (!wait_until_gone(launch, 0, GRACE_NS / 5))
        wait_until_gone(launch, SIGKILL, GRACE_NS);
}

bool launch_settle(Launch *launch)
{
    return wait_until_gone(launch, 0, GRACE_NS);
}

void launch_free(Launch *launch)
{
    if (!launch)
        return;
    for (size_t i = 0; i < launch->segments.count; i++)
        munmap((void *)launch->segments.items[i].header, SEGMENT_HEADER_BYTES);
    munmap(launch->control, sizeof *launch->control);
    vec_free(&launch->segments);
    map_free(&launch->known);
}
