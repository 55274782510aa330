/* SPDX-License-Identifier: BSD-3-Clause */
/* See text.h. */
#include "verbs/check/text.h"

#include "base/text.h"
#include "report/table.h"

/* What firma does with the calls of a class. */
static const char *const meanings[] = {
    [CLASS_UNKNOWN] = "not known to firma: not recorded, not counted",
    [CLASS_COUNTED] = "counted by name, not recorded",
    [CLASS_WITHOUT_EVENT] = "time and number kept, not in the logical order",
    [CLASS_IO] = "a file operation: computation, and counted",
    [CLASS_RECORDED] = "recorded",
    [CLASS_LOCAL] = "doesn't communicate, so isn't recorded",
};

static const char *importers_text(const BinaryCall *call, Arena *arena)
{
    enum { SHOWN = 3 };
    const char *text = arena_join(arena, call->importers, call->n_importers < SHOWN ? call->n_importers : SHOWN);
    return call->n_importers > SHOWN ? arena_printf(arena, "%s and %u others", text, call->n_importers - SHOWN) : text;
}

static bool is_problem(CallClass class)
{
    return class == CLASS_UNKNOWN || class == CLASS_COUNTED;
}

static uint32_t count_problems(const Binary *binary)
{
    return binary_count_calls(binary, CLASS_UNKNOWN) + binary_count_calls(binary, CLASS_COUNTED);
}

/* Classes without problems take one line each, unless --all is given. */
static const char *call_table(const Binary *binary, const BinaryView *view, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "call|what firma does");
    table_column(table, view->all || count_problems(binary) ? "imported by" : "", TABLE_LEFT);
    for (uint32_t i = 0; i < binary->n_calls; i++) {
        const BinaryCall *call = &binary->calls[i];
        if (!view->all && !is_problem(call->class))
            continue;
        table_cells(table, "%s|%s|%s", call->name, meanings[call->class], importers_text(call, arena));
        table_row_style(table, is_problem(call->class)      ? TABLE_BAD
                               : call->class == CLASS_LOCAL ? TABLE_DIM
                                                            : TABLE_PLAIN);
    }
    for (CallClass class = 0; class < CLASS_COUNT; class ++) {
        uint32_t count = binary_count_calls(binary, class);
        if (view->all || is_problem(class) || !count)
            continue;
        table_cells(table, "%u call%s|%s|%s", count, count == 1 ? "" : "s", meanings[class], "");
        table_row_style(table, class == CLASS_LOCAL ? TABLE_DIM : TABLE_PLAIN);
    }
    return table_text(table, view->color);
}

static const char *linkage_text(const Binary *binary, const BinaryView *view, Arena *arena)
{
    if (view->holds_recorder)
        return "PVM, in the program itself, with firma's recorder";
    switch (binary->linkage) {
    case BINARY_SHARED_MPI:
        return arena_printf(arena, "%s%s%s", view->mpi_name, view->mpi_name[0] ? ", " : "", binary->mpi_library);
    case BINARY_STATIC_MPI:
        return "in the program itself (statically linked): the recorder can't see its calls";
    case BINARY_STATIC_STRIPPED:
        return "unknown: the program is static, without symbols; the recorder couldn't see its calls";
    case BINARY_WITHOUT_MPI:
        break;
    }
    return "none, neither in the program nor in its libraries";
}

/* Only the answer yes; the answer no is an error, with a hint. */
static const char *answer_text(const Binary *binary, const BinaryView *view)
{
    bool is_yes = binary->linkage == BINARY_SHARED_MPI && view->recorder && !count_problems(binary);
    return is_yes ? "answer    firma can record this program, with every call that it can make\n" : "";
}

static const char *notes_text(const Binary *binary, Arena *arena)
{
    const char *text = "";
    if (!binary->followed)
        text = "note: libraries were not examined, since this machine's loader can't load the program\n";
    for (uint32_t i = 0; i < binary->n_missing; i++)
        text =
            arena_printf(arena, "%snote: the program needs %s, which this machine lacks\n", text, binary->missing[i]);
    if (binary->n_calls)
        text = arena_printf(
            arena, "%snote: these are the calls that the program can make; a trace shows which ones it makes\n", text);
    return text;
}

