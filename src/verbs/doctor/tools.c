/* SPDX-License-Identifier: BSD-3-Clause */
/* See checklist.h. Programs are asked for their versions; a library's version is the one that firma
 * was built with. */
#include "base/libraries.h"
#include "base/process.h"
#include "config.h"
#include "cost/source/program/program.h"
#include "report/format.h"
#include "verbs/doctor/checklist.h"
#include "verbs/doctor/version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define VERSION_TIMEOUT_MS 10000
#define LITTLE_SPACE_BYTES 1e9

typedef struct Tool {
    Part part;
    const char *name;   /* of the program */
    const char *option; /* makes it print its version */
    const char *package;
    const char *purpose;
    int least_major; /* older versions don't work; 0: any version does */
} Tool;

static const Tool tools[] = {
    {PART_CC, "cc", "--version", "gcc", "compiles tasks in C (firma cost run)", 0},
    {PART_JAVAC, "javac", "-version", "openjdk-17-jdk-headless", "reads and compiles Java sources (firma cost)", 17},
    {PART_JAVA, "java", "-version", "openjdk-17-jre-headless", "runs tasks in Java, and measures operations", 17},
    {PART_SSH, "ssh", "-V", "openssh-client", "starts processes on other hosts", 0},
    {PART_SSHD, "sshd", "-V", "openssh-server", "lets other hosts start processes here", 0},
    {PART_NONE, "llvm-mca", "--version", "llvm", "counts cycles of compiled loops (firma cost predict)", 0},
    {PART_NONE, "otf2-print", "--version", "otf2-tools", "prints traces; firma works without it", 0},
};

/* Daemons are in directories that ordinary users don't have on PATH. */
static const char *find_program(const char *name, Arena *arena)
{
    const char *path = process_find(name, NULL, arena);
    return path ? path : process_find(name, "/usr/sbin:/usr/local/sbin:/sbin", arena);
}

/* The version in the first line that has a digit; "" if there is none. */
static const char *ask_version(const char *path, const char *option, Arena *arena)
{
    const char *const words[] = {path, option, NULL};
    char *text;
    int status;
    if (!process_capture(&(ProcessOptions){.words = words}, VERSION_TIMEOUT_MS, arena, &text, &status))
        return "";
    const char *line = text + strcspn(text, "0123456789");
    return version_in(arena_strndup(arena, line, strcspn(line, "\n")), arena);
}

static void check_tool(Checklist *list, const Tool *tool)
{
    Arena *arena = list->arena;
    const char *path = find_program(tool->name, arena), *version = path ? ask_version(path, tool->option, arena) : "";
    bool is_old = path && version_major(version) < tool->least_major;
    const char *detail = is_old
                             ? arena_printf(arena, "too old: version %d or later %s", tool->least_major, tool->purpose)
                             : tool->purpose;
    checklist_add_part(list, tool->part,
                       (Check){.name = tool->name,
                               .version = version,
                               .detail = detail,
                               .finding = path && !is_old ? FINDING_OK : FINDING_OPTIONAL,
                               .advice = arena_printf(arena, "apt-get install %s", tool->package)});
}

static void check_libclang(Checklist *list)
{
    Err err = {0};
    const char *text = "";
    bool is_there = source_find_clang(list->arena, &text, &err);
    checklist_add_part(
        list, PART_LIBCLANG,
        (Check){.name = "libclang",
                .version = version_in(text, list->arena),
                .detail = is_there ? "reads C sources (firma cost)" : arena_strdup(list->arena, err.message),
                .finding = is_there ? FINDING_OK : FINDING_OPTIONAL,
                .advice = arena_strdup(list->arena, err.hint)});
}

static void check_scotch(Checklist *list)
{
    checklist_add_part(list, PART_SCOTCH,
                       (Check){.name = "Scotch",
                               .version = SCOTCH_BUILT_WITH,
                               .detail = "partitions graphs (firma map)",
                               .finding = FIRMA_HAS_SCOTCH ? FINDING_OK : FINDING_OPTIONAL,
                               .advice = "apt-get install libscotch-dev, and build firma again"});
}

/* PVM needs its console, its daemon, and a worker and a recorder that were built with it. */
static void check_pvm(Checklist *list)
{
    Arena *arena = list->arena;
    bool is_built = libraries_find_program("firma-comm-pvm", "comm/worker", arena) &&
                    libraries_find("libfirma-pvm.so", "trace/recorder", arena),
         is_there = find_program("pvm", arena) && find_program("pvmd", arena);
    checklist_add_part(
        list, PART_PVM,
        (Check){.name = "PVM",
                .version = is_built ? PVM_BUILT_WITH : "",
                .detail = is_there && !is_built ? "is installed, but firma was built without its headers"
                                                : "firma comm measures its messages, firma trace records its programs",
                .finding = is_there && is_built ? FINDING_OK : FINDING_OPTIONAL,
                .advice = is_built ? "apt-get install pvm" : "apt-get install pvm pvm-dev, and build firma again"});
}

/* SimGrid needs its compiler and launcher, and a recorder that was built with it. */
static void check_simgrid(Checklist *list)
{
    Arena *arena = list->arena;
    const char *compiler = find_program("smpicc", arena);
    bool is_built = libraries_find("libfirma-smpi.a", "trace/recorder", arena) != NULL,
         is_there = compiler && find_program("smpirun", arena);
    checklist_add_part(list, PART_SIMGRID,
                       (Check){.name = "SimGrid",
                               .version = compiler ? ask_version(compiler, "--version", arena) : "",
                               .detail = is_there && !is_built ? "is installed, but firma was built without its headers"
                                                               : "simulates MPI programs (smpirun)",
                               .finding = is_there && is_built ? FINDING_OK : FINDING_OPTIONAL,
                               .advice = is_built ? "apt-get install simgrid libsimgrid-dev"
                                                  : "apt-get install simgrid libsimgrid-dev, and build firma again"});
}

static void check_space(Checklist *list, const char *path)
{
    Check check = {
        .name = "disk, here", .version = "", .advice = "work in another directory", .finding = FINDING_MISSING};
    struct statvfs info;
    if (statvfs(path, &info) != 0) {
        check.detail = arena_printf(list->arena, "%s: %s", path, strerror(errno));
        checklist_add(list, check);
        return;
    }
    double free_bytes = (double)info.f_bavail * (double)info.f_frsize;
    bool writable = access(path, W_OK) == 0, enough = free_bytes >= LITTLE_SPACE_BYTES;
    check.detail = arena_printf(list->arena, "%s free in %s%s", format_bytes(list->arena, free_bytes), path,
                                writable ? "" : ", which can't be written to");
    check.finding = !writable ? FINDING_UNWRITABLE : enough ? FINDING_OK : FINDING_SCARCE;
    check.advice = "a trace takes up to 100 bytes per call; `firma trace -o DIR` writes it elsewhere";
    checklist_add(list, check);
}

void check_tools(Checklist *list)
{
    check_libclang(list);
    check_scotch(list);
    check_pvm(list);
    check_simgrid(list);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        check_tool(list, &tools[i]);
    check_space(list, ".");
}
