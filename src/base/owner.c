/* SPDX-License-Identifier: BSD-3-Clause */
/* See owner.h. */
#include "base/owner.h"

#include "base/caretaker.h"
#include "base/files.h"
#include "base/leftovers.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBER_OF_STATE = 3, NUMBER_OF_THREADS = 20, NUMBER_OF_START = 22 }; /* fields, as in proc(5) */

/* A zombie has ended, and its parent hasn't asked for its status yet. A process whose first thread
 * has ended looks like a zombie, too, but has other threads. */
static bool is_zombie(char state, uint64_t n_threads)
{
    return state == 'X' || (state == 'Z' && n_threads <= 1);
}

/* False: no such process, or a zombie. *ticks becomes 0 if the time can't be read. */
static bool read_start(int32_t pid, uint64_t *ticks)
{
    char path[64], line[1024];
    *ticks = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return kill(pid, 0) == 0 || errno == EPERM;
    size_t size = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[size] = '\0';
    const char *field = strrchr(line, ')'); /* the name before may hold blanks and parentheses */
    char state = '\0';
    uint64_t n_threads = 0;
    for (int number = NUMBER_OF_STATE; field && number <= NUMBER_OF_START; number++) {
        field = strchr(field + 1, ' ');
        if (field && number == NUMBER_OF_STATE)
            state = field[1];
        if (field && number == NUMBER_OF_THREADS)
            n_threads = strtoull(field, NULL, 10);
    }
    if (field)
        *ticks = strtoull(field, NULL, 10);
    return size > 0 && !is_zombie(state, n_threads);
}

uint64_t owner_host(const char *host_name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *host_name; host_name++)
        hash = (hash ^ (unsigned char)*host_name) * 16777619u;
    return hash;
}

Owner owner_self(void)
{
    char host[256] = "";
    struct stat space;
    Owner self = {.pid = getpid()};
    gethostname(host, sizeof host - 1);
    self.host = owner_host(host);
    if (stat("/proc/self/ns/pid", &space) == 0)
        self.pid_namespace = space.st_ino;
    read_start(self.pid, &self.start_ticks);
    return self;
}

bool owner_has_ended(int32_t pid, uint64_t start_ticks)
{
    uint64_t ticks;
    return !read_start(pid, &ticks) || (start_ticks && ticks && ticks != start_ticks);
}

OwnerState owner_state(const Owner *owner)
{
    const Owner self = owner_self();
    if (owner->pid <= 0)
        return OWNER_GONE;
    if (owner->host != self.host || owner->pid_namespace != self.pid_namespace)
        return OWNER_UNKNOWN;
    return owner_has_ended(owner->pid, owner->start_ticks) ? OWNER_GONE : OWNER_RUNS;
}

#define OWNER_FORMAT "%" PRId32 "-%" PRIu64 "-%" PRIx64 "-%" PRIx64
#define OWNER_SCAN "%" SCNd32 "-%" SCNu64 "-%" SCNx64 "-%" SCNx64 "%n"

const char *owner_name(Arena *arena)
{
    const Owner self = owner_self();
    return arena_printf(arena, OWNER_FORMAT, self.pid, self.start_ticks, self.pid_namespace, self.host);
}

/* The part of a name behind PREFIX, or behind the last dot before SUFFIX if PREFIX is NULL. NULL:
 * the name has no such part. */
static const char *find_owner(const char *name, const char *prefix, const char *suffix)
{
    if (!files_has_suffix(name, suffix))
        return NULL;
    if (prefix)
        return strncmp(name, prefix, strlen(prefix)) == 0 ? name + strlen(prefix) : NULL;
    const char *at = name + strlen(name) - strlen(suffix);
    while (at > name && at[-1] != '.')
        at--;
    return at;
}

/* True for the name of a leftover: PREFIX, an owner that is gone, perhaps `-` with more text, and
 * SUFFIX. A part may have parts of its own: NAME.OWNER.part.OWNER.part. PREFIX NULL: any text that
 * ends with a dot. */
