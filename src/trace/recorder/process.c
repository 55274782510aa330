/* SPDX-License-Identifier: BSD-3-Clause */
/* See process.h. The ProcessFile stays mapped. So writing times and counts needs no system call,
 * and they survive the process. */
#include "trace/recorder/process.h"
#include "trace/recorder/files.h"
#include "trace/recorder/local.h"
#include "trace/recorder/recorder.h"
#ifdef RECORDER_SIMULATED
#include "trace/recorder/simulated.h"
#endif
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static ProcessFile *process; /* NULL before process_open() */
static char directory[PATH_MAX];
static const char *records_directory = directory;
static char host[256];

const char *process_directory(void)
{
    return directory;
}

const char *process_host(void)
{
    return host;
}

void process_keep_records_in(const char *path)
{
    records_directory = path;
}

const char *process_records_directory(void)
{
    return records_directory;
}

void process_path(const char *suffix, char path[PATH_BYTES])
{
    if (snprintf(path, PATH_BYTES, "%s/%s-%d%s", records_directory, host, (int)process->pid, suffix) >= PATH_BYTES)
        path[PATH_BYTES - 1] = '\0'; /* can't happen, because directory and host are limited */
}

/* Rounds up a note's size to the alignment, which gives the offset of what follows. */
static size_t note_aligned(size_t size_bytes, size_t alignment)
{
    return (size_bytes + alignment - 1) & ~(alignment - 1);
}

/* Looks for the build id among the notes of a PT_NOTE segment. */
static bool find_build_id(const uint8_t *notes, size_t size_bytes, size_t alignment, ProcessFile *file)
{
    size_t offset = 0;
    while (offset + sizeof(ElfW(Nhdr)) <= size_bytes) {
        ElfW(Nhdr) note;
        memcpy(&note, notes + offset, sizeof note);
        const size_t name = offset + sizeof note;
        const size_t content = name + note_aligned(note.n_namesz, alignment);
        const size_t next = content + note_aligned(note.n_descsz, alignment);
        if (next > size_bytes)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + name, "GNU", 4)) {
            file->build_id_bytes = note.n_descsz < sizeof file->build_id ? note.n_descsz : sizeof file->build_id;
            memcpy(file->build_id, notes + content, file->build_id_bytes);
            return true;
        }
        offset = next;
    }
    return false;
}

#ifdef RECORDER_SIMULATED
/* The linker's name for the beginning of the object that contains this code. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
#endif

/* True for the program itself: the first object of the list. A simulator loads the program; there,
 * it is the object that contains this function. */
static bool is_program(const struct dl_phdr_info *object)
{
#ifdef RECORDER_SIMULATED
    return (uintptr_t)__ehdr_start == object->dlpi_addr;
#else
    (void)object;
    return true;
#endif
}

static int read_build_id(struct dl_phdr_info *object, size_t size_bytes, void *argument)
{
    (void)size_bytes;
    if (!is_program(object))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_NOTE)
            continue;
        const uint8_t *notes = (const uint8_t *)(uintptr_t)(object->dlpi_addr + header->p_vaddr);
        if (find_build_id(notes, header->p_memsz, header->p_align == 8 ? 8 : 4, argument))
            break;
    }
    return 1;
}

static void read_arguments(ProcessFile *file)
{
    const int source = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (source < 0)
        return;
    ssize_t n = 0;
    while (file->arguments_bytes < sizeof file->arguments &&
           (n = read(source, file->arguments + file->arguments_bytes, sizeof file->arguments - file->arguments_bytes)) >
               0)
        file->arguments_bytes += (uint32_t)n;
    char more;
    file->arguments_truncated = file->arguments_bytes == sizeof file->arguments && read(source, &more, 1) == 1;
    close(source);
}

uint64_t process_start_ticks(int32_t pid)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, line, sizeof line - 1);
    if (file >= 0)
        close(file);
    if (size <= 0)
        return 0;
    line[size] = '\0';
    const char *field = strrchr(line, ')'); /* field 2 */
    for (int number = 3; field && number <= 22; number++)
        field = strchr(field + 1, ' ');
    return field ? strtoull(field, NULL, 10) : 0;
}

static void copy_text(char *to, size_t size_bytes, const char *from)
{
    const size_t length = strnlen(from, size_bytes - 1);
    memcpy(to, from, length);
    to[length] = '\0';
}

