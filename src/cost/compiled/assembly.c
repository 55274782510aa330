/* SPDX-License-Identifier: BSD-3-Clause */
/* See assembly.h. */
#include "cost/compiled/assembly.h"

#include "base/files.h"
#include "base/vec.h"
#include <stdio.h>

/* A name and what it stands for: a block of the current function, or a jump table. */
typedef struct Label {
    const char *name;
    size_t at;
} Label;

typedef struct JumpTable {
    const char *name;
    VEC(const char *) targets;
} JumpTable;

typedef struct OpenBlock {
    size_t first, n;        /* of the function's instructions */
    const JumpTable *table; /* that its last jump may use */
} OpenBlock;

typedef struct Reader {
    Arena *arena;
    const char *source;
    uint64_t files; /* bits: numbers of .file that are the source */
    uint32_t line, column;
    VEC(JumpTable) tables;
    VEC(AssemblyFunction) functions;
    /* Of the current function. */
    const char *name; /* NULL: none */
    VEC(Instruction) instructions;
    VEC(OpenBlock) blocks;
    VEC(Label) labels;
    const JumpTable *table; /* the last one that an instruction named */
} Reader;

bool instruction_is(const Instruction *instruction, const char *opcode)
{
    size_t length = strlen(opcode);
    return strncmp(instruction->text, opcode, length) == 0 &&
           (instruction->text[length] == '\t' || instruction->text[length] == '\0');
}

static bool ends_block(const Instruction *instruction)
{
    return *instruction->text == 'j' || instruction_is(instruction, "ret") || instruction_is(instruction, "ud2") ||
           strncmp(instruction->text, "notrack", 7) == 0;
}

/* A label of the compiler's own to which jumps lead: .L and digits. */
static bool is_target(const char *label, size_t length)
{
    return length > 2 && strncmp(label, ".L", 2) == 0 && strspn(label + 2, "0123456789") == length - 2;
}

static JumpTable *table_named(Reader *reader, const char *name, size_t length)
{
    for (size_t i = 0; i < reader->tables.count; i++)
        if (strlen(reader->tables.items[i].name) == length && strncmp(reader->tables.items[i].name, name, length) == 0)
            return &reader->tables.items[i];
    return NULL;
}

/* ---- Jump tables, which may stand behind the function: .long .L5-.L4, or .quad .L5 ---- */

static void take_table_line(Reader *reader, const char *line, size_t length, const char **label)
{
    const char *at = line + strspn(line, " \t"), *end = line + length;
    bool is_entry = strncmp(at, ".long\t.L", 8) == 0 || strncmp(at, ".quad\t.L", 8) == 0;
    if (length > 1 && line[length - 1] == ':' && is_target(line, length - 1))
        *label = arena_strndup(reader->arena, line, length - 1);
    if (!is_entry || !*label)
        return;
    at += 6;
    size_t n = strcspn(at, "-\n");
    if (at + n > end || !is_target(at, n))
        return;
    JumpTable *table = table_named(reader, *label, strlen(*label));
    if (!table) {
        table = vec_push(&reader->tables);
        *table = (JumpTable){.name = *label};
    }
    *vec_push(&table->targets) = arena_strndup(reader->arena, at, n);
}

/* ---- Functions ---- */

static void open_block(Reader *reader)
{
    *vec_push(&reader->blocks) = (OpenBlock){reader->instructions.count, 0, NULL};
}

static void add_label(Reader *reader, const char *name, size_t length)
{
    if (reader->blocks.items[reader->blocks.count - 1].n)
        open_block(reader);
    *vec_push(&reader->labels) = (Label){arena_strndup(reader->arena, name, length), reader->blocks.count - 1};
}

static void add_instruction(Reader *reader, const char *text, size_t length)
{
    Instruction instruction = {arena_strndup(reader->arena, text, length), reader->line, reader->column};
    OpenBlock *block = &reader->blocks.items[reader->blocks.count - 1];
    const char *label = strstr(instruction.text, ".L");
    const JumpTable *named = label ? table_named(reader, label, strcspn(label, "(,")) : NULL;
    reader->table = named ? named : reader->table;
    *vec_push(&reader->instructions) = instruction;
    block->n++;
    block->table = reader->table;
    if (ends_block(&instruction))
        open_block(reader);
}

static bool find_label(const Reader *reader, const char *name, uint32_t *block)
{
    for (size_t i = 0; i < reader->labels.count; i++)
        if (reader->labels.items[i].at < reader->blocks.count && strcmp(reader->labels.items[i].name, name) == 0) {
            *block = (uint32_t)reader->labels.items[i].at;
            return true;
        }
    return false;
}

