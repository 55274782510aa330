/* SPDX-License-Identifier: BSD-3-Clause */
/* Broken archives. Every file of a small archive is cut off at every few bytes, and gets single
 * flipped bits and runs of random bytes. Every byte of the anchor file is changed, alone and with
 * the next one. Opening and reading must end in an error with a message, or in events whose numbers
 * are in range. They must never crash, hang, or give an empty message. Deterministic.
 *
 *     usage: archive_fuzz [BATCHES [SEED [STEP]]]: BATCHES times BATCH random changes, or
 *     FIRMA_FUZZ_INPUTS of them. Of all changes, every STEP-th is tried. FIRMA_FUZZ_SEED goes before
 *     SEED.
 *
 * A kept input of tests/fuzz/corpus/archive is a line for each change: file, new size (-1: as before),
 * first changed byte, new bytes in hexadecimal digits.
 */
#include "archive_recording.h"

#include "base/files.h"
#include "fuzz/inputs.h"
#include "fuzz/mutation.h"
#include "trace/archive.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HANG_CPU_SECONDS = 10, MOST_FILES = 32, MOST_BYTES = 1 << 16, CUT_STEP = 7, BATCH = 500 };

typedef struct File {
    char path[600];
    unsigned char *bytes;
    size_t size;
} File;

typedef struct Mutation {
    size_t file;
    size_t cut; /* new size of the file */
    size_t at;  /* first byte to change */
    unsigned char bytes[16];
    size_t n;
} Mutation;

static File files[MOST_FILES];
static size_t n_files;
static uint64_t random_state;
static size_t step, n_changes; /* changes so far, tried or not */

static uint64_t next_random(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> 33;
}

static void load_file(const char *directory, const char *name)
{
    File *file = &files[n_files++];
    snprintf(file->path, sizeof file->path, "%s/%s", directory, name);
    FILE *stream = fopen(file->path, "rb");
    if (!stream || n_files == MOST_FILES)
        abort();
    file->bytes = malloc(MOST_BYTES);
    file->size = fread(file->bytes, 1, MOST_BYTES, stream);
    fclose(stream);
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const File *)a)->path, ((const File *)b)->path);
}

static void load_archive(const char *directory)
{
    char events[512];
    snprintf(events, sizeof events, "%s/traces", directory);
    load_file(directory, "traces.otf2");
    load_file(directory, "traces.def");
    DIR *stream = opendir(events);
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        if (entry->d_name[0] != '.')
            load_file(events, entry->d_name);
    closedir(stream);
    qsort(files, n_files, sizeof *files, compare_files);
}

static void store(const File *file, const Mutation *mutation)
{
    static unsigned char copy[MOST_BYTES];
    size_t size = file->size;
    memcpy(copy, file->bytes, size);
    for (size_t i = 0; mutation && i < mutation->n && mutation->at + i < size; i++)
        copy[mutation->at + i] = mutation->bytes[i];
    if (mutation && mutation->cut < size)
        size = mutation->cut;
    if (!overwrite(file->path, copy, size))
        abort();
}

static bool in_range(const Trace *trace, const Event *event)
{
    bool has_comm = event_is_in_order(event) || event->kind == EVENT_WINDOW_SYNC;
    bool may_lack_peer = event->kind == EVENT_COLLECTIVE || event->kind == EVENT_WINDOW_SYNC;
    bool has_peer = has_comm && !(may_lack_peer && event->peer == NO_ROOT);
    return event->kind <= EVENT_WINDOW_SYNC && event->collective < COLLECTIVE_COUNT &&
           (!has_comm || event->comm < trace->n_comms) && (!has_peer || event->peer < trace->application.n_processes) &&
           event->enter_ns <= event->leave_ns && event->compute_ns >= 0;
}

/* Returns 0 if the archive was read to its end, 1 for an error with a message. Any other result is
 * wrong. */