static void fill_in(ProcessFile *file, const ProcessStart *start, int32_t pid)
{
    file->version = SEGMENT_VERSION;
    file->flavour = start->flavour;
    file->pid = pid;
    file->start_ticks = process_start_ticks(pid);
    file->rank = start->rank;
    file->n_processes = start->n_processes;
    file->task = start->task;
    file->parent = start->parent;
    file->thread_level = (uint32_t)start->thread_level;
    file->init_enter_ns = start->init_enter_ns;
    file->init_leave_ns = start->init_leave_ns;
    file->realtime_offset_ns = clock_offset_ns();
    copy_text(file->host, sizeof file->host, host);
    copy_text(file->mpi_library, sizeof file->mpi_library, start->mpi_library);
    dl_iterate_phdr(read_build_id, file);
    const ssize_t length = readlink("/proc/self/exe", file->executable, sizeof file->executable - 1);
    if (length > 0)
        file->executable[length] = '\0';
    read_arguments(file);
#ifdef RECORDER_SIMULATED
    simulated_find_program(file);
#else
    syscall(SYS_sched_getaffinity, 0, sizeof file->processors, file->processors);
#endif
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(file->magic, PROCESS_MAGIC, sizeof file->magic);
}

#ifdef RECORDER_SIMULATED
bool process_claim(void)
{
    return true;
}
#else
/* All recorders of a process share the first one's variable, because the loader resolves equal
 * names to the first. */
__attribute__((visibility("default"))) bool firma_records_this_process;

bool process_claim(void)
{
    bool *claimed = dlsym(RTLD_DEFAULT, "firma_records_this_process");
    return !__atomic_exchange_n(claimed ? claimed : &firma_records_this_process, true, __ATOMIC_RELAXED);
}
#endif

/* Creates the file and maps it. Returns 0 or an errno. */
static int map_process_file(const char *path, ProcessFile **mapped)
{
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    int error = file_allocate(file, 0, sizeof(ProcessFile));
    if (!error) {
        void *start = mmap(NULL, sizeof(ProcessFile), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (start == MAP_FAILED)
            error = errno;
        else
            *mapped = start;
    }
    close(file);
    if (error)
        unlink(path);
    return error;
}

/* Sets the names that the process's file names contain. Returns 0 or an errno. */
static int name_process(const ProcessStart *start, int32_t *pid)
{
#ifdef RECORDER_SIMULATED /* in SMPI, all ranks live in one process, on simulated hosts */
    copy_text(host, sizeof host, start->host);
    *pid = start->rank + 1;
#else
    (void)start;
    if (gethostname(host, sizeof host - 1) < 0)
        return errno;
    *pid = getpid();
#endif
    return 0;
}

int process_open(const ProcessStart *start)
{
    char path[PATH_BYTES + 32];
    if (!realpath(start->directory, directory)) {
        const int error = errno;
        copy_text(directory, sizeof directory, start->directory);
        return error;
    }
    int32_t pid = 0;
    const int unnamed = name_process(start, &pid);
    if (unnamed)
        return unnamed;
    snprintf(path, sizeof path, "%s/%s-%d.process", directory, host, (int)pid);
    ProcessFile *file = NULL;
    const int error = map_process_file(path, &file);
    if (error)
        return error;
    fill_in(file, start, pid);
    process = file;
    return 0;
}

/* Maps a file of the directory. NULL: the file doesn't exist, or is too short. */
static void *map_file(const char *name, size_t least_bytes, size_t *size_bytes)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    struct stat status;
    void *start = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size >= (off_t)least_bytes) {
        *size_bytes = (size_t)status.st_size;
        start = mmap(NULL, *size_bytes, PROT_READ, MAP_SHARED, file, 0);
    }
    close(file);
    return start == MAP_FAILED ? NULL : start;
}

const ControlFile *process_map_control(void)
{
    size_t size_bytes;
    ControlFile *control = map_file("control", sizeof *control, &size_bytes);
    if (control &&
        (memcmp(control->magic, CONTROL_MAGIC, sizeof control->magic) != 0 || control->version != SEGMENT_VERSION)) {
        munmap(control, size_bytes);
        return NULL;
    }
    return control;
}

