/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables, by their declarations. Which ones are constant is known when all functions are
 * read. */
#include "cost/source/c/tree.h"

#include <math.h>

bool c_evaluate(CReader *reader, CXCursor cursor, double *value)
{
    const Clang *clang = reader->clang;
    CXEvalResult result = clang->Cursor_Evaluate(cursor);
    if (!result)
        return false;
    CXEvalResultKind kind = clang->EvalResult_getKind(result);
    if (kind == CXEval_Float)
        *value = clang->EvalResult_getAsDouble(result);
    else if (kind == CXEval_Int && clang->EvalResult_isUnsignedInt(result))
        *value = (double)clang->EvalResult_getAsUnsigned(result);
    else if (kind == CXEval_Int)
        *value = (double)clang->EvalResult_getAsLongLong(result);
    clang->EvalResult_dispose(result);
    return kind == CXEval_Float || kind == CXEval_Int;
}

/* Whether other units may assign the variable: a global that is neither const nor static. */
static bool may_change_elsewhere(CReader *reader, CXCursor declaration, CXType type)
{
    const Clang *clang = reader->clang;
    return clang->getCursorKind(declaration) == CXCursor_VarDecl &&
           clang->Cursor_hasVarDeclGlobalStorage(declaration) == 1 &&
           clang->Cursor_getStorageClass(declaration) != CX_SC_Static && !clang->isConstQualifiedType(type);
}

static SourceVariable *new_variable(CReader *reader, CXCursor declaration)
{
    const Clang *clang = reader->clang;
    CXType type = clang->getCursorType(declaration);
    SourceVariable *variable = arena_alloc(reader->arena, sizeof *variable);
    variable->name = c_string(reader, clang->getCursorSpelling(declaration));
    variable->is_parameter = clang->getCursorKind(declaration) == CXCursor_ParmDecl;
    variable->is_global = !variable->is_parameter && clang->Cursor_hasVarDeclGlobalStorage(declaration) == 1;
    variable->value = NAN;
    if (!c_cpu_type(reader, declaration, type, &variable->type))
        variable->type = CPU_REFERENCE;
    CXCursor definition = clang->getCursorDefinition(declaration);
    if (!variable->is_parameter && c_is_number(reader, type))
        c_evaluate(reader, clang->Cursor_isNull(definition) ? declaration : definition, &variable->value);
    variable->initial = variable->value;
    variable->holds_fractions = c_holds_fractions(reader, type);
    variable->is_defined = variable->is_global && clang->Cursor_getStorageClass(declaration) != CX_SC_Extern;
    variable->is_static = variable->is_global && clang->Cursor_getStorageClass(declaration) == CX_SC_Static;
    if (!variable->is_parameter && clang->getCanonicalType(type).kind == CXType_ConstantArray)
        variable->array_bytes = fmax(0, (double)clang->Type_getSizeOf(type));
    variable->bytes = variable->is_parameter ? 0 : fmax(0, (double)clang->Type_getSizeOf(type));
    variable->sizes = variable->is_parameter ? NULL : c_sizes(reader, type);
    return variable;
}

SourceVariable *c_variable(CReader *reader, CXCursor declaration)
{
    const Clang *clang = reader->clang;
    CXCursor canonical = clang->getCanonicalCursor(declaration);
    uint64_t *first = map_put(&reader->variable_of_hash, hash_word((MapKey){0, 0}, clang->hashCursor(canonical)), NULL);
    for (size_t at = *first; at; at = reader->variables.items[at - 1].next)
        if (clang->equalCursors(reader->variables.items[at - 1].cursor, canonical))
            return reader->variables.items[at - 1].variable;
    CVariable entry = {.cursor = canonical, .variable = new_variable(reader, canonical), .next = *first};
    entry.is_assigned = may_change_elsewhere(reader, canonical, clang->getCursorType(canonical));
    *vec_push(&reader->variables) = entry;
    *first = reader->variables.count;
    return entry.variable;
}

void c_assigned(CReader *reader, const SourceVariable *variable)
{
    for (size_t i = reader->variables.count; i-- > 0;) {
        if (reader->variables.items[i].variable != variable)
            continue;
        reader->variables.items[i].is_assigned = true;
        return;
    }
}

void c_finish_variables(CReader *reader)
{
    for (size_t i = 0; i < reader->variables.count; i++) {
        CVariable *entry = &reader->variables.items[i];
        entry->variable->is_constant = !entry->is_assigned;
        if (entry->is_assigned)
            entry->variable->value = NAN;
    }
}