static void find_next(const Reader *reader, size_t index, BasicBlock *block)
{
    const OpenBlock *open = &reader->blocks.items[index];
    const Instruction *last = open->n ? &reader->instructions.items[open->first + open->n - 1] : NULL;
    bool is_jump = last && ends_block(last) && !instruction_is(last, "ret") && !instruction_is(last, "ud2");
    bool falls_through =
        index + 1 < reader->blocks.count &&
        (!last || !ends_block(last) || (is_jump && *last->text == 'j' && !instruction_is(last, "jmp")));
    VEC(uint32_t) next = {0};
    uint32_t target;
    const char *operand = last ? strrchr(last->text, '\t') : NULL;
    if (is_jump && strchr(last->text, '*'))
        for (size_t i = 0; open->table && i < open->table->targets.count; i++) {
            if (find_label(reader, open->table->targets.items[i], &target))
                *vec_push(&next) = target;
        }
    else if (is_jump && operand && find_label(reader, operand + 1, &target))
        *vec_push(&next) = target;
    if (falls_through)
        *vec_push(&next) = (uint32_t)index + 1;
    block->next = vec_copy(&next, reader->arena);
    block->n_next = next.count;
    vec_free(&next);
}

static void end_function(Reader *reader)
{
    if (reader->blocks.count > 1 && !reader->blocks.items[reader->blocks.count - 1].n)
        reader->blocks.count--; /* behind the last return */
    const Instruction *instructions = vec_copy(&reader->instructions, reader->arena);
    BasicBlock *blocks = arena_new_array(reader->arena, BasicBlock, reader->blocks.count);
    for (size_t i = 0; i < reader->blocks.count; i++) {
        blocks[i].instructions = instructions + reader->blocks.items[i].first;
        blocks[i].n_instructions = reader->blocks.items[i].n;
        find_next(reader, i, &blocks[i]);
    }
    *vec_push(&reader->functions) = (AssemblyFunction){reader->name, reader->blocks.count, blocks, 0, NULL};
    assembly_find_loops(&reader->functions.items[reader->functions.count - 1], reader->arena);
    reader->name = NULL;
}

static void begin_function(Reader *reader, const char *name, size_t length)
{
    reader->name = arena_strndup(reader->arena, name, length);
    reader->instructions.count = reader->blocks.count = reader->labels.count = 0;
    reader->table = NULL;
    reader->line = reader->column = 0;
    open_block(reader);
}

/* ---- Lines ---- */

static void take_file(Reader *reader, const char *line)
{
    unsigned number;
    const char *open = strchr(line, '"'), *close = strrchr(line, '"');
    if (sscanf(line, " .file %u", &number) != 1 || number >= 64 || !open)
        return;
    const char *path = arena_strndup(reader->arena, open + 1, (size_t)(close - open - (close > open)));
    const char *last = strrchr(path, '"');
    if (strcmp(files_base_name(last ? last + 1 : path), files_base_name(reader->source)) == 0)
        reader->files |= UINT64_C(1) << number;
}

static void take_place(Reader *reader, const char *line)
{
    unsigned file, number, column;
    if (sscanf(line, " .loc %u %u %u", &file, &number, &column) != 3)
        return;
    bool is_own = file < 64 && (reader->files >> file & 1);
    reader->line = is_own ? number : 0;
    reader->column = is_own ? column : 0;
}

static void take_line(Reader *reader, const char *line, size_t length)
{
    const char *text = line + strspn(line, " \t");
    if (strncmp(text, ".file", 5) == 0)
        take_file(reader, arena_strndup(reader->arena, text, length - (size_t)(text - line)));
    if (strncmp(text, ".loc ", 5) == 0)
        take_place(reader, arena_strndup(reader->arena, text, length - (size_t)(text - line)));
    if (!reader->name)
        return;
    if (strncmp(text, ".size", 5) == 0)
        end_function(reader);
    else if (length && line[length - 1] == ':' && is_target(line, length - 1))
        add_label(reader, line, length - 1);
    else if (text > line && *text >= 'a' && *text <= 'z' && !memchr(text, ';', length - (size_t)(text - line)))
        add_instruction(reader, text, length - (size_t)(text - line));
}

static bool begins_function(const char *line, size_t length, const char *name, size_t name_length)
{
    return name && length == name_length + 1 && line[length - 1] == ':' && strncmp(line, name, name_length) == 0;
}

Assembly *assembly_read(const char *text, const char *source, Arena *arena)
{
    Reader reader = {.arena = arena, .source = source};
    const char *label = NULL, *function = NULL;
    size_t function_length = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        take_table_line(&reader, line, strcspn(line, "\n"), &label);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, "\t.type\t", 7) == 0 && memmem(line, length, "@function", 9)) {
            function = line + 7;
            function_length = strcspn(function, ",\n");
        }
        if (!reader.name && begins_function(line, length, function, function_length))
            begin_function(&reader, function, function_length);
        else
            take_line(&reader, line, length);
    }
    Assembly *assembly = arena_alloc(arena, sizeof *assembly);
    *assembly = (Assembly){reader.functions.count, vec_copy(&reader.functions, arena)};
    for (size_t i = 0; i < reader.tables.count; i++)
        vec_free(&reader.tables.items[i].targets);
    vec_free(&reader.tables);
    vec_free(&reader.functions);
    vec_free(&reader.instructions);
    vec_free(&reader.blocks);
    vec_free(&reader.labels);
    return assembly;
}