const StopsFile *process_map_stops(void)
{
    size_t size_bytes;
    StopsFile *stops = map_file(STOPS_NAME, sizeof *stops, &size_bytes);
    if (!stops)
        return NULL;
    const bool valid =
        memcmp(stops->magic, STOPS_MAGIC, sizeof stops->magic) == 0 && stops->version == SEGMENT_VERSION &&
        stops->n_processes == (uint32_t)process->n_processes && stops->n_stops <= STOPS_LIMIT &&
        size_bytes >= sizeof *stops + (size_t)stops->n_stops * stops->n_processes * sizeof stops->counts[0];
    if (!valid)
        munmap(stops, size_bytes);
    return valid ? stops : NULL;
}

uint32_t process_new_thread(void)
{
    return __atomic_fetch_add(&process->n_threads, 1, __ATOMIC_RELAXED);
}

void process_set_comms(uint32_t n_comms)
{
    __atomic_store_n(&process->n_comms, n_comms, __ATOMIC_RELEASE);
}

void process_count(uint16_t call)
{
    __atomic_fetch_add(&process->counted[call], 1, __ATOMIC_RELAXED);
}

static bool is_same_group(const GroupRecord *a, const GroupRecord *b)
{
    return a->name_hash == b->name_hash && a->count == b->count && a->instance == b->instance;
}

int process_count_group(const GroupRecord *group)
{
    uint32_t number = 0;
    while (number < process->n_groups && !is_same_group(&process->groups[number], group))
        number++;
    if (number == GROUPS_LIMIT)
        return -1;
    if (number == process->n_groups) {
        process->groups[number] = *group;
        __atomic_store_n(&process->n_groups, number + 1, __ATOMIC_RELEASE);
    }
    process->groups[number].n_calls++;
    return (int)number;
}

void process_add_tasks(const int *tasks, int n_tasks)
{
    static uint64_t size_bytes;
    char path[PATH_BYTES];
    process_path(".tasks", path);
    for (int i = 0; i < n_tasks; i++, size_bytes += sizeof(TaskRecord)) {
        const TaskRecord record = {.time_ns = recorder_now_ns(), .task = tasks[i]};
        const int error = file_put(path, size_bytes, &record, sizeof record);
        if (error) {
            recorder_stop(RECORDING_FAILED, error);
            return;
        }
    }
}

void process_set_asleep(uint32_t asleep)
{
    uint32_t last = __atomic_load_n(&process->asleep, __ATOMIC_RELAXED);
    while (last < asleep &&
           !__atomic_compare_exchange_n(&process->asleep, &last, asleep, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
}

void process_set_ready(uint32_t adoptions)
{
    __atomic_store_n(&process->ready, adoptions, __ATOMIC_RELEASE);
}

void process_add_storing(int64_t time_ns)
{
    __atomic_fetch_add(&process->storing_ns, (uint64_t)time_ns, __ATOMIC_RELAXED);
    __atomic_fetch_add(&process->n_stored, 1, __ATOMIC_RELAXED);
}

void process_set_costs(uint32_t call_ns, uint32_t sample_ns)
{
    process->call_cost_ns = call_ns;
    process->sample_cost_ns = sample_ns;
}

void process_stamp_init_leave(int64_t time_ns)
{
    process->init_leave_ns = time_ns;
}

/* Before recording, and in forked children, `process` is NULL and nothing is stored. */
void process_stamp_abort(void)
{
    if (!process || recorder_is(RECORDER_PASSIVE))
        return;
    process->abort_ns = recorder_now_ns();
    local_end();
}

void process_stamp_finalize_enter(int64_t time_ns)
{
    if (!process || recorder_is(RECORDER_PASSIVE))
        return;
    process->finalize_enter_ns = time_ns;
    if (recorder_is(RECORDER_ON)) /* if it was stopped, the program may forbid system calls */
        process->processor_ns = clock_process_ns();
}

void process_stamp_finalize_leave(int64_t time_ns)
{
    if (process && !recorder_is(RECORDER_PASSIVE))
        process->finalize_leave_ns = time_ns;
}

void process_end_recording(RecordingEnd end, int error)
{
    process->recording_errno = error;
    process->recording_end_ns = recorder_now_ns();
    process->recording_end = end;
}
