/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded before a recorder: makes one of the recorder's calls into the C library fail. Calls of
 * the program and of MPI go on as usual.
 *
 *   FAULT_CALL   the function, such as mmap
 *   FAULT_NTH    which of the recorder's calls of it fails in each process, from 1
 *   FAULT_LOG    file to which each process that had a failure adds a line
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static uintptr_t recorder_from, recorder_to;
static const char *wanted, *log_path;
static unsigned long nth, done;

static int look(struct dl_phdr_info *info, size_t size, void *self)
{
    (void)size, (void)self;
    if (!strstr(info->dlpi_name, "/libfirma-"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        recorder_from = info->dlpi_addr + part->p_vaddr;
        recorder_to = recorder_from + part->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAULT_NTH");
    wanted = getenv("FAULT_CALL");
    log_path = getenv("FAULT_LOG");
    nth = number ? strtoul(number, NULL, 10) : 0;
    dl_iterate_phdr(look, NULL);
}

/* Whether this call is the one that fails. */
static bool fails(const char *call, const void *caller)
{
    uintptr_t from = (uintptr_t)caller;
    if (!wanted || !log_path || from < recorder_from || from >= recorder_to || strcmp(call, wanted) != 0)
        return false;
    if (__atomic_add_fetch(&done, 1, __ATOMIC_RELAXED) != nth)
        return false;
    int file = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file >= 0) {
        syscall(SYS_write, file, "failed\n", 7);
        syscall(SYS_close, file);
    }
    return true;
}

#define FAILS(call) fails(call, __builtin_return_address(0))
#define NEXT(name, Type) ((Type)(uintptr_t)dlsym(RTLD_NEXT, name))

void *calloc(size_t n, size_t size)
{
    extern void *__libc_calloc(size_t n, size_t size); /* dlsym() itself allocates */
    if (FAILS("calloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(n, size);
}

void *malloc(size_t size)
{
    extern void *__libc_malloc(size_t size);
    if (FAILS("malloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(size);
}

void *realloc(void *memory, size_t size)
{
    extern void *__libc_realloc(void *memory, size_t size);
    if (FAILS("realloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(memory, size);
}

int open64(const char *path, int flags, ...)
{
    if (FAILS("open")) {
        errno = EMFILE;
        return -1;
    }
    __builtin_va_list rest;
    __builtin_va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? __builtin_va_arg(rest, mode_t) : 0;
    __builtin_va_end(rest);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    if (FAILS("mmap")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset); /* NOLINT */
}

int posix_fallocate64(int file, off_t offset, off_t length)
{
    return FAILS("posix_fallocate") ? ENOSPC
                                    : NEXT("posix_fallocate64", int (*)(int, off_t, off_t))(file, offset, length);
}

#define FAILING(name, shown, Result, failure, code, parameters, arguments)                                             \
    Result name parameters                                                                                             \
    {                                                                                                                  \
        if (FAILS(shown)) {                                                                                            \
            errno = code;                                                                                              \
            return failure;                                                                                            \
        }                                                                                                              \
        return NEXT(#name, Result(*) parameters) arguments;                                                            \
    }

FAILING(write, "write", ssize_t, -1, ENOSPC, (int file, const void *bytes, size_t n), (file, bytes, n))
FAILING(read, "read", ssize_t, -1, EIO, (int file, void *bytes, size_t n), (file, bytes, n))
FAILING(pwrite64, "pwrite", ssize_t, -1, ENOSPC, (int file, const void *bytes, size_t n, off_t at),
        (file, bytes, n, at))
FAILING(pread64, "pread", ssize_t, -1, EIO, (int file, void *bytes, size_t n, off_t at), (file, bytes, n, at))
FAILING(fstat64, "fstat", int, -1, EIO, (int file, struct stat64 *found), (file, found))
FAILING(stat64, "stat", int, -1, EACCES, (const char *path, struct stat64 *found), (path, found))
FAILING(readlink, "readlink", ssize_t, -1, EACCES, (const char *path, char *target, size_t n), (path, target, n))
FAILING(realpath, "realpath", char *, NULL, EACCES, (const char *path, char *resolved), (path, resolved))
FAILING(madvise, "madvise", int, -1, EINVAL, (void *address, size_t length, int advice), (address, length, advice))
