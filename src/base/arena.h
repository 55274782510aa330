/* SPDX-License-Identifier: BSD-3-Clause */
/* An arena owns everything allocated from it and frees it at once. Results go into the caller's arena, temporaries
 * into a scratch one. Running out of memory ends the process with status 4 and one line: no caller can go on. */
#pragma once

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* NULL is fine */

/* Calls end(of) when the arena is freed, before its memory is: for what a library allocated by itself. */
void arena_at_end(Arena *arena, void (*end)(void *of), void *of);

/* Zeroed, aligned for any type. size_bytes == 0 gives a valid, unique pointer. */
void *arena_alloc(Arena *arena, size_t size_bytes);
char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The words with a blank between each two. */
char *arena_join(Arena *arena, const char *const *words, size_t count);

#define arena_new_array(arena, Type, count) ((Type *)arena_alloc_array((arena), (count), sizeof(Type)))
void *arena_alloc_array(Arena *arena, size_t count, size_t element_bytes);

/* The items in the arena; they may be NULL if there are none. */
void *arena_copy_array(Arena *arena, const void *items, size_t count, size_t element_bytes);

/* malloc family for the growing containers of base/ (vec, map): never return NULL. */
void *memory_resize(void *block, size_t size_bytes);
void *memory_zeroed(size_t count, size_t element_bytes);
/* On a cache line's boundary, as of a whole number of lines; not initialised. */
void *memory_lines(size_t size_bytes);
