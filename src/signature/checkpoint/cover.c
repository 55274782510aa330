/* SPDX-License-Identifier: BSD-3-Clause */
/* Covers file systems with overlays (cover.h). Covering / itself would need another root for every
 * process. So each directory in / is covered instead. An overlay doesn't show file systems that
 * were mounted below it. So all mounts are covered, too, parents first. */
#include "signature/checkpoint/cover.h"

#include "signature/checkpoint/copies.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Place {
    const char *path, *lower;
    bool is_directory;
    bool is_kept; /* stays as it is: it can't be written, or belongs to the kernel */
} Place;

typedef VEC(Place) Places;

const char *cover_hold(const char *path, bool *is_directory, Arena *arena)
{
    struct stat status;
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0)
        return NULL;
    *is_directory = S_ISDIR(status.st_mode);
    return arena_printf(arena, "/proc/1/fd/%d", file);
}

bool cover_place(Covers *covers, const char *place, const char *lower, Arena *arena)
{
    struct stat status;
    size_t number = covers->n_made++;
    const char *upper = arena_printf(arena, "%s/upper%zu", covers->store, number);
    const char *work = arena_printf(arena, "%s/work%zu", covers->store, number);
    if (stat(lower, &status) != 0 || mkdir(upper, 0700) != 0 || mkdir(work, 0700) != 0 ||
        (chown(upper, status.st_uid, status.st_gid) != 0 && errno != EINVAL && errno != EPERM) ||
        chmod(upper, status.st_mode & 07777) != 0)
        return false; /* in a user namespace, firma can't give a directory to another user */
    const char *how = arena_printf(arena, "lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work);
    if (mount("overlay", place, "overlay", 0, how) != 0)
        return false;
    *vec_push(&covers->places) = place;
    return true;
}

/* ---- Finding mounts and directories ---- */

static bool is_left_alone(const char *path)
{
    static const char *const alone[] = {"/proc", "/sys", "/dev", "/usr", "/boot"};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        if (copies_is_below(path, alone[i]))
            return true;
    }
    return strcmp(path, "/") == 0;
}

static void add_place(Places *places, const char *path, bool is_kept, Arena *arena)
{
    if (is_left_alone(path))
        return;
    for (size_t i = 0; i < places->count; i++) {
        if (strcmp(places->items[i].path, path) == 0)
            return;
    }
    Place place = {.path = arena_strdup(arena, path), .is_kept = is_kept};
    place.lower = cover_hold(path, &place.is_directory, arena);
    if (place.lower && (!place.is_directory || access(path, X_OK) == 0))
        *vec_push(places) = place;
}

/* True if the directory belongs to this user. In a user namespace, files of all users that it doesn't
 * have seem to belong to user 65534, who may be this user. Only the owner may open a file without
 * changing its access time. */
static bool is_own(const char *path, const struct stat *status)
{
    if (status->st_uid != geteuid())
        return false;
    int file = open(path, O_RDONLY | O_DIRECTORY | O_NOATIME | O_CLOEXEC);
    bool is_refused = file < 0 && errno == EPERM;
    if (file >= 0)
        close(file);
    return !is_refused;
}

void cover_want(Covers *covers, const char *path, Arena *arena)
{
    struct stat status;
    for (const char *slash = *path == '/' ? strchr(path + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
        const char *above = arena_strndup(arena, path, (size_t)(slash - path));
        if (lstat(above, &status) != 0 || !S_ISDIR(status.st_mode))
            return;
        if (is_own(above, &status)) {
            *vec_push(&covers->wanted) = above;
            return;
        }
    }
}

/* Adds shared directories for temporary files, which belong to another user, and the wanted
 * ones. */
static void add_wanted(Places *places, const Covers *covers, Arena *arena)
{
    static const char *const shared[] = {"/tmp", "/var/tmp"};
    struct stat status;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        if (lstat(shared[i], &status) == 0 && S_ISDIR(status.st_mode))
            add_place(places, shared[i], false, arena);
    }
    for (size_t i = 0; i < covers->wanted.count; i++)
        add_place(places, covers->wanted.items[i], false, arena);
}

