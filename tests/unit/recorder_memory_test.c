/* SPDX-License-Identifier: BSD-3-Clause */
/* Touching a restored process's memory: contents and absent pages stay as they are. */
#include "test.h"
#include "trace/recorder/memory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_PAGES 1500   /* more than are looked at in one go */
#define N_MAPPINGS 300 /* more than /proc/self/maps shows in one go */

static size_t page_bytes;

static unsigned char *map_pages(size_t n, int access)
{
    void *start = mmap(NULL, n * page_bytes, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(start, MAP_FAILED);
    return start;
}

static bool is_present(const unsigned char *page)
{
    uint64_t entry = 0;
    const int file = open("/proc/self/pagemap", O_RDONLY);
    assert_int_equal(pread(file, &entry, sizeof entry, (off_t)((uintptr_t)page / page_bytes * sizeof entry)),
                     sizeof entry);
    close(file);
    return entry >> 63;
}

static int begin(void **state)
{
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    return 0;
}

static void contents_and_absent_pages_stay(void **state)
{
    unsigned char *memory = map_pages(N_PAGES, PROT_READ | PROT_WRITE);
    madvise(memory, N_PAGES * page_bytes, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < N_PAGES; i += 2)
        memset(memory + i * page_bytes, (int)(i % 251) + 1, page_bytes);
    memory_touch();
    for (size_t i = 0; i < N_PAGES; i++) {
        assert_int_equal(is_present(memory + i * page_bytes), i % 2 == 0);
        for (size_t j = 0; i % 2 == 0 && j < page_bytes; j += 64)
            assert_int_equal(memory[i * page_bytes + j], i % 251 + 1);
    }
    munmap(memory, N_PAGES * page_bytes);
}

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* After a fork, the first access that writes to a page is a fault. */
static void present_pages_are_accessed_as_if_written(void **state)
{
    unsigned char *memory = map_pages(N_PAGES, PROT_READ | PROT_WRITE);
    madvise(memory, N_PAGES * page_bytes, MADV_NOHUGEPAGE);
    memset(memory, 1, N_PAGES * page_bytes);
    pid_t child = fork();
    if (!child) {
        long before = faults();
        memory_touch();
        _exit(faults() - before < N_PAGES);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    munmap(memory, N_PAGES * page_bytes);
}

/* Writing to one of these pages would end the process. */
static void what_cannot_be_written_is_left_alone(void **state)
{
    unsigned char *mappings[N_MAPPINGS];
    static const int access[] = {PROT_READ, PROT_NONE, PROT_READ | PROT_EXEC};
    for (size_t i = 0; i < N_MAPPINGS; i++) {
        mappings[i] = map_pages(2, PROT_READ | PROT_WRITE);
        mappings[i][0] = 7;
        assert_int_equal(mprotect(mappings[i], page_bytes, access[i % 3]), 0);
    }
    memory_touch();
    for (size_t i = 0; i < N_MAPPINGS; i++)
        munmap(mappings[i], 2 * page_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(contents_and_absent_pages_stay, begin),
        cmocka_unit_test_setup(present_pages_are_accessed_as_if_written, begin),
        cmocka_unit_test_setup(what_cannot_be_written_is_left_alone, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
