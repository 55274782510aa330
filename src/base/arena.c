/* SPDX-License-Identifier: BSD-3-Clause */
/* See arena.h. An arena is a list of blocks. Each block is twice as large as the one before, up to
 * a limit. An allocation advances a pointer in the last block. */
#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST_BLOCK_BYTES = 16 * 1024, LARGEST_BLOCK_BYTES = 4 * 1024 * 1024, LINE_BYTES = 64 };
_Static_assert(FIRST_BLOCK_BYTES <= LARGEST_BLOCK_BYTES, "blocks grow");

typedef struct Block {
    struct Block *previous;
    size_t capacity, used;
    _Alignas(max_align_t) unsigned char bytes[];
} Block;

typedef struct Ending {
    struct Ending *next;
    void (*end)(void *of);
    void *of;
} Ending;

struct Arena {
    Block *last;
    Ending *endings;
    unsigned char *shared, *shared_end; /* the unused rest of an arena that is shared; NULL: it isn't */
    size_t shared_bytes;                /* size of the whole mapping, which begins with this struct */
};

static void out_of_memory(size_t size_bytes)
{
    fprintf(stderr, "firma: out of memory (%zu bytes more were needed)\n", size_bytes);
    exit(4);
}

void *memory_resize(void *block, size_t size_bytes)
{
    void *resized = realloc(block, size_bytes ? size_bytes : 1);
    if (!resized)
        out_of_memory(size_bytes);
    return resized;
}

void *memory_zeroed(size_t count, size_t element_bytes)
{
    void *block = calloc(count ? count : 1, element_bytes ? element_bytes : 1);
    if (!block)
        out_of_memory(count * element_bytes);
    return block;
}

void *memory_lines(size_t size_bytes)
{
    size_t rounded = (size_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    void *block = aligned_alloc(LINE_BYTES, rounded);
    if (!block)
        out_of_memory(size_bytes);
    return block;
}

Arena *arena_new(void)
{
    return memory_zeroed(1, sizeof(Arena));
}

static size_t aligned(size_t size_bytes)
{
    const size_t alignment = _Alignof(max_align_t);
    return (size_bytes + alignment) / alignment * alignment;
}

static void free_shared(void *arena)
{
    munmap(arena, ((Arena *)arena)->shared_bytes);
}

Arena *arena_new_shared(size_t size_bytes, Arena *owner)
{
    void *mapping = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        return NULL;
    Arena *arena = mapping;
    arena->shared = (unsigned char *)mapping + aligned(sizeof *arena);
    arena->shared_end = (unsigned char *)mapping + size_bytes;
    arena->shared_bytes = size_bytes;
    arena_at_end(owner, free_shared, arena);
    return arena;
}

void arena_end_sharing(Arena *arena)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), used = (size_t)(arena->shared - (unsigned char *)arena);
    size_t kept = (used + page - 1) / page * page;
    if (kept >= arena->shared_bytes)
        return;
    munmap((unsigned char *)arena + kept, arena->shared_bytes - kept);
    arena->shared_bytes = kept;
    arena->shared_end = arena->shared;
    arena->last = NULL; /* its block may have had room */
}

void arena_free(Arena *arena)
{
    if (!arena)
        return;
    assert(!arena->shared);
    for (const Ending *ending = arena->endings; ending; ending = ending->next)
        ending->end(ending->of);
    for (Block *block = arena->last; block;) {
        Block *previous = block->previous;
        free(block);
        block = previous;
    }
    free(arena);
}

void arena_at_end(Arena *arena, void (*end)(void *of), void *of)
{
    Ending *ending = arena_new_array(arena, Ending, 1);
    *ending = (Ending){arena->endings, end, of};
    arena->endings = ending;
}

/* Zeroed memory of a block. */
static void *block_memory(Arena *arena, size_t size_bytes)
{
    if (!arena->shared)
        return memory_zeroed(1, size_bytes);
    size_bytes = aligned(size_bytes);
    if (size_bytes > (size_t)(arena->shared_end - arena->shared))
        out_of_memory(size_bytes);
    void *memory = arena->shared;
    arena->shared += size_bytes;
    return memory;
}

static Block *add_block(Arena *arena, size_t at_least)
{
    size_t capacity = arena->last ? arena->last->capacity * 2 : FIRST_BLOCK_BYTES;
    if (capacity > LARGEST_BLOCK_BYTES)
        capacity = LARGEST_BLOCK_BYTES;
    if (capacity < at_least)
        capacity = at_least;
    Block *block = block_memory(arena, sizeof(Block) + capacity);
    block->capacity = capacity;
    block->previous = arena->last;
    arena->last = block;
    return block;
}

void *arena_alloc(Arena *arena, size_t size_bytes)
{
    assert(arena);
    if (size_bytes > SIZE_MAX / 4)
        out_of_memory(size_bytes);
    size_t rounded = aligned(size_bytes);
    Block *block = arena->last;
    if (!block || block->capacity - block->used < rounded)
        block = add_block(arena, rounded);
    assert(block->used <= block->capacity && block->capacity - block->used >= rounded);
    void *result = block->bytes + block->used;
    block->used += rounded;
    return result;
}

void *arena_alloc_array(Arena *arena, size_t count, size_t element_bytes)
{
    if (element_bytes && count > SIZE_MAX / 4 / element_bytes)
        out_of_memory(SIZE_MAX);
    return arena_alloc(arena, count * element_bytes);
}

void *arena_copy_array(Arena *arena, const void *items, size_t count, size_t element_bytes)
{
    void *copy = arena_alloc_array(arena, count, element_bytes);
    if (count)
        memcpy(copy, items, count * element_bytes);
    return copy;
}

char *arena_strndup(Arena *arena, const char *text, size_t length)
{
    assert(text);
    length = strnlen(text, length);
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(Arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_join(Arena *arena, const char *const *words, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += strlen(words[i]) + 1;
    char *joined = arena_alloc(arena, length + 1), *end = joined;
    for (size_t i = 0; i < count; i++) {
        if (i)
            *end++ = ' ';
        end = stpcpy(end, words[i]);
    }
    return joined;
}