const char *binary_text(const Binary *binary, const BinaryView *view, Arena *arena)
{
    const char *recorder =
        binary->linkage != BINARY_SHARED_MPI
            ? ""
            : arena_printf(arena, "recorder  %s\n",
                           view->recorder ? text_as_line(view->recorder, arena) : "none is built for this MPI");
    return arena_printf(arena, "program   %s\nMPI       %s\n%s%s\n%s%s%s", text_as_line(binary->path, arena),
                        linkage_text(binary, view, arena), recorder, answer_text(binary, view),
                        binary->n_calls ? call_table(binary, view, arena) : "", binary->n_calls ? "\n" : "",
                        notes_text(binary, arena));
}

/* ---- JSON ---- */

typedef struct BinaryDocument {
    const Binary *binary;
    const BinaryView *view;
    uint32_t count[CLASS_COUNT];
} BinaryDocument;

static json_t *class_json(const FieldContext *context, const void *record)
{
    (void)context;
    return json_string(call_class_name(((const BinaryCall *)record)->class));
}

static const FieldList call_fields =
    FIELDS(BinaryCall, FIELD_AS(BinaryCall, name, "call", "its name in C"),
           FIELD_OWN("class", SHAPE_ONE, class_json, NULL, "a key above that counts such calls", .noun = "text"),
           FIELD_LIST(BinaryCall, importers, n_importers, "imported_by", "the program, or libraries that it needs"));

static const char *const linkages[] = {[BINARY_WITHOUT_MPI] = "none",
                                       [BINARY_SHARED_MPI] = "shared",
                                       [BINARY_STATIC_MPI] = "static",
                                       [BINARY_STATIC_STRIPPED] = "unknown",
                                       NULL};

static const FieldList program_fields =
    FIELDS(Binary, FIELD_AS(Binary, path, "program", "its file"),
           FIELD(Binary, linkage,
                 "how it is linked with MPI: `shared`, `static`, `none`; `unknown`: static, and without symbols",
                 .choices = linkages));

static const FieldList mpi_fields =
    FIELDS(BinaryView, FIELD_AS(BinaryView, mpi_name, "mpi", "which MPI; empty: none that firma knows"));

static const FieldList library_fields =
    FIELDS(Binary, FIELD(Binary, mpi_library, "path of the MPI library, or its name if it is missing here"));

static const FieldList recorder_fields =
    FIELDS(BinaryView, FIELD(BinaryView, recorder, "path; absent: none is built for this MPI", .flags = FIELD_ABSENT));

static const FieldList missing_fields =
    FIELDS(Binary, FIELD_AS(Binary, followed, "libraries_followed", "whether the calls of its libraries are known"),
           FIELD_LIST(Binary, missing, n_missing, "libraries_missing",
                      "libraries that the program needs and this machine lacks"));

static const FieldList calls_fields =
    FIELDS(Binary, FIELD_LIST(Binary, calls, n_calls, "calls", "by class, then name", .of = &call_fields));

const FieldList binary_fields = FIELDS(
    BinaryDocument, FIELD_INLINE_POINTED(BinaryDocument, binary, program_fields),
    FIELD_INLINE_POINTED(BinaryDocument, view, mpi_fields),
    FIELD_INLINE_POINTED(BinaryDocument, binary, library_fields),
    FIELD_INLINE_POINTED(BinaryDocument, view, recorder_fields),
    FIELD_INLINE_POINTED(BinaryDocument, binary, missing_fields),
    FIELD_AS(BinaryDocument, count[CLASS_RECORDED], "recorded", "calls that are events, or explain events"),
    FIELD_AS(BinaryDocument, count[CLASS_IO], "io", "file operations: computation, and counted"),
    FIELD_AS(BinaryDocument, count[CLASS_WITHOUT_EVENT], "without_event", "calls whose time and number are kept"),
    FIELD_AS(BinaryDocument, count[CLASS_COUNTED], "counted", "calls that communicate, but are counted only"),
    FIELD_AS(BinaryDocument, count[CLASS_LOCAL], "local", "calls that don't communicate"),
    FIELD_AS(BinaryDocument, count[CLASS_UNKNOWN], "unknown", "calls that firma doesn't know"),
    FIELD_INLINE_POINTED(BinaryDocument, binary, calls_fields));

json_t *binary_json(const Binary *binary, const BinaryView *view)
{
    BinaryDocument document = {.binary = binary, .view = view};
    for (CallClass class = 0; class < CLASS_COUNT; class ++)
        document.count[class] = binary_count_calls(binary, class);
    return fields_to_json(&binary_fields, &document, 0);
}
