/* SPDX-License-Identifier: BSD-3-Clause */
/* See clang.h. */
#include "cost/source/c/clang.h"

#include "cost/source/program/program.h"
#include <dlfcn.h>
#include <stddef.h>

typedef struct ClangSymbol {
    const char *name;
    size_t offset; /* of its pointer, in Clang */
} ClangSymbol;

static const ClangSymbol SYMBOLS[] = {
#define CLANG_SYMBOL(name) {"clang_" #name, offsetof(Clang, name)},
    CLANG_FUNCTIONS(CLANG_SYMBOL)
#undef CLANG_SYMBOL
};

/* The library's name in Debian, and the one from LLVM. */
static const char *const NAMES[] = {
    "libclang-" LIBCLANG_VERSION ".so.1",
    "libclang-" LIBCLANG_VERSION ".so",
    LIBCLANG_FOLDER "/libclang.so",
};

static bool find_symbols(void *library, Clang *clang, Err *err)
{
    for (size_t i = 0; i < sizeof SYMBOLS / sizeof *SYMBOLS; i++) {
        void *symbol = dlsym(library, SYMBOLS[i].name);
        if (!symbol)
            return err_set(err, ERR_ENVIRONMENT, "libclang has no function %s", SYMBOLS[i].name);
        *(void **)((char *)clang + SYMBOLS[i].offset) = symbol;
    }
    *(void **)&clang->getCursorBinaryOperatorKind = dlsym(library, "clang_getCursorBinaryOperatorKind");
    *(void **)&clang->getBinaryOperatorKindSpelling = dlsym(library, "clang_getBinaryOperatorKindSpelling");
    *(void **)&clang->getCursorUnaryOperatorKind = dlsym(library, "clang_getCursorUnaryOperatorKind");
    *(void **)&clang->getUnaryOperatorKindSpelling = dlsym(library, "clang_getUnaryOperatorKindSpelling");
    return true;
}

bool clang_load(const Clang **clang, Err *err)
{
    static Clang loaded;
    static bool is_loaded;
    void *library = NULL;
    for (size_t i = 0; !is_loaded && !library && i < sizeof NAMES / sizeof *NAMES; i++)
        library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL);
    if (!is_loaded && !library) {
        err_set(err, ERR_ENVIRONMENT, "libclang, which reads C sources, can't be loaded: %s", dlerror());
        return err_hint(err, "install it (on Debian: apt-get install libclang1-%s libclang-common-%s-dev)",
                        LIBCLANG_VERSION, LIBCLANG_VERSION);
    }
    if (!is_loaded && !find_symbols(library, &loaded, err))
        return false;
    is_loaded = true;
    *clang = &loaded;
    return true;
}

bool source_find_clang(Arena *arena, const char **version, Err *err)
{
    const Clang *clang;
    if (!clang_load(&clang, err))
        return false;
    CXString text = clang->getClangVersion();
    *version = arena_strdup(arena, clang->getCString(text));
    clang->disposeString(text);
    return true;
}