static void add_directories_of_root(Places *places, Arena *arena)
{
    DIR *root = opendir("/");
    for (struct dirent *entry; root && (entry = readdir(root));) {
        struct stat status;
        const char *path = arena_printf(arena, "/%s", entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && lstat(path, &status) == 0 &&
            S_ISDIR(status.st_mode))
            add_place(places, path, false, arena);
    }
    if (root)
        closedir(root);
}

/* mountinfo writes a blank as "\040". */
static void unescape(char *path)
{
    char *to = path;
    for (const char *from = path; *from; to++) {
        unsigned code;
        bool is_escape = *from == '\\' && sscanf(from + 1, "%3o", &code) == 1;
        *to = is_escape ? (char)code : *from;
        from += is_escape ? 4 : 1;
    }
    *to = '\0';
}

static bool is_made_up(const char *type)
{
    static const char *const types[] = {"proc",    "sysfs",      "devtmpfs",  "devpts",   "cgroup",
                                        "cgroup2", "mqueue",     "debugfs",   "nsfs",     "securityfs",
                                        "tracefs", "bpf",        "pstore",    "efivarfs", "configfs",
                                        "autofs",  "rpc_pipefs", "hugetlbfs", "fusectl"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(type, types[i]) == 0)
            return true;
    }
    return false;
}

/* Reads lines such as "28 27 0:25 / /mnt ro,nosuid shared:1 - ext4 /dev/vda rw". */
static void add_mounts(Places *places, Arena *arena)
{
    char *line = NULL, path[4096], options[256], type[64];
    size_t capacity = 0;
    FILE *mounts = fopen("/proc/self/mountinfo", "r");
    while (mounts && getline(&line, &capacity, mounts) > 0) {
        const char *rest = strstr(line, " - ");
        if (!rest || sscanf(line, "%*s %*s %*s %*s %4095s %255s", path, options) != 2 ||
            sscanf(rest, " - %63s", type) != 1)
            continue;
        unescape(path);
        bool is_read_only = strncmp(options, "ro", 2) == 0 && (options[2] == ',' || !options[2]);
        add_place(places, path, is_read_only || is_made_up(type), arena);
    }
    if (mounts)
        fclose(mounts);
    free(line);
}

static int compare_places(const void *a, const void *b)
{
    return strcmp(((const Place *)a)->path, ((const Place *)b)->path);
}

/* ---- Covering ---- */

static bool is_mounted_below(const Covers *covers, const char *path)
{
    for (size_t i = 0; i < covers->places.count; i++) {
        if (strcmp(path, covers->places.items[i]) != 0 && copies_is_below(path, covers->places.items[i]))
            return true;
    }
    return false;
}

static bool show_again(const Place *place)
{
    return mount(place->lower, place->path, NULL, MS_BIND | MS_REC, NULL) == 0;
}

static bool protect(const Place *place)
{
    struct mount_attr how = {.attr_set = MOUNT_ATTR_RDONLY};
    return show_again(place) && mount_setattr(AT_FDCWD, place->path, AT_RECURSIVE, &how, sizeof how) == 0;
}

bool cover_all(Covers *covers, Arena *arena, Err *err)
{
    Places places = {0};
    bool ok = true;
    add_mounts(&places, arena);
    add_directories_of_root(&places, arena);
    add_wanted(&places, covers, arena);
    if (places.count)
        qsort(places.items, places.count, sizeof *places.items, compare_places);
    for (size_t i = 0; ok && i < places.count; i++) {
        const Place *place = &places.items[i];
        if (place->is_kept) {
            if (is_mounted_below(covers, place->path))
                show_again(place); /* if this fails, a job that needs the place will report it */
            continue;
        }
        ok = (place->is_directory && cover_place(covers, place->path, place->lower, arena)) || protect(place) ||
             err_set(err, ERR_ENVIRONMENT, "%s: cannot be protected from a restored job: %s", place->path,
                     strerror(errno));
    }
    vec_free(&places);
    return ok;
}
