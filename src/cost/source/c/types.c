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

bool c_holds_fractions(CReader *reader, CXType type)
{
    const Clang *clang = reader->clang;
    CXType inner = clang->getCanonicalType(type);
    for (bool goes_on = true; goes_on;) {
        CXType element = clang->getArrayElementType(inner);
        element = element.kind == CXType_Invalid ? clang->getPointeeType(inner) : element;
        goes_on = element.kind != CXType_Invalid;
        inner = goes_on ? clang->getCanonicalType(element) : inner;
    }
    return inner.kind == CXType_Complex || (c_is_number(reader, inner) && !is_integer(inner.kind));
}

SourceSign c_sign(CReader *reader, CXType type)
{
    const Clang *clang = reader->clang;
    CXType canonical = clang->getCanonicalType(type);
    if (canonical.kind == CXType_Enum) /* as gcc has it: unsigned unless an enumerator is negative */
        canonical = clang->getCanonicalType(clang->getEnumDeclIntegerType(clang->getTypeDeclaration(canonical)));
    switch (canonical.kind) {
    case CXType_Bool:
        return SOURCE_TRUTH;
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
        return SOURCE_UNSIGNED;
    default:
        return SOURCE_SIGNED;
    }
}

static CXType element_type(CReader *reader, CXType array)
{
    CXType element = reader->clang->getArrayElementType(array);
    return element.kind == CXType_Invalid ? element : reader->clang->getCanonicalType(element);
}

const char *c_held(CReader *reader, CXType type)
{
    static const char *const whole[] = {"int8", "int16", "int32", "int64"};
    const Clang *clang = reader->clang;
    CpuType size;
    type = clang->getCanonicalType(type);
    for (CXType element; (element = element_type(reader, type)).kind != CXType_Invalid;)
        type = element;
    if (is_integer(type.kind))
        return integer_of_size(clang->Type_getSizeOf(type), &size) ? whole[size] : NULL;
    switch (type.kind) {
    case CXType_Void:
        return HELD_NOTHING;
    case CXType_Float:
        return "float";
    case CXType_Double:
        return "double";
    case CXType_LongDouble:
        return "long double";
    case CXType_Pointer:
        return "reference";
    case CXType_Record: /* without `const` */
        return c_string(reader, clang->getTypeSpelling(clang->getCursorType(clang->getTypeDeclaration(type))));
    default:
        return NULL;
    }
}

enum { DIMENSIONS_LIMIT = 8 };

const SourceSizes *c_sizes(CReader *reader, CXType type)
{
    const Clang *clang = reader->clang;
    int64_t sizes[DIMENSIONS_LIMIT];
    size_t n = 0;
    for (type = clang->getCanonicalType(type); n < DIMENSIONS_LIMIT; n++) {
        CXType element = clang->getArrayElementType(type);
        if (element.kind == CXType_Invalid)
            break;
        sizes[n] = type.kind == CXType_ConstantArray ? clang->getArraySize(type) : 0;
        type = clang->getCanonicalType(element);
    }
    if (n < 2)
        return NULL;
    SourceSizes *made = arena_alloc(reader->arena, sizeof *made + n * sizeof *made->items);
    made->n = n;
    memcpy(made->items, sizes, n * sizeof *sizes);
    return made;
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
