/* SPDX-License-Identifier: BSD-3-Clause */
/* See text_file.h. */
#include "formats/text_file.h"

#include "base/files.h"
#include "base/leftovers.h"
#include "base/owner.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const char *name, int cause, Err *err)
{
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", name, strerror(cause ? cause : EIO));
}

/* The mode of a file that is replaced, or what the user's umask allows. */
static mode_t mode_of(const char *path)
{
    struct stat former;
    return stat(path, &former) == 0 ? former.st_mode & 07777 : 0666 & ~files_user_umask();
}

bool text_file_open(TextFile *text, const char *path, const char *name, Arena *arena, Err *err)
{
    char target[PATH_MAX];
    *text = (TextFile){.name = name, .target = path};
    if (!files_is_device(path)) {
        if (!files_resolve(path, target))
            return fail(name, errno, err);
        text->target = arena_strdup(arena, target);
        text->part = arena_printf(arena, "%s.%s" OWNER_PART, target, owner_name(arena));
    }
    if (text->part)
        leftovers_note(text->part);
    text->file = fopen(text->part ? text->part : path, "w");
    if (!text->file)
        return fail(name, errno, err);
    if (text->part)
        fchmod(fileno(text->file), mode_of(path));
    return true;
}

bool text_file_close(TextFile *text, bool ok, Err *err)
{
    errno = 0;
    const bool is_written = fflush(text->file) == 0 && !ferror(text->file);
    int cause = errno;
    const bool is_closed = fclose(text->file) == 0;
    cause = is_written ? errno : cause;
    if (ok && !(is_written && is_closed))
        ok = fail(text->name, cause, err);
    if (ok && text->part && rename(text->part, text->target) != 0)
        ok = fail(text->name, errno, err);
    if (!ok && text->part)
        unlink(text->part);
    return ok;
}
