/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses a C source and its includes with libclang, and reports the compiler's errors. */
#include "cost/source/c/tree.h"

#include "base/files.h"
#include "base/words.h"
#include <stdio.h>

static bool fail(const Clang *clang, CXDiagnostic diagnostic, const char *source, unsigned n_more, Err *err)
{
    CXString words = clang->getDiagnosticSpelling(diagnostic);
    const char *message = clang->getCString(words);
    CXFile file;
    unsigned line, column;
    clang->getExpansionLocation(clang->getDiagnosticLocation(diagnostic), &file, &line, &column, NULL);
    if (file) {
        CXString name = clang->getFileName(file);
        err_set(err, ERR_INPUT, "%s:%u:%u: %s", clang->getCString(name), line, column, message);
        clang->disposeString(name);
    } else
        err_set(err, ERR_INPUT, "%s: %s", source, message);
    if (n_more)
        err_hint(err, "%u more error%s follow%s; `cc -fsyntax-only` with the same options lists them", n_more,
                 n_more > 1 ? "s" : "", n_more > 1 ? "" : "s");
    /* libclang's own headers are in a separate Debian package. */
    static const char *const OWN_HEADERS[] = {"'stddef.h'", "'stdarg.h'", "'limits.h'", "'float.h'", "'stdbool.h'"};
    for (size_t i = 0; i < sizeof OWN_HEADERS / sizeof *OWN_HEADERS; i++)
        if (strncmp(message, OWN_HEADERS[i], strlen(OWN_HEADERS[i])) == 0 && strstr(message, "file not found")) {
            err->kind = ERR_ENVIRONMENT;
            err_hint(err, "libclang lacks its own headers: install libclang-common-%s-dev", LIBCLANG_VERSION);
        }
    if (strncmp(message, "'omp.h' file not found", strlen("'omp.h' file not found")) == 0)
        err_hint(err, "it comes with gcc: install gcc, or name the folder of its omp.h by -I in the options");
    clang->disposeString(words);
    return false;
}

static bool check_diagnostics(const Clang *clang, CXTranslationUnit unit, const char *source, Err *err)
{
    CXDiagnostic first = NULL;
    unsigned n = clang->getNumDiagnostics(unit), n_errors = 0;
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic diagnostic = clang->getDiagnostic(unit, i);
        bool is_error = clang->getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        if (is_error && n_errors++ == 0)
            first = diagnostic;
        else
            clang->disposeDiagnostic(diagnostic);
    }
    if (!first)
        return true;
    fail(clang, first, source, n_errors - 1, err);
    clang->disposeDiagnostic(first);
    return false;
}

bool c_parse(const Clang *clang, CXIndex index, const SourceOptions *options, Arena *arena, CXTranslationUnit *unit,
             Err *err)
{
    static const char *const language[] = {"-xc", NULL};
    /* libclang doesn't show loops of OpenMP's directives. With inline functions, the C library's headers replace
     * functions that firma knows, as atoi, and without __NO_CTYPE by macros those of <ctype.h>. */
    static const char *const last[] = {"-fno-openmp",
                                       "-fno-inline",
                                       "-D__NO_CTYPE",
                                       "-Wno-error=implicit-function-declaration", /* as gcc takes them */
                                       "-Wno-error=implicit-int",
                                       "-Wno-error=int-conversion",
                                       NULL};
    const char *const *given;
    int n = 0;
    if (!files_check_input(options->file, err))
        return false;
    const char *wrong = words_split(options->options, arena, &given, NULL);
    if (wrong)
        return err_set(err, ERR_INPUT, "%s: compiler options \"%s\": %s", options->file, options->options, wrong);
    struct CXUnsavedFile prelude = {"/firma-prelude.h", options->prelude,
                                    options->prelude ? strlen(options->prelude) : 0};
    const char *const included[] = {options->prelude ? "-include" : NULL, prelude.Filename, NULL};
    const char *const *words = words_join((const char *const *const[]){language, given, included, last, NULL}, arena);
    while (words[n])
        n++;
    enum CXErrorCode code = clang->parseTranslationUnit2(index, options->file, words, n, &prelude,
                                                         options->prelude ? 1 : 0, CXTranslationUnit_KeepGoing, unit);
    if (code != CXError_Success || !*unit)
        return err_set(err, ERR_INPUT, "%s: libclang cannot parse this file (error %d)", options->file, (int)code);
    if (check_diagnostics(clang, *unit, options->file, err))
        return true;
    clang->disposeTranslationUnit(*unit);
    return false;
}
