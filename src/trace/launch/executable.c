/* SPDX-License-Identifier: BSD-3-Clause */
/* See executable.h. The dynamic loader lists what an executable is linked with. */
#include "trace/launch/executable.h"

#include "base/files.h"
#include "base/process.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ASKING_TIMEOUT_MS 10000
#define INTERPRETER_LIMIT 4096

const char *launch_find_executable(const char *word, Arena *arena)
{
    if (!*word || *word == '-')
        return NULL;
    const char *found = process_find(word, NULL, arena);
    return found || strchr(word, '/') ? found : process_find(word, ".", arena);
}

/* Reads which dynamic loader an ELF executable of this machine's kind names. Returns false for a
 * script, a static program, or another file. */
static bool read_interpreter(int file, char interpreter[INTERPRETER_LIMIT])
{
    ElfW(Ehdr) header;
    if (pread(file, &header, sizeof header, 0) != sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    if (header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        header.e_phentsize != sizeof(ElfW(Phdr)))
        return false;
    for (unsigned int i = 0; i < header.e_phnum; i++) {
        ElfW(Phdr) segment;
        off_t where = (off_t)(header.e_phoff + i * sizeof segment);
        if (pread(file, &segment, sizeof segment, where) != sizeof segment)
            return false;
        if (segment.p_type != PT_INTERP || segment.p_filesz < 2 || segment.p_filesz >= INTERPRETER_LIMIT)
            continue;
        if (pread(file, interpreter, segment.p_filesz, (off_t)segment.p_offset) != (ssize_t)segment.p_filesz)
            return false;
        interpreter[segment.p_filesz] = '\0';
        return true;
    }
    return false;
}

/* The library's name in a line of the loader's list, "\tlibmpi.so.40 => /usr/lib/…". Returns "" for
 * other lines. */
static const char *listed_library(const char *line, Arena *arena)
{
    line += strspn(line, " \t");
    return arena_strndup(arena, line, strcspn(line, " \t\n"));
}

/* libmpi.so.12 is the ABI that MPICH, Intel MPI and MVAPICH share. But Open MPI 1.10 had a library
 * of this name, too; there, the list also has libopen-pal. */
static MpiFlavour flavour_of_list(const char *list, Arena *arena, const char **library)
{
    bool open_pal = strstr(list, "libopen-pal.so") != NULL, has_pvm = false;
    for (const char *line = list; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        const char *name = files_base_name(listed_library(line, arena));
        if (strncmp(name, "libmpich.so", 11) == 0) {
            *library = name;
            return MPI_FLAVOUR_MPICH;
        }
        has_pvm |= strncmp(name, "libpvm3.so", 10) == 0;
        const char *version = strstr(name, ".so.");
        if (strncmp(name, "libmpi", 6) != 0 || !version || (name[6] != '.' && name[6] != '_'))
            continue;
        bool is_abi_12 = strcmp(version, ".so.12") == 0;
        if (name[6] == '_' && !is_abi_12)
            continue; /* libraries such as Open MPI's libmpi_mpifh; the list has libmpi itself, too */
        *library = name;
        return is_abi_12 && !open_pal ? MPI_FLAVOUR_MPICH : MPI_FLAVOUR_OPENMPI;
    }
    *library = has_pvm ? "libpvm3.so" : *library;
    return has_pvm ? MPI_FLAVOUR_PVM : MPI_FLAVOUR_NONE;
}

static bool contains(const char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

/* Looks for the names of the environment variables that the library and firma's recorder read: they
 * are in a stripped executable, too. */
StaticPvm executable_static_pvm(const char *path, Arena *arena)
{
    struct stat info;
    StaticPvm found = STATIC_PVM_NONE;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        const char *variable = arena_printf(arena, "PVM%s", "SOCK"); /* put together, or firma itself would hold it */
        const size_t size = (size_t)info.st_size;
        void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            if (contains(bytes, size, variable))
                found = contains(bytes, size, RECORD_DIRECTORY_VARIABLE) ? STATIC_PVM_WITH_RECORDER : STATIC_PVM_ALONE;
            munmap(bytes, size);
        }
    }
    if (file >= 0)
        close(file);
    return found;
}

bool launch_holds_recorder(const char *path, Arena *arena)
{
    return executable_static_pvm(path, arena) == STATIC_PVM_WITH_RECORDER;
}

static MpiFlavour flavour_of_static(const char *path, Arena *arena, const char **library)
{
    if (!launch_holds_recorder(path, arena))
        return MPI_FLAVOUR_NONE;
    *library = "libpvm3.a and firma-pvm.o";
    return MPI_FLAVOUR_PVM;
}

MpiFlavour executable_flavour(const char *path, Arena *arena, const char **library)
{
    char interpreter[INTERPRETER_LIMIT];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_dynamic = file >= 0 && read_interpreter(file, interpreter);
    if (file >= 0)
        close(file);
    if (!is_dynamic)
        return flavour_of_static(path, arena, library);
    /* ldd does the same; no code of the program runs */
    const char *const ask[] = {interpreter, "--list", path, NULL};
    char *list;
    int status;
    if (!process_capture(&(ProcessOptions){.words = ask}, ASKING_TIMEOUT_MS, arena, &list, &status))
        return MPI_FLAVOUR_NONE;
    const MpiFlavour flavour = flavour_of_list(list, arena, library);
    return flavour == MPI_FLAVOUR_NONE ? flavour_of_static(path, arena, library) : flavour;
}

static bool is_elf(const char *path)
{
    char magic[SELFMAG];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool is = file >= 0 && pread(file, magic, sizeof magic, 0) == sizeof magic && memcmp(magic, ELFMAG, SELFMAG) == 0;
    if (file >= 0)
        close(file);
    return is;
}

Linkage executable_linkage(const char *path, Arena *arena)
{
    char interpreter[INTERPRETER_LIMIT];
    const char *library;
    if (!is_elf(path))
        return LINKAGE_SCRIPT;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_dynamic = file >= 0 && read_interpreter(file, interpreter);
    if (file >= 0)
        close(file);
    if (!is_dynamic)
        return LINKAGE_STATIC;
    return executable_flavour(path, arena, &library) == MPI_FLAVOUR_NONE ? LINKAGE_WITHOUT_MPI : LINKAGE_MPI;
}
