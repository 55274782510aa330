/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of MPI. Libraries define them in different ways: as numbers, or as addresses of
 * variables. So the compiler tells firma what they are: firma reads the calls of firma_known(),
 * which stands before the source. */
#include "cost/source/mpi/run.h"

#include <math.h>

const char mpi_prelude[] =
    "#include <mpi.h>\n"
    "#if defined OPEN_MPI\n#define FIRMA_LIBRARY 1\n#elif defined MPICH_VERSION\n#define FIRMA_LIBRARY 2\n"
    "#else\n#define FIRMA_LIBRARY 0\n#endif\n"
    "void firma_constants(); void firma_datatype(); void firma_comm(); void firma_null(); void firma_operation();\n"
    "static void firma_known(void) {\n"
    "firma_constants(MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_UNDEFINED, MPI_IN_PLACE, FIRMA_LIBRARY);\n"
    "firma_comm(MPI_COMM_WORLD); firma_null(MPI_COMM_NULL); firma_null(MPI_REQUEST_NULL);\n"
    "firma_null(MPI_DATATYPE_NULL);\n"
    "firma_operation(MPI_SUM, 1); firma_operation(MPI_PROD, 2); firma_operation(MPI_MAX, 3); "
    "firma_operation(MPI_MIN, 4);\n"
    "firma_datatype(MPI_CHAR, 1); firma_datatype(MPI_SIGNED_CHAR, 1); firma_datatype(MPI_UNSIGNED_CHAR, 1);\n"
    "firma_datatype(MPI_BYTE, 1); firma_datatype(MPI_PACKED, 1); firma_datatype(MPI_WCHAR, sizeof(__WCHAR_TYPE__));\n"
    "firma_datatype(MPI_SHORT, sizeof(short)); firma_datatype(MPI_UNSIGNED_SHORT, sizeof(short));\n"
    "firma_datatype(MPI_INT, sizeof(int)); firma_datatype(MPI_UNSIGNED, sizeof(int));\n"
    "firma_datatype(MPI_LONG, sizeof(long)); firma_datatype(MPI_UNSIGNED_LONG, sizeof(long));\n"
    "firma_datatype(MPI_LONG_LONG_INT, sizeof(long long)); firma_datatype(MPI_LONG_LONG, sizeof(long long));\n"
    "firma_datatype(MPI_UNSIGNED_LONG_LONG, sizeof(long long)); firma_datatype(MPI_C_BOOL, sizeof(_Bool));\n"
    "firma_datatype(MPI_FLOAT, sizeof(float)); firma_datatype(MPI_DOUBLE, sizeof(double));\n"
    "firma_datatype(MPI_LONG_DOUBLE, sizeof(long double));\n"
    "firma_datatype(MPI_INT8_T, 1); firma_datatype(MPI_UINT8_T, 1); firma_datatype(MPI_INT16_T, 2);\n"
    "firma_datatype(MPI_UINT16_T, 2); firma_datatype(MPI_INT32_T, 4); firma_datatype(MPI_UINT32_T, 4);\n"
    "firma_datatype(MPI_INT64_T, 8); firma_datatype(MPI_UINT64_T, 8);\n"
    "firma_datatype(MPI_AINT, sizeof(MPI_Aint)); firma_datatype(MPI_OFFSET, sizeof(MPI_Offset));\n"
    "firma_datatype(MPI_C_FLOAT_COMPLEX, 2 * sizeof(float));\n"
    "firma_datatype(MPI_C_DOUBLE_COMPLEX, 2 * sizeof(double));\n"
    "firma_datatype(MPI_2INT, 2 * sizeof(int)); firma_datatype(MPI_FLOAT_INT, sizeof(float) + sizeof(int));\n"
    "firma_datatype(MPI_DOUBLE_INT, sizeof(double) + sizeof(int));\n"
    "firma_datatype(MPI_LONG_INT, sizeof(long) + sizeof(int));\n"
    "}\n";

static Handle handle_of(HandleKind kind, const SourceExpression *value)
{
    Handle handle = {.kind = kind, .number = NAN};
    value = without_casts(value);
    const SourceExpression *target = value->kind == SOURCE_ADDRESS ? without_casts(value->operands[0]) : NULL;
    if (value->kind == SOURCE_NUMBER)
        handle.number = value->value;
    else if (target && target->kind == SOURCE_VARIABLE)
        handle.variable = target->variable;
    return handle;
}

static void read_call(World *world, const SourceExpression *call)
{
    if (strcmp(call->name, "firma_constants") == 0) {
        for (size_t i = 0; i < CONSTANTS && i < call->n_operands; i++)
            world->constants[i] = (int64_t)without_casts(call->operands[i])->value;
        return;
    }
    HandleKind kind = strcmp(call->name, "firma_datatype") == 0    ? HANDLE_DATATYPE
                      : strcmp(call->name, "firma_operation") == 0 ? HANDLE_OPERATION
                      : strcmp(call->name, "firma_comm") == 0      ? HANDLE_COMM
                                                                   : HANDLE_NULL;
    Handle handle = handle_of(kind, call->operands[0]);
    if (kind == HANDLE_DATATYPE || kind == HANDLE_OPERATION)
        handle.bytes = (int64_t)without_casts(call->operands[1])->value;
    *vec_push(&world->predefined) = handle;
}

void handles_read(World *world)
{
    const SourceFunction *known = source_find(world->all.program, "firma_known");
    for (size_t i = 0; known && i < known->body->n_children; i++) {
        const SourceStatement *statement = known->body->children[i];
        if (statement && statement->kind == SOURCE_EXPRESSION && statement->expressions[0]->kind == SOURCE_CALL)
            read_call(world, statement->expressions[0]);
    }
}

Amount handle_add(Run *run, Handle handle)
{
    *vec_push(&run->handles) = handle;
    return amount_number(run->world->all.space, LEAST_HANDLE + (double)(run->handles.count - 1));
}

Handle *handle_find(Run *run, Amount value)
{
    double number;
    if (!amount_is_number(value, &number))
        return NULL;
    if (is_handle(number)) {
        size_t index = (size_t)(number - LEAST_HANDLE);
        return index < run->handles.count ? &run->handles.items[index] : NULL;
    }
    for (size_t i = 0; i < run->world->predefined.count; i++)
        if (run->handles.items[i].number == number)
            return &run->handles.items[i];
    return NULL;
}
