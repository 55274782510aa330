/* SPDX-License-Identifier: BSD-3-Clause */
/* See entries.h. The file has no name: it goes away with the process, however that ends. */
#include "phases/entries.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define NO_PIECE UINT64_MAX
#define PIECE_BYTES (ENTRIES_OF_A_PIECE * sizeof(int64_t))

void entries_init(Entries *entries, size_t memory_bytes)
{
    *entries = (Entries){
        .n_kept_pieces = memory_bytes / PIECE_BYTES, .current_number = NO_PIECE, .window_number = NO_PIECE, .file = -1};
}

void entries_free(Entries *entries)
{
    for (size_t i = 0; i < entries->kept.count; i++)
        free(entries->kept.items[i]);
    vec_free(&entries->kept);
    free(entries->window);
    if (entries->file >= 0)
        close(entries->file);
}

static const char *directory(void)
{
    const char *name = getenv("TMPDIR");
    return name && *name ? name : "/tmp";
}

static bool fail(const char *what, Err *err)
{
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot %s a temporary file: %s", directory(), what, strerror(errno)) ||
           err_hint(err, "it takes 8 bytes for each event; TMPDIR names another folder for it");
}

static bool open_file(Entries *entries, Err *err)
{
    if (entries->file >= 0)
        return true;
    size_t length = strlen(directory()) + sizeof "/firma-XXXXXX";
    char *path = memory_resize(NULL, length);
    snprintf(path, length, "%s/firma-XXXXXX", directory());
    entries->file = mkstemp(path);
    bool opened = entries->file >= 0;
    if (!opened)
        fail("make", err);
    else
        unlink(path);
    free(path);
    return opened;
}

static off_t place_in_file(const Entries *entries, uint64_t piece)
{
    return (off_t)((piece - entries->n_kept_pieces) * PIECE_BYTES);
}

static bool write_window(Entries *entries, Err *err)
{
    if (!entries->window_changed)
        return true;
    const char *bytes = (const char *)entries->window;
    off_t start = place_in_file(entries, entries->window_number);
    for (size_t done = 0; done < PIECE_BYTES;) {
        ssize_t n = pwrite(entries->file, bytes + done, PIECE_BYTES - done, start + (off_t)done);
        if (n < 0 && errno != EINTR)
            return fail("write", err);
        done += n > 0 ? (size_t)n : 0;
    }
    entries->window_changed = false;
    return true;
}

static bool read_window(Entries *entries, uint64_t piece, Err *err)
{
    char *bytes = (char *)entries->window;
    off_t start = place_in_file(entries, piece);
    for (size_t done = 0; done < PIECE_BYTES;) {
        ssize_t n = pread(entries->file, bytes + done, PIECE_BYTES - done, start + (off_t)done);
        if (n < 0 && errno != EINTR)
            return fail("read", err);
        if (n == 0)
            break; /* a piece that is new */
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool entries_go_to(Entries *entries, uint64_t piece, Err *err)
{
    if (piece < entries->n_kept_pieces) {
        while (entries->kept.count <= piece)
            *vec_push(&entries->kept) = memory_resize(NULL, PIECE_BYTES);
        entries->current = entries->kept.items[piece];
    } else {
        if (!entries->window)
            entries->window = memory_zeroed(1, PIECE_BYTES);
        if (entries->window_number != piece) {
            if (!open_file(entries, err) || !write_window(entries, err) || !read_window(entries, piece, err))
                return false;
            entries->window_number = piece;
        }
        entries->current = entries->window;
    }
    entries->current_number = piece;
    return true;
}
