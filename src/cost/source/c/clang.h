/* SPDX-License-Identifier: BSD-3-Clause */
/* libclang, loaded only when a C source is read. Loading takes tens of milliseconds, which other
 * verbs avoid. */
#pragma once

#include "base/err.h"
#include <clang-c/Index.h>

/* The functions of libclang that firma uses, without the prefix clang_. */
#define CLANG_FUNCTIONS(FUNCTION)                                                                                      \
    FUNCTION(Cursor_Evaluate)                                                                                          \
    FUNCTION(Cursor_getArgument)                                                                                       \
    FUNCTION(Cursor_getNumArguments)                                                                                   \
    FUNCTION(Cursor_getStorageClass)                                                                                   \
    FUNCTION(Cursor_getVarDeclInitializer)                                                                             \
    FUNCTION(Cursor_hasVarDeclGlobalStorage)                                                                           \
    FUNCTION(Cursor_isNull)                                                                                            \
    FUNCTION(EvalResult_dispose)                                                                                       \
    FUNCTION(EvalResult_getAsDouble)                                                                                   \
    FUNCTION(EvalResult_getAsLongLong)                                                                                 \
    FUNCTION(EvalResult_getAsUnsigned)                                                                                 \
    FUNCTION(EvalResult_getKind)                                                                                       \
    FUNCTION(EvalResult_isUnsignedInt)                                                                                 \
    FUNCTION(Location_isInSystemHeader)                                                                                \
    FUNCTION(Type_getSizeOf)                                                                                           \
    FUNCTION(createIndex)                                                                                              \
    FUNCTION(disposeDiagnostic)                                                                                        \
    FUNCTION(disposeIndex)                                                                                             \
    FUNCTION(disposeString)                                                                                            \
    FUNCTION(disposeTokens)                                                                                            \
    FUNCTION(disposeTranslationUnit)                                                                                   \
    FUNCTION(equalCursors)                                                                                             \
    FUNCTION(getArrayElementType)                                                                                      \
    FUNCTION(getArraySize)                                                                                             \
    FUNCTION(getCString)                                                                                               \
    FUNCTION(getClangVersion)                                                                                          \
    FUNCTION(getCanonicalCursor)                                                                                       \
    FUNCTION(getCanonicalType)                                                                                         \
    FUNCTION(getPointeeType)                                                                                           \
    FUNCTION(getCursorDefinition)                                                                                      \
    FUNCTION(getCursorExtent)                                                                                          \
    FUNCTION(getCursorKind)                                                                                            \
    FUNCTION(getCursorKindSpelling)                                                                                    \
    FUNCTION(getCursorLocation)                                                                                        \
    FUNCTION(getCursorReferenced)                                                                                      \
    FUNCTION(getCursorResultType)                                                                                      \
    FUNCTION(getCursorSemanticParent)                                                                                  \
    FUNCTION(getCursorSpelling)                                                                                        \
    FUNCTION(getCursorType)                                                                                            \
    FUNCTION(getDiagnostic)                                                                                            \
    FUNCTION(getDiagnosticLocation)                                                                                    \
    FUNCTION(getDiagnosticSeverity)                                                                                    \
    FUNCTION(getDiagnosticSpelling)                                                                                    \
    FUNCTION(getEnumConstantDeclValue)                                                                                 \
    FUNCTION(getEnumDeclIntegerType)                                                                                   \
    FUNCTION(getExpansionLocation)                                                                                     \
    FUNCTION(getFieldDeclBitWidth)                                                                                     \
    FUNCTION(getFile)                                                                                                  \
    FUNCTION(getFileContents)                                                                                          \
    FUNCTION(getFileName)                                                                                              \
    FUNCTION(getFileLocation)                                                                                          \
    FUNCTION(getInclusions)                                                                                            \
    FUNCTION(getLocation)                                                                                              \
    FUNCTION(getLocationForOffset)                                                                                     \
    FUNCTION(getNumDiagnostics)                                                                                        \
    FUNCTION(getRange)                                                                                                 \
    FUNCTION(getRangeEnd)                                                                                              \
    FUNCTION(getRangeStart)                                                                                            \
    FUNCTION(getTokenKind)                                                                                             \
    FUNCTION(getTokenLocation)                                                                                         \
    FUNCTION(getTokenSpelling)                                                                                         \
    FUNCTION(getTypeDeclaration)                                                                                       \
    FUNCTION(getTypeSpelling)                                                                                          \
    FUNCTION(getTranslationUnitCursor)                                                                                 \
    FUNCTION(hashCursor)                                                                                               \
    FUNCTION(isConstQualifiedType)                                                                                     \
    FUNCTION(isCursorDefinition)                                                                                       \
    FUNCTION(isExpression)                                                                                             \
    FUNCTION(isStatement)                                                                                              \
    FUNCTION(parseTranslationUnit2)                                                                                    \
    FUNCTION(tokenize)                                                                                                 \
    FUNCTION(visitChildren)

typedef struct Clang {
#define CLANG_MEMBER(name) __typeof__(clang_##name) *name;
    CLANG_FUNCTIONS(CLANG_MEMBER)
#undef CLANG_MEMBER
    /* In libclang 17 and later. NULL: operators are found by their tokens. Declared here for older
     * headers. */
    int (*getCursorBinaryOperatorKind)(CXCursor cursor);
    CXString (*getBinaryOperatorKindSpelling)(int kind);
    int (*getCursorUnaryOperatorKind)(CXCursor cursor);
    CXString (*getUnaryOperatorKindSpelling)(int kind);
} Clang;

/* Loads libclang once per process. ERR_ENVIRONMENT: it isn't installed. */
bool clang_load(const Clang **clang, Err *err);
