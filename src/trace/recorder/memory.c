/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the pages in /proc/self/maps and /proc/self/pagemap (memory.h). Takes no memory from the
 * heap. */
#include "trace/recorder/memory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAPS_BYTES 4096
#define PAGES_A_READ 512
#define PAGE_IS_PRESENT (1ULL << 63)

typedef struct Mapping {
    uintptr_t begin, end;
    bool is_private_writable;
} Mapping;

static void touch_pages(int pagemap, const Mapping *mapping, uintptr_t page_bytes)
{
    uint64_t pages[PAGES_A_READ];
    uintptr_t page = mapping->begin;
    while (page < mapping->end) {
        const uintptr_t left = (mapping->end - page) / page_bytes;
        const ssize_t size_bytes = pread(pagemap, pages, (left < PAGES_A_READ ? left : PAGES_A_READ) * sizeof *pages,
                                         (off_t)(page / page_bytes * sizeof *pages));
        if (size_bytes < (ssize_t)sizeof *pages)
            return;
        for (size_t i = 0; i < (size_t)size_bytes / sizeof *pages; i++, page += page_bytes)
            if (pages[i] & PAGE_IS_PRESENT)
                __atomic_fetch_or((unsigned char *)page, 0, __ATOMIC_RELAXED); /* an access that writes */
    }
}

/* A line is "7f00-7f80 rw-p …". */
static bool read_mapping(const char *line, Mapping *mapping)
{
    unsigned long begin, end;
    char access[5];
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, access) != 3)
        return false;
    *mapping = (Mapping){begin, end, access[0] == 'r' && access[1] == 'w' && access[3] == 'p'};
    return true;
}

/* Reads the next lines behind *kept bytes of an incomplete line. Returns the bytes of whole lines,
 * 0 at the end. */
static size_t read_lines(int maps, char text[MAPS_BYTES], size_t *kept)
{
    const ssize_t size_bytes = read(maps, text + *kept, MAPS_BYTES - *kept);
    if (size_bytes <= 0)
        return 0;
    *kept += (size_t)size_bytes;
    const char *last = memrchr(text, '\n', *kept);
    return last ? (size_t)(last - text) + 1 : 0;
}

void memory_touch(void)
{
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    const int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    char text[MAPS_BYTES];
    size_t kept = 0, whole;
    while (maps >= 0 && pagemap >= 0 && (whole = read_lines(maps, text, &kept)) > 0) {
        for (const char *line = text; line < text + whole; line = (const char *)memchr(line, '\n', MAPS_BYTES) + 1) {
            Mapping mapping;
            if (read_mapping(line, &mapping) && mapping.is_private_writable)
                touch_pages(pagemap, &mapping, page_bytes);
        }
        memmove(text, text + whole, kept - whole);
        kept -= whole;
    }
    if (maps >= 0)
        close(maps);
    if (pagemap >= 0)
        close(pagemap);
}
