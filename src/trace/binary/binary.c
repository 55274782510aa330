/* SPDX-License-Identifier: BSD-3-Clause */
/* See binary.h. Reads the executable and the libraries that it is loaded with. Their imports from
 * MPI are the program's calls; imports of MPI's own libraries are not:
 *
 *     program ──imports──► libmpi          a call of the program
 *     program ──imports──► libparmetis ──imports──► libmpi          a call of the program, too
 *     libmpi_mpifh ──imports──► libmpi     not a call of the program
 *
 * An import is a call if MPI defines the symbol as a function. Constants and callbacks are not. */
#include "trace/binary/binary.h"

#include "base/files.h"
#include "trace/binary/calls.h"
#include "trace/binary/libraries.h"
#include "trace/binary/object.h"
#include <stdlib.h>
#include <string.h>

typedef VEC(Object) Objects;

typedef struct Import {
    const char *call, *importer;
    CallClass class;
} Import;

typedef VEC(Import) Imports;

const char *call_class_name(CallClass class)
{
    static const char *const names[] = {"unknown", "counted", "without_event", "io", "recorded", "local"};
    return class < CLASS_COUNT ? names[class] : "";
}

/* ---- objects that belong to MPI ---- */

static bool is_mpi_name(const char *path)
{
    static const char *const starts[] = {"libmpi.so",  "libmpi_",      "libmpich",     "libmpifort",
                                         "libmpicxx.", "libopen-rte.", "libopen-pal.", "libopen-trace-mpi",
                                         "libpvm3.",   "libgpvm3."};
    const char *name = files_base_name(path);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

static bool is_mpi(const Object *object)
{
    return is_mpi_name(object->path) || names_have(&object->defined, "PMPI_Init") ||
           names_have(&object->defined, "pmpi_init_");
}

static bool is_pvm(const Object *object)
{
    return names_have(&object->defined, "pvm_mytid");
}

static bool holds_mpi(const Object *program)
{
    return is_pvm(program) || names_have(&program->defined, "PMPI_Init") || names_have(&program->defined, "MPI_Init");
}

/* Finds the library that defines the C functions of MPI, or of PVM. */
static void find_mpi_library(const Objects *objects, Binary *binary)
{
    for (size_t i = 1; i < objects->count; i++) {
        const Object *object = &objects->items[i];
        if (!names_have(&object->defined, "PMPI_Init") && !is_pvm(object))
            continue;
        binary->mpi_library = object->path;
        binary->flavour = is_pvm(object)       ? MPI_FLAVOUR_PVM
                          : object->is_openmpi ? MPI_FLAVOUR_OPENMPI
                          : object->is_mpich   ? MPI_FLAVOUR_MPICH
                                               : MPI_FLAVOUR_NONE;
        return;
    }
    for (size_t i = 0; i < binary->n_missing && !binary->mpi_library[0]; i++)
        binary->mpi_library = is_mpi_name(binary->missing[i]) ? binary->missing[i] : "";
}

static void find_linkage(const Objects *objects, Binary *binary)
{
    const Object *program = &objects->items[0];
    find_mpi_library(objects, binary);
    for (size_t i = 0; i < program->needed.count && !binary->followed && !binary->mpi_library[0]; i++)
        binary->mpi_library = is_mpi_name(program->needed.items[i]) ? program->needed.items[i] : "";
    binary->linkage = binary->mpi_library[0]                          ? BINARY_SHARED_MPI
                      : holds_mpi(program)                            ? BINARY_STATIC_MPI
                      : !program->is_dynamic && !program->has_symbols ? BINARY_STATIC_STRIPPED
                                                                      : BINARY_WITHOUT_MPI;
}

/* ---- calls ---- */

/* True if MPI defines the symbol as a function. If no MPI library could be read, the name
 * decides. */
static bool is_of_mpi(const Objects *objects, const char *symbol, CallClass class)
{
    bool any = false;
    for (size_t i = 1; i < objects->count; i++) {
        const Object *object = &objects->items[i];
        if (!is_mpi(object))
            continue;
        if (names_have(&object->defined, symbol))
            return true;
        any |= object->defined.count > 0;
    }
    return !any && (class != CLASS_UNKNOWN || strncmp(symbol, "MPI_", 4) == 0);
}

static void collect_imports(const Objects *objects, Arena *arena, Imports *imports)
{
    for (size_t i = 0; i < objects->count; i++) {
        const Object *object = &objects->items[i];
        if (i > 0 && is_mpi(object))
            continue;
        for (size_t k = 0; k < object->imported.count; k++) {
            CallClass class;
            const char *symbol = object->imported.items[k], *call = call_of_symbol(symbol, arena, &class);
            if (call && is_of_mpi(objects, symbol, class))
                *vec_push(imports) = (Import){call, files_base_name(object->path), class};
        }
    }
}

static int by_class_and_name(const void *left, const void *right)
{
    const Import *a = left, *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    int order = strcmp(a->call, b->call);
    return order ? order : strcmp(a->importer, b->importer);
}

/* Merges all imports of a call. */
static void fill_calls(Imports *imports, Arena *arena, Binary *binary)
{
    if (imports->count)
        qsort(imports->items, imports->count, sizeof *imports->items, by_class_and_name);
    BinaryCall *calls = arena_new_array(arena, BinaryCall, imports->count);
    const char **importers = arena_new_array(arena, const char *, imports->count);
    size_t used = 0;
    for (size_t i = 0; i < imports->count; i++) {
        const Import *import = &imports->items[i];
        bool is_new = i == 0 || strcmp(import->call, import[-1].call) != 0;
        if (is_new)
            calls[binary->n_calls++] = (BinaryCall){import->call, import->class, 0, importers + used};
        else if (strcmp(import->importer, import[-1].importer) == 0)
            continue; /* MPI_X and mpi_x_ in the same object */
        importers[used++] = import->importer;
        calls[binary->n_calls - 1].n_importers++;
    }
    binary->calls = calls;
}

/* ---- reading a binary ---- */

static bool read_libraries(const char *path, Arena *arena, Objects *objects, Binary *binary, Names *missing)
{
    Names found = {0};
    binary->followed = libraries_list(path, arena, &found, missing);
    for (size_t i = 0; i < found.count; i++) {
        Object library;
        Err err; /* The program may run even if this library can't be read, so the library is listed as missing. */
        if (object_read(found.items[i], arena, &library, &err)) {
            *vec_push(objects) = library;
        } else {
            *vec_push(missing) = found.items[i];
            object_free(&library);
        }
    }
    vec_free(&found);
    return binary->followed;
}

bool binary_read(const char *path, Arena *arena, Binary *binary, Err *err)
{
    Objects objects = {0};
    Imports imports = {0};
    Names missing = {0};
    Binary result = {.path = path, .mpi_library = ""};
    Object *program = vec_push(&objects);
    bool fine = object_read(path, arena, program, err);
    if (fine) {
        if (!program->is_dynamic)
            result.followed = true;
        else if (program->is_own_machine)
            read_libraries(path, arena, &objects, &result, &missing);
        result.missing = vec_copy(&missing, arena);
        result.n_missing = (uint32_t)missing.count;
        find_linkage(&objects, &result);
        if (result.linkage == BINARY_SHARED_MPI)
            collect_imports(&objects, arena, &imports);
        fill_calls(&imports, arena, &result);
        *binary = result;
    }
    for (size_t i = 0; i < objects.count; i++)
        object_free(&objects.items[i]);
    vec_free(&objects);
    vec_free(&imports);
    vec_free(&missing);
    return fine;
}

uint32_t binary_count_calls(const Binary *binary, CallClass class)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < binary->n_calls; i++)
        count += binary->calls[i].class == class;
    return count;
}
