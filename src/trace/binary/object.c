/* SPDX-License-Identifier: BSD-3-Clause */
/* See object.h. libelf reads ELF files of both classes and both byte orders. */
#include "trace/binary/object.h"

#include "trace/binary/calls.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __x86_64__
#define OWN_MACHINE EM_X86_64
#elif defined __aarch64__
#define OWN_MACHINE EM_AARCH64
#elif defined __powerpc64__
#define OWN_MACHINE EM_PPC64
#elif defined __riscv
#define OWN_MACHINE EM_RISCV
#elif defined __i386__
#define OWN_MACHINE EM_386
#elif defined __arm__
#define OWN_MACHINE EM_ARM
#elif defined __s390x__
#define OWN_MACHINE EM_S390
#else
#define OWN_MACHINE EM_NONE
#endif

bool names_have(const Names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0)
            return true;
    }
    return false;
}

static bool broken(const char *path, Err *err)
{
    return err_set(err, ERR_INPUT, "%s: broken ELF file: %s", path, elf_errmsg(-1));
}

static void take_symbol(Object *object, const GElf_Sym *symbol, const char *name, Arena *arena)
{
    bool is_function = GELF_ST_TYPE(symbol->st_info) == STT_FUNC || GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC;
    if (symbol->st_shndx != SHN_UNDEF) {
        object->is_openmpi |= strcmp(name, "ompi_mpi_comm_world") == 0;
        object->is_mpich |= strcmp(name, "MPIR_Dup_fn") == 0;
    }
    if (!call_is_candidate(name))
        return;
    if (symbol->st_shndx == SHN_UNDEF)
        *vec_push(&object->imported) = arena_strdup(arena, name);
    else if (is_function)
        *vec_push(&object->defined) = arena_strdup(arena, name);
}

static bool read_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, Object *object, Arena *arena, Err *err)
{
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !header->sh_entsize)
        return broken(object->path, err);
    size_t count = data->d_size / header->sh_entsize;
    for (size_t i = 1; i < count; i++) {
        GElf_Sym symbol;
        const char *name;
        if (!gelf_getsym(data, (int)i, &symbol) || !(name = elf_strptr(elf, header->sh_link, symbol.st_name)))
            return broken(object->path, err);
        object->has_symbols = true;
        take_symbol(object, &symbol, name, arena);
    }
    return true;
}

static bool read_needed(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, Object *object, Arena *arena, Err *err)
{
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !header->sh_entsize)
        return broken(object->path, err);
    size_t count = data->d_size / header->sh_entsize;
    for (size_t i = 0; i < count; i++) {
        GElf_Dyn entry;
        if (!gelf_getdyn(data, (int)i, &entry))
            return broken(object->path, err);
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag != DT_NEEDED)
            continue;
        object->is_dynamic = true;
        const char *name = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
        if (!name)
            return broken(object->path, err);
        *vec_push(&object->needed) = arena_strdup(arena, name);
    }
    return true;
}

static bool read_sections(Elf *elf, Object *object, Arena *arena, Err *err)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            return broken(object->path, err);
        bool is_table = header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB;
        if (is_table && !read_symbols(elf, section, &header, object, arena, err))
            return false;
        if (header.sh_type == SHT_DYNAMIC && !read_needed(elf, section, &header, object, arena, err))
            return false;
    }
    return true;
}

static bool read_elf(Elf *elf, Object *object, Arena *arena, Err *err)
{
    GElf_Ehdr header;
    if (elf_kind(elf) == ELF_K_AR)
        return err_set(err, ERR_INPUT, "%s: a static library, not a program", object->path);
    if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
        return broken(object->path, err);
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return err_set(err, ERR_INPUT, "%s: an object file, not a program", object->path);
    size_t size = 0;
    if (elf_rawfile(elf, &size) &&
        (header.e_shoff > size || (uint64_t)header.e_shnum * header.e_shentsize > size - header.e_shoff))
        return err_set(err, ERR_INPUT, "%s: truncated ELF file", object->path) ||
               err_hint(err, "copy or build the file again");
    object->is_own_machine =
        header.e_machine == OWN_MACHINE && header.e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32);
    return read_sections(elf, object, arena, err);
}

/* Checks the first bytes of the file, and names the reason if it isn't an ELF file. The first line of
 * a script names its interpreter. */
static bool check_kind(const char *path, int file, Err *err)
{
    char begin[256] = "";
    ssize_t length = pread(file, begin, sizeof begin - 1, 0);
    if (length < 0)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    if (length >= 2 && memcmp(begin, "#!", 2) == 0) {
        begin[strcspn(begin, "\n")] = '\0';
        err_set(err, ERR_INPUT, "%s: a script, run by %s", path, begin + 2 + strspn(begin + 2, " \t"));
        return err_hint(err, "give the program that the script starts; for Python, the module that calls MPI, as "
                             "mpi4py/MPI.….so");
    }
    if (length >= 8 && memcmp(begin, ELFMAG, SELFMAG) != 0 && memcmp(begin, "!<arch>\n", 8) != 0)
        return err_set(err, ERR_INPUT, "%s: not an ELF file, so not a program of this system", path) ||
               err_hint(err, "give the program that the launcher starts");
    return length >= 8 || err_set(err, ERR_INPUT, "%s: too short to be a program", path);
}

bool object_read(const char *path, Arena *arena, Object *object, Err *err)
{
    *object = (Object){.path = path};
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    bool fine = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    if (!fine)
        err_set(err, ERR_INPUT, "%s: not a file, so not a program", path);
    if (fine && (fine = check_kind(path, file, err))) {
        elf_version(EV_CURRENT);
        Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
        fine = elf ? read_elf(elf, object, arena, err) : broken(path, err);
        elf_end(elf);
    }
    close(file);
    return fine;
}

void object_free(Object *object)
{
    vec_free(&object->imported);
    vec_free(&object->defined);
    vec_free(&object->needed);
}
