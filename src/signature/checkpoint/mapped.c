/* SPDX-License-Identifier: BSD-3-Clause */
/* Identifies mapped files (mapped.h). The linker gives each program and library a build id, which
 * depends on its contents. firma compares build ids, and reads whole files only without one. Of
 * mapped data, only the size is compared, as back ends do. */
#include "signature/checkpoint/mapped.h"

#include "signature/checkpoint/copies.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* ---- Finding ---- */

static bool is_saved(const Job *job, const char *path)
{
    for (size_t i = 0; i < job->paths.count; i++) {
        if (copies_is_below(path, job->paths.items[i].path))
            return true;
    }
    return copies_is_below(path, "/dev/shm");
}

static void add_file(MappedFiles *files, const Job *job, const char *path, bool is_executed, Arena *arena)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || is_saved(job, path) || copies_is_below(path, "/proc"))
        return;
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->items[i].path, path) == 0) {
            files->items[i].is_executed |= is_executed;
            return;
        }
    }
    *vec_push(files) = (MappedFile){.path = arena_strdup(arena, path), .identity = "", .is_executed = is_executed};
}

typedef struct Finder {
    MappedFiles *files;
    const Job *job;
    Arena *arena;
} Finder;

static void add_private(void *self, const char *path, const char *access)
{
    const Finder *finder = self;
    if (access[3] == 'p')
        add_file(finder->files, finder->job, path, access[2] == 'x', finder->arena);
}

void mapped_find(const Job *job, Arena *arena, MappedFiles *files)
{
    Finder finder = {files, job, arena};
    for (size_t i = 0; i < job->processes.count; i++)
        job_visit_mappings((pid_t)job->processes.items[i].id, add_private, &finder);
}

/* ---- Identifying ---- */

static const char *hexadecimal(const unsigned char *bytes, size_t count, Arena *arena)
{
    char *text = arena_alloc(arena, 2 * count + 1);
    for (size_t i = 0; i < count; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
    return text;
}

static const char *build_id_of_notes(Elf_Data *notes, Arena *arena)
{
    GElf_Nhdr note;
    size_t at = 0, next, name, content;
    while (notes && (next = gelf_getnote(notes, at, &note, &name, &content)) > 0) {
        const char *bytes = notes->d_buf;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" && strcmp(bytes + name, "GNU") == 0)
            return hexadecimal((const unsigned char *)bytes + content, note.n_descsz, arena);
        at = next;
    }
    return NULL;
}

static const char *build_id(int file, Arena *arena)
{
    size_t n = 0;
    const char *id = NULL;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
    if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &n) != 0)
        n = 0;
    for (size_t i = 0; i < n && !id; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_NOTE)
            id = build_id_of_notes(elf_getdata_rawchunk(elf, (int64_t)header.p_offset, header.p_filesz,
                                                        header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR),
                                   arena);
    }
    elf_end(elf);
    return id;
}

static const char *checksum(int file, size_t size_bytes, Arena *arena)
{
    void *contents = size_bytes ? mmap(NULL, size_bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (contents == MAP_FAILED)
        return NULL;
    XXH128_hash_t sum = XXH3_128bits(contents, size_bytes);
    munmap(contents, size_bytes);
    return arena_printf(arena, "%016lx%016lx", (unsigned long)sum.high64, (unsigned long)sum.low64);
}

/* False with errno. */
static bool identify(const char *path, bool is_executed, Arena *arena, MappedFile *found)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    *found = (MappedFile){.path = path, .identity = "", .is_executed = is_executed};
    bool ok = fstat(file, &status) == 0;
    if (ok) {
        const char *id = build_id(file, arena), *sum = NULL;
        found->size_bytes = (uint64_t)status.st_size;
        if (!id && is_executed)
            sum = checksum(file, (size_t)status.st_size, arena);
        if (id || sum)
            found->identity = arena_printf(arena, id ? "build id %s" : "checksum %s", id ? id : sum);
    }
    int failure = errno;
    close(file);
    errno = failure;
    return ok;
}

bool mapped_identify(MappedFiles *files, Arena *arena, Err *err)
{
    for (size_t i = 0; i < files->count; i++) {
        MappedFile *file = &files->items[i];
        if (!identify(file->path, file->is_executed, arena, file))
            return err_set(err, ERR_ENVIRONMENT, "%s: the job has mapped this file, and firma cannot read it: %s",
                           file->path, strerror(errno));
    }
    return true;
}

/* ---- Comparing ---- */

static const char *describe(const MappedFile *file, bool by_identity, Arena *arena)
{
    return by_identity && *file->identity ? file->identity
                                          : arena_printf(arena, "%lu bytes", (unsigned long)file->size_bytes);
}

static bool check_file(const MappedFile *file, Arena *arena, Err *err)
{
    MappedFile now;
    static const char hint[] = "a state can be restored only with the program and libraries with which it was "
                               "saved: put these back, or save new states with firma checkpoint";
    if (!identify(file->path, file->is_executed, arena, &now))
        return err_set(err, ERR_INPUT, "%s: the saved job needs this file, and firma cannot read it: %s", file->path,
                       strerror(errno)) ||
               err_hint(err, "%s", hint);
    bool by_identity = strcmp(file->identity, now.identity) != 0;
    if (!by_identity && file->size_bytes == now.size_bytes)
        return true;
    err_set(err, ERR_INPUT, "%s: was changed since the state was saved: %s, now %s", file->path,
            describe(file, by_identity, arena), describe(&now, by_identity, arena));
    return err_hint(err, "%s", hint);
}

bool mapped_check(const MappedFiles *files, Err *err)
{
    bool ok = true;
    Arena *scratch = arena_new();
    for (size_t i = 0; ok && i < files->count; i++)
        ok = check_file(&files->items[i], scratch, err);
    arena_free(scratch);
    return ok;
}