static bool is_leftover(const char *name, const char *prefix, const char *suffix)
{
    Owner owner;
    int length = 0;
    const char *at = find_owner(name, prefix, suffix);
    if (!at || sscanf(at, OWNER_SCAN, &owner.pid, &owner.start_ticks, &owner.pid_namespace, &owner.host, &length) < 4)
        return false;
    at += length;
    bool is_part_of_part = strncmp(at, OWNER_PART ".", sizeof OWNER_PART) == 0;
    return (*at == '-' || is_part_of_part || strcmp(at, suffix) == 0) && owner_state(&owner) == OWNER_GONE;
}

/* Calls take() with each leftover in a folder, until it returns false. */
static void for_leftovers(const char *folder, const char *prefix, const char *suffix,
                          bool (*take)(void *self, const char *path), void *self)
{
    DIR *stream = opendir(folder);
    char path[PATH_MAX];
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        if (is_leftover(entry->d_name, prefix, suffix) &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path && !take(self, path))
            break;
    if (stream)
        closedir(stream);
}

static void for_leftovers_beside(const char *path, const char *suffix, bool (*take)(void *self, const char *path),
                                 void *self)
{
    char resolved[PATH_MAX], prefix[NAME_MAX + 2];
    if (!files_resolve(path, resolved))
        return;
    char *slash = strrchr(resolved, '/');
    if (!slash || snprintf(prefix, sizeof prefix, "%s.", slash + 1) >= (int)sizeof prefix)
        return;
    *slash = '\0';
    for_leftovers(*resolved ? resolved : "/", prefix, suffix, take, self);
}

static bool remove_leftover(void *self, const char *path)
{
    (void)self;
    files_remove_tree(path);
    return true;
}

bool owner_is_part_of(const char *name, const char *whole)
{
    size_t length = strlen(whole);
    return strncmp(name, whole, length) == 0 && name[length] == '.' && files_has_suffix(name, OWNER_PART);
}

void owner_remove_parts(const char *path)
{
    for_leftovers_beside(path, OWNER_PART, remove_leftover, NULL);
}

void owner_remove_parts_in(const char *directory)
{
    for_leftovers(directory, NULL, OWNER_PART, remove_leftover, NULL);
}

bool owner_remove_tree(const char *path, const char *part_of)
{
    Arena *scratch = arena_new();
    char resolved[PATH_MAX], beside[PATH_MAX];
    const char *doomed = path;
    if (realpath(path, resolved) && files_resolve(part_of, beside)) {
        const char *part = arena_printf(scratch, "%s.%s" OWNER_PART, beside, owner_name(scratch));
        doomed = rename(resolved, part) == 0 ? part : path;
    }
    bool removed = files_remove_tree(doomed);
    int failure = errno;
    arena_free(scratch);
    errno = failure;
    return removed;
}

static bool keep_path(void *self, const char *path)
{
    snprintf(self, PATH_MAX, "%s", path);
    return false;
}

bool owner_find_former(const char *path, char former[PATH_MAX])
{
    *former = '\0';
    for_leftovers_beside(path, OWNER_FORMER, keep_path, former);
    return *former;
}

typedef struct Ending {
    void (*end)(const char *directory);
} Ending;

static bool end_temporary(void *self, const char *path)
{
    const Ending *ending = self;
    if (ending->end)
        ending->end(path);
    files_remove_tree(path);
    return true;
}

char *owner_make_temporary(const char *folder, const char *prefix, void (*end)(const char *directory), Arena *arena)
{
    Ending ending = {end};
    const char *temporary = getenv("TMPDIR");
    if (!folder)
        folder = temporary && *temporary ? temporary : "/tmp";
    for_leftovers(folder, arena_printf(arena, "%s-", prefix), "", end_temporary, &ending);
    char *name = arena_printf(arena, "%s/%s-%s-XXXXXX", folder, prefix, owner_name(arena));
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* an interrupt comes before or after both */
    bool made = mkdtemp(name) != NULL;
    if (made && !end)
        leftovers_note(name);
    if (made)
        caretaker_note(CARETAKER_FILES, name);
    int problem = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return made ? name : NULL;
}
