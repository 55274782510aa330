/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether states can be restored here. The executable and all other mapped files must be the
 * same as when the states were saved. Memory pages must have the same size. The processor must have
 * all features of the processor on which the states were saved. firma checks this beforehand,
 * because back ends would stop in the middle and tell less. */
#include "signature/states/manifest.h"

#include "base/files.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

bool processor_features(Arena *arena, const char **features, Err *err)
{
    FILE *stream = fopen("/proc/cpuinfo", "r");
    char *line = NULL;
    size_t capacity = 0;
    *features = "";
    if (!stream)
        return err_set(err, ERR_ENVIRONMENT, "/proc/cpuinfo: %s", strerror(errno));
    while (getline(&line, &capacity, stream) > 0) {
        bool found = strncmp(line, "flags", 5) == 0 || strncmp(line, "Features", 8) == 0;
        char *colon = found ? strchr(line, ':') : NULL;
        if (!colon)
            continue;
        colon[strcspn(colon, "\n")] = '\0';
        *features = arena_strdup(arena, colon + 1 + strspn(colon + 1, " \t"));
        break;
    }
    free(line);
    fclose(stream);
    return true;
}

const char *kernel_name(Arena *arena)
{
    struct utsname name;
    return uname(&name) == 0 ? arena_printf(arena, "%s %s", name.sysname, name.release) : "";
}

static bool has_word(const char *words, const char *word, size_t length)
{
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool check_processor(const States *states, Arena *arena, Err *err)
{
    const char *here;
    if (!processor_features(arena, &here, err))
        return false;
    for (const char *word = states->processor; *word;) {
        size_t length = strcspn(word, " ");
        const char *feature = arena_strndup(arena, word, length);
        if (length && !has_word(here, feature, length))
            return err_set(err, ERR_INPUT,
                           "%s: was saved on a processor with the feature %s, which this processor lacks",
                           states->directory, feature) ||
                   err_hint(
                       err,
                       "save the states on a processor like this one, or measure without states: firma measure app.firma");
        word += length + (word[length] == ' ');
    }
    return true;
}

bool environment_check(const States *states, Arena *arena, Err *err)
{
    if (!files_exist(states->application.executable))
        return err_set(err, ERR_INPUT, "%s: the saved program doesn't exist here: %s", states->directory,
                       states->application.executable);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if ((uint64_t)page_bytes != states->page_bytes)
        return err_set(err, ERR_INPUT, "%s: was saved with memory pages of %lu bytes, and pages here have %ld bytes",
                       states->directory, (unsigned long)states->page_bytes, page_bytes);
    if (!check_processor(states, arena, err))
        return false;
    for (uint32_t i = 0; i < states->n_states; i++)
        if (!checkpoint_check_files(state_path(states->directory, states->states[i].number, arena), arena, err))
            return false;
    return true;
}