static int read_archive(const char *directory, size_t *n_events)
{
    *n_events = 0;
    Archive *archive;
    Err err = {0};
    if (!archive_open(directory, &archive, &err))
        return err.kind == ERR_INPUT && err.message[0] ? 1 : 10;
    EventSource *source = archive_source(archive);
    int result = 0;
    for (uint32_t process = 0; result == 0 && process < source->trace->application.n_processes; process++) {
        Event events[64];
        for (size_t count = 1; result == 0 && count > 0;) {
            if (!source->read(source, process, events, 64, &count, &err))
                result = err.kind == ERR_INPUT && err.message[0] ? 1 : 11;
            for (size_t i = 0; result == 0 && i < count; i++)
                if (!in_range(source->trace, &events[i]))
                    result = 12;
            *n_events += count;
        }
    }
    archive_close(archive);
    return result;
}

static Mutation random_mutation(void)
{
    Mutation mutation = {.file = next_random() % n_files, .cut = SIZE_MAX};
    const File *file = &files[mutation.file];
    mutation.at = file->size ? next_random() % file->size : 0;
    uint64_t kind = next_random() % 4;
    mutation.n = kind < 2 ? 1 : 1 + next_random() % sizeof mutation.bytes;
    for (size_t i = 0; i < mutation.n; i++)
        mutation.bytes[i] = (unsigned char)(kind == 2 ? 0xff : next_random());
    if (kind == 0 && file->size)
        mutation.bytes[0] = (unsigned char)(file->bytes[mutation.at] ^ 1u << next_random() % 8);
    return mutation;
}

static void describe(const Mutation *mutation, const char *what)
{
    fprintf(stderr, "%s: %s cut to %zd, %zu bytes at %zu:", what, files[mutation->file].path, (ssize_t)mutation->cut,
            mutation->n, mutation->at);
    for (size_t i = 0; i < mutation->n; i++)
        fprintf(stderr, " %02x", mutation->bytes[i]);
    fputc('\n', stderr);
}

/* Memory that the children share with the parent. */
typedef struct Shared {
    size_t next; /* current mutation */
    size_t counts[2], n_wrong;
    size_t n_events; /* of the undamaged archive */
} Shared;

static Shared *shared;

static void try_one(const char *directory, const Mutation *mutation)
{
    char what[64];
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = HANG_CPU_SECONDS}, NULL);
    store(&files[mutation->file], mutation);
    size_t n_events;
    int result = read_archive(directory, &n_events);
    if (result == 0 && mutation->n == 0 && n_events != shared->n_events)
        result = 13; /* the cut was not reported */
    if (result < 2) {
        shared->counts[result]++;
    } else {
        snprintf(what, sizeof what, "wrong result %d", result);
        describe(mutation, what);
        shared->n_wrong++;
    }
    store(&files[mutation->file], NULL);
}

/* Keeps every step-th of the changes, over all calls. Returns how many it keeps. */
static size_t keep_some(Mutation *mutations, size_t n)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++)
        if (n_changes++ % step == 0)
            mutations[n_kept++] = mutations[i];
    return n_kept;
}

/* Tries mutations in children. A crash or hang counts as one finding, and the next child goes on
 * behind that mutation. */
static void try_all(const char *directory, Mutation *mutations, size_t n)
{
    n = keep_some(mutations, n);
    for (shared->next = 0; shared->next < n;) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            for (; shared->next < n; shared->next++)
                try_one(directory, &mutations[shared->next]);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            continue;
        char what[64];
        snprintf(what, sizeof what, WIFEXITED(status) ? "exit status %d" : "signal %d",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        describe(&mutations[shared->next], what);
        store(&files[mutations[shared->next++].file], NULL);
        shared->n_wrong++;
    }
}

static void cut_files(const char *directory)
{
    for (size_t i = 0; i < n_files; i++) {
        Mutation cuts[MOST_BYTES / CUT_STEP + 1];
        size_t n = 0;
        for (size_t cut = 0; cut < files[i].size; cut += CUT_STEP)
            cuts[n++] = (Mutation){.file = i, .cut = cut};
        try_all(directory, cuts, n);
    }
}

