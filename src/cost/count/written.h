/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a task's source, and where conditions, loops and calls are written in it. What a macro's body holds has
 * the macro's place, and isn't written there. Private to this folder. */
#pragma once

#include "base/vec.h"
#include "cost/source/program/program.h"

typedef struct WrittenFile {
    const char *path; /* as places name it */
    const char *text;
    size_t length;
    VEC(size_t) lines; /* offsets at which they begin */
} WrittenFile;

/* A stretch of a file's text. */
typedef struct Stretch {
    const WrittenFile *file; /* NULL: not written there */
    size_t from, to;
} Stretch;

typedef struct WrittenFiles {
    Arena *arena;
    VEC(WrittenFile *) items;
} WrittenFiles;

/* The file that a place names. NULL: it can't be read. */
const WrittenFile *written_file(WrittenFiles *files, const char *path);
void written_end(WrittenFiles *files);

/* From where the statement begins to behind its first word, which must be this one. */
Stretch written_word(WrittenFiles *files, const SourcePlace *place, const char *word);
/* From the place on, the one character, such as the brace with which a function's body begins. */
Stretch written_character(WrittenFiles *files, const SourcePlace *place, char character);

/* An expression that is a part of something that is written: of a statement, or of an expression around it (may be
 * NULL), of which the source tells by its place that it ends elsewhere. */
Stretch written_expression(WrittenFiles *files, const SourceExpression *expression, const SourceExpression *around);

/* A name that begins there, with its arguments in brackets. */
Stretch written_use(WrittenFiles *files, const SourcePlace *place);

/* Behind the bracket that opens behind the word; SIZE_MAX: none. */
size_t written_bracket(Stretch word);

/* Behind the bracket that closes the one at the offset; SIZE_MAX: none. */
size_t written_close(const WrittenFile *file, size_t bracket);

/* The semicolon that ends the given part of a `for` that begins there (0: the first). SIZE_MAX: none. */
size_t written_semicolon(Stretch loop, unsigned part);

/* Whether the word stands before the stretch, with nothing but brackets between. */
bool written_is_behind(Stretch stretch, const char *word);

/* Whether a directive for the compiler stands before the stretch. */
bool written_after_directive(Stretch stretch);

const char *written_text(Stretch stretch, Arena *arena);
