/* SPDX-License-Identifier: BSD-3-Clause */
/* See libraries.h. firma asks the loader that runs firma itself, not the loader that the program
 * names. So no code that comes with the program runs. */
#include "trace/binary/libraries.h"

#include "base/process.h"
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#define LOADER_TIMEOUT_MS 10000

/* The path of the loader that started this process, from its program headers. NULL: firma is
 * static. */
static const char *own_loader(void)
{
    const ElfW(Phdr) *headers = (const void *)getauxval(AT_PHDR), *own = NULL;
    size_t count = getauxval(AT_PHNUM);
    for (size_t i = 0; headers && i < count; i++) {
        if (headers[i].p_type == PT_PHDR)
            own = &headers[i];
    }
    for (size_t i = 0; own && i < count; i++) {
        if (headers[i].p_type == PT_INTERP)
            return (const char *)headers - own->p_vaddr + headers[i].p_vaddr;
    }
    return NULL;
}

/* Reads a line of the loader: "\tlibm.so.6 => /lib/libm.so.6 (0x…)", "\tlibx.so => not found", or
 * "\t/lib64/ld-linux.so.2 (0x…)". */
static void take_line(const char *line, Arena *arena, Names *found, Names *missing)
{
    const char *arrow = strstr(line, " => ");
    line += strspn(line, " \t");
    if (!arrow)
        return; /* the loader itself, or the kernel's page (vdso) */
    const char *path = arrow + 4;
    if (strncmp(path, "not found", 9) == 0) {
        *vec_push(missing) = arena_strndup(arena, line, (size_t)(arrow - line));
        return;
    }
    const char *address = strstr(path, " (0x");
    *vec_push(found) = arena_strndup(arena, path, address ? (size_t)(address - path) : strlen(path));
}

bool libraries_list(const char *program, Arena *arena, Names *found, Names *missing)
{
    const char *loader = own_loader();
    /* Without a slash, the loader would look for a library with this name. */
    const char *path = strchr(program, '/') ? program : arena_printf(arena, "./%s", program);
    /* With this variable, the loader goes on after a missing library. With --list, it would not. */
    const char *const ask[] = {"env", "LD_TRACE_LOADED_OBJECTS=1", loader, path, NULL};
    char *list;
    int status;
    if (!loader || !process_capture(&(ProcessOptions){.words = ask}, LOADER_TIMEOUT_MS, arena, &list, &status) ||
        status != 0)
        return false;
    for (char *line = list; *line;) {
        size_t length = strcspn(line, "\n");
        take_line(arena_strndup(arena, line, length), arena, found, missing);
        line += length + (line[length] == '\n');
    }
    return true;
}
