/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects the MPI that a launcher's command line uses. The dynamic loader lists the libraries of
 * the program. For scripts and static programs, the launcher's --version tells its MPI. */
#include "base/files.h"
#include "base/process.h"
#include "trace/launch.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#define ASKING_TIMEOUT_MS 10000
#define INTERPRETER_LIMIT 4096

const char *mpi_flavour_name(MpiFlavour flavour)
{
    return flavour == MPI_FLAVOUR_OPENMPI ? "Open MPI"
           : flavour == MPI_FLAVOUR_MPICH ? "MPICH"
           : flavour == MPI_FLAVOUR_SMPI  ? "SMPI"
                                          : "unknown MPI";
}

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
    bool open_pal = strstr(list, "libopen-pal.so") != NULL;
    for (const char *line = list; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        const char *name = files_base_name(listed_library(line, arena));
        if (strncmp(name, "libmpich.so", 11) == 0) {
            *library = name;
            return MPI_FLAVOUR_MPICH;
        }
        const char *version = strstr(name, ".so.");
        if (strncmp(name, "libmpi", 6) != 0 || !version || (name[6] != '.' && name[6] != '_'))
            continue;
        bool is_abi_12 = strcmp(version, ".so.12") == 0;
        if (name[6] == '_' && !is_abi_12)
            continue; /* libraries such as Open MPI's libmpi_mpifh; the list has libmpi itself, too */
        *library = name;
        return is_abi_12 && !open_pal ? MPI_FLAVOUR_MPICH : MPI_FLAVOUR_OPENMPI;
    }
    return MPI_FLAVOUR_NONE;
}

static MpiFlavour flavour_of_executable(const char *path, Arena *arena, const char **library)
{
    char interpreter[INTERPRETER_LIMIT];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_dynamic = file >= 0 && read_interpreter(file, interpreter);
    if (file >= 0)
        close(file);
    if (!is_dynamic)
        return MPI_FLAVOUR_NONE;
    /* ldd does the same; no code of the program runs */
    const char *const ask[] = {interpreter, "--list", path, NULL};
    char *list;
    int status;
    if (!process_capture(&(ProcessOptions){.words = ask}, ASKING_TIMEOUT_MS, arena, &list, &status))
        return MPI_FLAVOUR_NONE;
    return flavour_of_list(list, arena, library);
}

static bool is_launcher(const char *word)
{
    static const char *const starts[] = {"mpirun", "mpiexec", "orterun", "prterun", "prun"};
    const char *name = files_base_name(word);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

static MpiFlavour flavour_of_launcher(const char *word, Arena *arena)
{
    const char *const ask[] = {word, "--version", NULL};
    char *text;
    int status;
    if (strcmp(files_base_name(word), "smpirun") == 0)
        return MPI_FLAVOUR_SMPI;
    if (!is_launcher(word) || !launch_find_executable(word, arena) ||
        !process_capture(&(ProcessOptions){.words = ask}, ASKING_TIMEOUT_MS, arena, &text, &status))
        return MPI_FLAVOUR_NONE;
    if (strstr(text, "Open MPI") || strstr(text, "OpenRTE") || strstr(text, "PRRTE"))
        return MPI_FLAVOUR_OPENMPI;
    if (strstr(text, "HYDRA") || strcasestr(text, "mpich") || strstr(text, "Intel(R) MPI"))
        return MPI_FLAVOUR_MPICH;
    return MPI_FLAVOUR_NONE;
}

/* The index of the first word whose executable is linked with MPI. */
static int linked_program(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **library)
{
    for (int i = 0; argv[i]; i++) {
        const char *path = launch_find_executable(argv[i], arena);
        *flavour = path ? flavour_of_executable(path, arena, library) : MPI_FLAVOUR_NONE;
        if (*flavour != MPI_FLAVOUR_NONE)
            return i;
    }
    return -1;
}

static MpiFlavour asked_launcher(char *const argv[], Arena *arena, const char **launcher)
{
    for (int i = 0; argv[i]; i++) {
        MpiFlavour flavour = flavour_of_launcher(argv[i], arena);
        if (flavour != MPI_FLAVOUR_NONE) {
            *launcher = argv[i];
            return flavour;
        }
    }
    return MPI_FLAVOUR_NONE;
}

bool launch_find_flavour(char *const argv[], Arena *arena, MpiFlavour *flavour, const char **reason, Err *err)
{
    MpiFlavour by_program, by_launcher;
    const char *library = "", *launcher = "";
    int program = linked_program(argv, arena, &by_program, &library);
    by_launcher = asked_launcher(argv, arena, &launcher);
    if (program >= 0 && by_launcher != MPI_FLAVOUR_NONE && by_launcher != by_program) {
        err_set(err, ERR_ENVIRONMENT,
                "%s is linked with %s (%s), but %s belongs to %s: each process would believe that it runs alone",
                argv[program], library, mpi_flavour_name(by_program), launcher, mpi_flavour_name(by_launcher));
        return err_hint(err, "start it with %s; if you mean it so, give --mpi openmpi or --mpi mpich",
                        by_program == MPI_FLAVOUR_MPICH ? "MPICH's mpirun (Debian: mpirun.mpich)"
                                                        : "Open MPI's mpirun (Debian: mpirun.openmpi)");
    }
    if (program >= 0) {
        *flavour = by_program;
        *reason = arena_printf(arena, "%s is linked with %s", argv[program], library);
        return true;
    }
    if (by_launcher != MPI_FLAVOUR_NONE) {
        *flavour = by_launcher;
        *reason = by_launcher == MPI_FLAVOUR_SMPI
                      ? arena_printf(arena, "%s is the launcher of SimGrid's SMPI", launcher)
                      : arena_printf(arena, "%s --version says %s", launcher, mpi_flavour_name(by_launcher));
        return true;
    }
    err_set(err, ERR_ENVIRONMENT,
            "%s …: cannot tell which MPI this command uses: no word is an executable linked with an MPI "
            "library that firma knows, and no word is a launcher whose --version names its MPI",
            argv[0]);
    return err_hint(err, "give --mpi openmpi, mpich or smpi; check the program's name");
}

int launch_find_launcher(char *const argv[], Arena *arena)
{
    for (int i = 0; argv[i]; i++)
        if ((is_launcher(argv[i]) || strcmp(files_base_name(argv[i]), "srun") == 0) &&
            launch_find_executable(argv[i], arena))
            return i;
    return -1;
}

int launch_find_program(char *const argv[], Arena *arena)
{
    MpiFlavour flavour;
    const char *library;
    int program = linked_program(argv, arena, &flavour, &library);
    for (int i = 1; program < 0 && argv[0] && argv[i]; i++) {
        if (launch_find_executable(argv[i], arena))
            program = i;
    }
    return program;
}
