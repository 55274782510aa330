/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts C's types to the machine types whose costs are known. */
#include "cost/source/c/tree.h"

static bool integer_of_size(long long size_bytes, CpuType *type)
{
    switch (size_bytes) {
    case 1:
        *type = CPU_INT8;
        return true;
    case 2:
        *type = CPU_INT16;
        return true;
    case 4:
        *type = CPU_INT32;
        return true;
    case 8:
        *type = CPU_INT64;
        return true;
    default:
        return false;
    }
}

static bool is_integer(enum CXTypeKind kind)
{
    return (kind >= CXType_Bool && kind <= CXType_LongLong) || kind == CXType_Enum;
}

bool c_is_number(CReader *reader, CXType type)
{
    enum CXTypeKind kind = reader->clang->getCanonicalType(type).kind;
    return is_integer(kind) || (kind >= CXType_Float && kind <= CXType_LongDouble);
}

bool c_cpu_type(CReader *reader, CXCursor cursor, CXType type, CpuType *cpu_type)
{
    CXType canonical = reader->clang->getCanonicalType(type);
    if (is_integer(canonical.kind))
        return integer_of_size(reader->clang->Type_getSizeOf(canonical), cpu_type);
    switch (canonical.kind) {
    case CXType_Float:
        *cpu_type = CPU_FLOAT;
        return true;
    case CXType_LongDouble:
        c_note(reader, cursor, "long double counts as double");
        *cpu_type = CPU_DOUBLE;
        return true;
    case CXType_Double:
        *cpu_type = CPU_DOUBLE;
        return true;
    case CXType_Void:
        *cpu_type = CPU_INT32;
        return true;
    case CXType_Pointer:
    case CXType_Record:
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        *cpu_type = CPU_REFERENCE;
        return true;
    default:
        return false;
    }
}

bool c_type(CReader *reader, CXCursor cursor, CpuType *type)
{
    return c_cpu_type(reader, cursor, reader->clang->getCursorType(cursor), type);
}
