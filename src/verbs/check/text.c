/* SPDX-License-Identifier: BSD-3-Clause */
/* See binary.h. */
#include "verbs/check/text.h"

#include "base/json.h"
#include "report/table.h"

/* What firma does with the calls of a class. */
static const char *const meanings[] = {
    [CLASS_UNKNOWN] = "not known to firma: not recorded, not counted",
    [CLASS_COUNTED] = "counted by name, not recorded",
    [CLASS_WITHOUT_EVENT] = "time and number kept, not in the logical order",
    [CLASS_IO] = "a file operation: computation, and counted",
    [CLASS_RECORDED] = "recorded",
    [CLASS_LOCAL] = "doesn't communicate, needn't be recorded",
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

/* Classes that are fine take one line each, unless all is wanted. */
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
    switch (binary->linkage) {
    case BINARY_SHARED_MPI:
        return arena_printf(arena, "%s%s%s", view->mpi_name, view->mpi_name[0] ? ", " : "", binary->mpi_library);
    case BINARY_STATIC_MPI:
        return "in the program itself (statically linked): the recorder can't see it";
    case BINARY_STATIC_STRIPPED:
        return "can't be told: the program is static, without symbols; the recorder couldn't see it";
    case BINARY_WITHOUT_MPI:
        break;
    }
    return "none, in the program or in the libraries that it's linked with";
}

/* A no is told as an error, with what to do. */
static const char *answer_text(const Binary *binary, const BinaryView *view)
{
    bool is_yes = binary->linkage == BINARY_SHARED_MPI && view->recorder && !count_problems(binary);
    return is_yes ? "answer    it can be recorded, with every call that it can make\n" : "";
}

static const char *notes_text(const Binary *binary, Arena *arena)
{
    const char *text = "";
    if (!binary->followed)
        text = "note: its libraries were not looked at, as this machine's loader can't load it\n";
    for (uint32_t i = 0; i < binary->n_missing; i++)
        text = arena_printf(arena, "%snote: %s is needed, but isn't found on this machine\n", text, binary->missing[i]);
    if (binary->n_calls)
        text = arena_printf(
            arena, "%snote: these are the calls that it can make; which ones it does make, a trace tells\n", text);
    return text;
}

const char *binary_text(const Binary *binary, const BinaryView *view, Arena *arena)
{
    const char *recorder =
        binary->linkage != BINARY_SHARED_MPI
            ? ""
            : arena_printf(arena, "recorder  %s\n", view->recorder ? view->recorder : "none is built for this MPI");
    return arena_printf(arena, "program   %s\nMPI       %s\n%s%s\n%s%s%s", binary->path,
                        linkage_text(binary, view, arena), recorder, answer_text(binary, view),
                        binary->n_calls ? call_table(binary, view, arena) : "", binary->n_calls ? "\n" : "",
                        notes_text(binary, arena));
}

json_t *binary_json(const Binary *binary, const BinaryView *view)
{
    static const char *const linkages[] = {[BINARY_WITHOUT_MPI] = "none",
                                           [BINARY_SHARED_MPI] = "shared",
                                           [BINARY_STATIC_MPI] = "static",
                                           [BINARY_STATIC_STRIPPED] = "unknown"};
    json_t *document = json_object(), *calls = json_array(), *missing = json_array();
    json_object_set_new(document, "program", json_from_text(binary->path));
    json_object_set_new(document, "linkage", json_string(linkages[binary->linkage]));
    json_object_set_new(document, "mpi", json_from_text(view->mpi_name));
    json_object_set_new(document, "mpi_library", json_from_text(binary->mpi_library));
    if (view->recorder)
        json_object_set_new(document, "recorder", json_from_text(view->recorder));
    json_object_set_new(document, "libraries_followed", json_boolean(binary->followed));
    for (uint32_t i = 0; i < binary->n_missing; i++)
        json_array_append_new(missing, json_from_text(binary->missing[i]));
    json_object_set_new(document, "libraries_missing", missing);
    for (CallClass class = 0; class < CLASS_COUNT; class ++)
        json_object_set_new(document, call_class_name(class), json_integer(binary_count_calls(binary, class)));
    for (uint32_t i = 0; i < binary->n_calls; i++) {
        const BinaryCall *call = &binary->calls[i];
        json_t *one = json_object(), *importers = json_array();
        json_object_set_new(one, "call", json_from_text(call->name));
        json_object_set_new(one, "class", json_string(call_class_name(call->class)));
        for (uint32_t k = 0; k < call->n_importers; k++)
            json_array_append_new(importers, json_from_text(call->importers[k]));
        json_object_set_new(one, "imported_by", importers);
        json_array_append_new(calls, one);
    }
    json_object_set_new(document, "calls", calls);
    return document;
}
