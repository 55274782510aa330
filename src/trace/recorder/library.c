/* SPDX-License-Identifier: BSD-3-Clause */
/* See library.h. Finds the MPI library's functions and constants with dlsym(). */
#include "trace/recorder/library.h"
#include "trace/calls.h"
#include "trace/recorder/aside.h"
#ifdef RECORDER_SIMULATED
#include "trace/recorder/simulated.h"
#endif
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>

Mpi mpi;
AnyFunction *library_functions[CALL_NAMES][CALL_LIMIT];

/* Search for the name of the object with the number n_before among those named libmpi… */
typedef struct ObjectSearch {
    size_t n_before;
    char name[PATH_MAX];
} ObjectSearch;

/* Only copies the name. dl_iterate_phdr holds a lock of the loader, and dlopen takes another lock
 * before it. So calling dlopen here could deadlock with a thread that is in dlopen. */
static int copy_name(struct dl_phdr_info *object, size_t size_bytes, void *argument)
{
    (void)size_bytes;
    ObjectSearch *search = argument;
    const char *base = strrchr(object->dlpi_name, '/');
    base = base ? base + 1 : object->dlpi_name;
    if (strncmp(base, "libmpi", 6) != 0 || strlen(object->dlpi_name) >= sizeof search->name || search->n_before--)
        return 0;
    strcpy(search->name, object->dlpi_name);
    return 1;
}

static void *find_in_object(const char *object, const char *name)
{
    void *library = dlopen(object, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return NULL;
    void *symbol = dlsym(library, name);
    dlclose(library);
    return symbol;
}

/* Interpreters may load a library with RTLD_LOCAL. RTLD_NEXT doesn't find the symbols of such a
 * library, so it is searched here. */
static void *find_in_libraries(const char *name)
{
    void *symbol = NULL;
    for (size_t i = 0; !symbol; i++) {
        ObjectSearch search = {.n_before = i};
        if (!dl_iterate_phdr(copy_name, &search))
            return NULL;
        symbol = find_in_object(search.name, name);
    }
    return symbol;
}

static void *find_next(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    return symbol ? symbol : find_in_libraries(name);
}

/* The program calls a function of the recorder, but no MPI library has this function. */
static int call_without_mpi(void)
{
    return MPI_ERR_INTERN;
}

/* If a library has only one of the two names, as serial MPI stubs do, this function serves both
 * names. */
AnyFunction *library_find(CallName name, uint16_t call)
{
    ASIDE; /* a cancelled thread would leave locks of the loader behind */
    const int saved = errno;
    char profiling_name[128];
    snprintf(profiling_name, sizeof profiling_name, "P%s", call_name(call));
    const char *plain_name = profiling_name + 1;
    void *symbol = find_next(name == CALLED_MPI ? plain_name : profiling_name);
    if (!symbol)
        symbol = find_next(name == CALLED_MPI ? profiling_name : plain_name);
    AnyFunction *function = (AnyFunction *)call_without_mpi;
    if (symbol)
        memcpy(&function, &symbol, sizeof function);
    __atomic_store_n(&library_functions[name][call], function, __ATOMIC_RELAXED);
    errno = saved;
    return function;
}

void library_forget(void)
{
    for (size_t call = 0; call < CALL_LIMIT; call++)
        for (CallName name = 0; name < CALL_NAMES; name++)
            __atomic_store_n(&library_functions[name][call], NULL, __ATOMIC_RELAXED);
}

/* Finds data where the program sees it: it may be a copy in the program itself. */
static void *find_data(const char *name)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    return symbol ? symbol : find_in_libraries(name);
}

#ifdef OPEN_MPI
#define FLAVOUR MPI_FLAVOUR_OPENMPI

static bool load_constants(void)
{
    mpi.comm_world = find_data("ompi_mpi_comm_world");
    mpi.comm_self = find_data("ompi_mpi_comm_self");
    mpi.comm_null = find_data("ompi_mpi_comm_null");
    mpi.request_null = find_data("ompi_request_null");
    mpi.message_null = find_data("ompi_message_null");
    mpi.message_no_process = find_data("ompi_message_no_proc");
    mpi.byte = find_data("ompi_mpi_byte");
    mpi.no_op = find_data("ompi_mpi_op_no_op");
    return mpi.comm_world && mpi.comm_self && mpi.comm_null && mpi.request_null && mpi.byte;
}
#else
#ifdef RECORDER_SIMULATED
#define FLAVOUR MPI_FLAVOUR_SMPI
#else
#define FLAVOUR MPI_FLAVOUR_MPICH
#endif

static bool load_constants(void)
{
    mpi.comm_world = MPI_COMM_WORLD;
    mpi.comm_self = MPI_COMM_SELF;
    mpi.comm_null = MPI_COMM_NULL;
    mpi.request_null = MPI_REQUEST_NULL;
    mpi.message_null = MPI_MESSAGE_NULL;
    mpi.message_no_process = MPI_MESSAGE_NO_PROC;
    mpi.byte = MPI_BYTE;
    mpi.no_op = MPI_NO_OP;
    return !find_data("ompi_mpi_comm_world");
}
#endif

/* Stores the address of PMPI_name in a function pointer. */
static bool load_query(const char *name, void *place)
{
    void *symbol = find_next(name);
    memcpy(place, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool library_load(void)
{
#define LOAD_QUERY(name) &&load_query("PMPI_" #name, &mpi.name)
    const bool loaded = load_constants() MPI_QUERIES(LOAD_QUERY);
#ifdef RECORDER_SIMULATED
    simulated_replace_queries(&mpi);
#endif
    return loaded;
}

void library_describe_process(ProcessStart *start)
{
    char version[8192] = ""; /* more than any MPI's limit */
    int length;
    MPI_Comm parent = mpi.comm_null;
    start->flavour = FLAVOUR;
    mpi.Comm_rank(mpi.comm_world, &start->rank);
    mpi.Comm_size(mpi.comm_world, &start->n_processes);
    mpi.Comm_get_parent(&parent);
    start->spawned = parent != mpi.comm_null;
    int level = MPI_THREAD_SINGLE;
    mpi.Query_thread(&level);
    start->thread_level = level >= MPI_THREAD_MULTIPLE     ? 3
                          : level == MPI_THREAD_SERIALIZED ? 2
                          : level == MPI_THREAD_FUNNELED   ? 1
                                                           : 0;
#ifdef RECORDER_SIMULATED
    simulated_host(start->host, sizeof start->host);
#endif
    mpi.Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    snprintf(start->mpi_library, sizeof start->mpi_library, "%s", version);
}
