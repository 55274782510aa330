/* SPDX-License-Identifier: BSD-3-Clause */
/* An arena owns all memory that is allocated from it, and frees this memory at once. Functions put
 * results into the caller's arena, and temporaries into a scratch arena. If memory runs out, the
 * process prints one line and exits with status 4, because no caller could go on. */
#pragma once

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* NULL is fine */

/* An arena of at most this size, whose memory this process shares with its later children. So a child
 * can leave results there; while it runs, it alone uses the arena. Owned by `owner`, another arena.
 * NULL: no memory. */
Arena *arena_new_shared(size_t size_bytes, Arena *owner);

/* Gives back the address space that the shared arena hasn't used. It takes no more allocations. */
void arena_end_sharing(Arena *shared);

/* arena_free() calls end(of) before it frees the arena's memory. Use it for memory that a library
 * allocated by itself. */
void arena_at_end(Arena *arena, void (*end)(void *of), void *of);

/* Returns zeroed memory, aligned for any type. size_bytes == 0 gives a valid, unique pointer. */
void *arena_alloc(Arena *arena, size_t size_bytes);
char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The words, separated by blanks. */
char *arena_join(Arena *arena, const char *const *words, size_t count);

#define arena_new_array(arena, Type, count) ((Type *)arena_alloc_array((arena), (count), sizeof(Type)))
void *arena_alloc_array(Arena *arena, size_t count, size_t element_bytes);

/* A copy of the items. `items` may be NULL if count is 0. */
void *arena_copy_array(Arena *arena, const void *items, size_t count, size_t element_bytes);

/* Allocation for the growing containers of base/ (vec, map). These functions never return NULL. */
void *memory_resize(void *block, size_t size_bytes);
void *memory_zeroed(size_t count, size_t element_bytes);
/* Not initialised; starts at a cache line's boundary. The size is rounded up to whole cache
 * lines. */
void *memory_lines(size_t size_bytes);
