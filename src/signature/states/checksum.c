/* SPDX-License-Identifier: BSD-3-Clause */
/* The checksum of a directory tree. It covers each file's path below the root, size and contents,
 * in order of names. */
#include "signature/states/manifest.h"

#include "base/arena.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { BLOCK_BYTES = 1 << 20 };

typedef struct Summing {
    XXH3_state_t *hash;
    unsigned char *block;
    uint64_t bytes;
    Arena *arena;
} Summing;

static bool cannot_read(const char *path, Err *err)
{
    return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
}

static bool add_file(Summing *summing, const char *path, Err *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return cannot_read(path, err);
    ssize_t n;
    uint64_t size_bytes = 0;
    while ((n = read(file, summing->block, BLOCK_BYTES)) > 0) {
        XXH3_128bits_update(summing->hash, summing->block, (size_t)n);
        size_bytes += (uint64_t)n;
    }
    int error = errno;
    close(file);
    errno = error;
    XXH3_128bits_update(summing->hash, &size_bytes, sizeof size_bytes);
    summing->bytes += size_bytes;
    return n == 0 || cannot_read(path, err);
}

static bool add_directory(Summing *summing, const char *path, size_t root_length, Err *err)
{
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    bool ok = n >= 0 || cannot_read(path, err);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        struct stat status;
        if (ok && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            const char *inner = arena_printf(summing->arena, "%s/%s", path, name);
            XXH3_128bits_update(summing->hash, inner + root_length, strlen(inner + root_length) + 1);
            if (lstat(inner, &status) < 0)
                ok = cannot_read(inner, err);
            else if (S_ISDIR(status.st_mode))
                ok = add_directory(summing, inner, root_length, err);
            else if (S_ISREG(status.st_mode))
                ok = add_file(summing, inner, err);
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return ok;
}

bool state_checksum(const char *path, Arena *arena, const char **checksum, uint64_t *bytes, Err *err)
{
    Summing summing = {.hash = XXH3_createState(), .block = memory_resize(NULL, BLOCK_BYTES), .arena = arena_new()};
    XXH3_128bits_reset(summing.hash);
    bool ok = add_directory(&summing, path, strlen(path), err);
    if (ok) {
        XXH128_hash_t sum = XXH3_128bits_digest(summing.hash);
        *checksum = arena_printf(arena, "%016lx%016lx", (unsigned long)sum.high64, (unsigned long)sum.low64);
        *bytes = summing.bytes;
    }
    XXH3_freeState(summing.hash);
    free(summing.block);
    arena_free(summing.arena);
    return ok;
}