/* Changes the bytes that break most: OTF2 trusts the counts and texts of the anchor file. */
static void change_anchor(const char *directory)
{
    static const unsigned char values[] = {0x00, 0x01, 0x02, 0x20, 0x3a, 0x7f, 0x80, 0xff};
    enum { N_VALUES = sizeof values };
    size_t anchor = 0;
    while (!files_has_suffix(files[anchor].path, ".otf2"))
        anchor++;
    for (size_t at = 0; at < files[anchor].size; at++) {
        Mutation mutations[N_VALUES + N_VALUES * N_VALUES];
        size_t n = 0;
        for (size_t i = 0; i < N_VALUES; i++) {
            mutations[n++] = (Mutation){.file = anchor, .cut = SIZE_MAX, .at = at, .bytes = {values[i]}, .n = 1};
            for (size_t k = 0; k < N_VALUES; k++)
                mutations[n++] =
                    (Mutation){.file = anchor, .cut = SIZE_MAX, .at = at, .bytes = {values[i], values[k]}, .n = 2};
        }
        try_all(directory, mutations, n);
    }
}

static size_t file_of(const char *name)
{
    for (size_t i = 0; i < n_files; i++)
        if (strcmp(files_base_name(files[i].path), name) == 0)
            return i;
    fprintf(stderr, "archive_fuzz: a kept input names %s, which the archive lacks\n", name);
    exit(2);
}

static void try_kept(const char *directory)
{
    FuzzCorpus kept = fuzz_load_corpus("archive");
    for (size_t i = 0; i < kept.n; i++) {
        char *rest = NULL;
        for (char *line = strtok_r(kept.texts[i].bytes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
            char name[64];
            long cut;
            Mutation mutation = {0};
            int end = 0;
            unsigned byte;
            if (sscanf(line, "%63s %ld %zu%n", name, &cut, &mutation.at, &end) != 3)
                abort();
            mutation.file = file_of(name);
            mutation.cut = cut < 0 ? SIZE_MAX : (size_t)cut;
            for (const char *text = line + end;
                 mutation.n < sizeof mutation.bytes && sscanf(text, "%x%n", &byte, &end) == 1; text += end)
                mutation.bytes[mutation.n++] = (unsigned char)byte;
            n_changes = 0; /* none is left out */
            try_all(directory, &mutation, 1);
        }
    }
    n_changes = 0;
    fuzz_free_corpus(&kept);
}

static void change_files(const char *directory, unsigned long batches)
{
    Mutation mutations[BATCH];
    for (unsigned long batch = 0; batch < batches; batch++) {
        for (size_t i = 0; i < BATCH; i++)
            mutations[i] = random_mutation();
        try_all(directory, mutations, BATCH);
    }
}

int main(int argc, char **argv)
{
    unsigned long batches = fuzz_inputs(BATCH * (argc > 1 ? strtoul(argv[1], NULL, 10) : 4)) / BATCH;
    const char *seed = getenv("FIRMA_FUZZ_SEED");
    random_state = strtoull(seed && *seed ? seed : argc > 2 ? argv[2] : "1", NULL, 10);
    step = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    if (step == 0)
        return 2;
    char *recording = make_directory(), *parent = make_directory(), directory[256];
    snprintf(directory, sizeof directory, "%s/trace", parent);
    Arena *arena = arena_new();
    ArchiveSummary summary;
    Err err;
    write_varied_recording(recording);
    if (!archive_write(recording, directory, NULL, arena, &summary, &err)) {
        fprintf(stderr, "archive_fuzz: %s\n", err.message);
        return 1;
    }
    load_archive(directory);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    if (read_archive(directory, &shared->n_events) != 0)
        return 1;
    try_kept(directory);
    cut_files(directory);
    change_anchor(directory);
    change_files(directory, batches);
    printf("%zu read, %zu refused, %zu wrong\n", shared->counts[0], shared->counts[1], shared->n_wrong);
    bool wrong = shared->n_wrong != 0;
    for (size_t i = 0; i < n_files; i++)
        free(files[i].bytes);
    arena_free(arena);
    remove_directory(recording);
    remove_directory(parent);
    return wrong;
}
