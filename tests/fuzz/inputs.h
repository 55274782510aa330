/* SPDX-License-Identifier: BSD-3-Clause */
/* What fuzzers share beside mutations: how many inputs they try, the kept inputs of tests/fuzz/corpus, and which input fails.
 *
 *     FIRMA_FUZZ_INPUTS   how many inputs a fuzzer makes, instead of its usual number
 *     FIRMA_FUZZ_SEED     other random numbers (mutation.h)
 *     FUZZ_CORPUS         the folder of kept inputs; each reader has a folder there
 */
#pragma once

#include <stddef.h>

/* FIRMA_FUZZ_INPUTS, or the usual number. */
size_t fuzz_inputs(size_t usual);

typedef struct FuzzText {
    char *bytes; /* has a 0 behind them */
    size_t length;
} FuzzText;

typedef struct FuzzCorpus {
    FuzzText *texts;
    size_t n;
} FuzzCorpus;

/* The kept inputs of a reader, in the order of their names. Ends the process if there are none. */
FuzzCorpus fuzz_load_corpus(const char *reader);
void fuzz_free_corpus(FuzzCorpus *corpus);

/* A kept input once in four times, otherwise the original. */
const FuzzText *fuzz_choose(const FuzzCorpus *corpus, const FuzzText *original);

/* The reader reads this text next. If reading takes too long, prints the text's copy in the file fuzz-READER.failed, and ends
 * the process. The text must stay as it is until the next call. NULL: no text is read any more. */
void fuzz_begin(const char *reader, const char *text, size_t length);

/* A teardown of cmocka: keeps the current text in the same way, if reading it failed. */
int fuzz_teardown(void **state);
