/* SPDX-License-Identifier: BSD-3-Clause */
/* See inputs.h. */
#include "fuzz/inputs.h"

#include "fuzz/mutation.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { HANG_CPU_SECONDS = 30 };

static struct {
    const char *text;
    size_t length;
    char file[64];
} current;

size_t fuzz_inputs(size_t usual)
{
    const char *wanted = getenv("FIRMA_FUZZ_INPUTS");
    return wanted && *wanted ? strtoull(wanted, NULL, 10) : usual;
}

static void give_up(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(2);
}

static FuzzText load(const char *folder, const char *name)
{
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0)
        give_up("cannot be read", path);
    FuzzText text = {calloc(1, (size_t)status.st_size + 1), (size_t)status.st_size};
    if (!text.bytes || read(file, text.bytes, text.length) != (ssize_t)text.length)
        give_up("cannot be read", path);
    close(file);
    return text;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

FuzzCorpus fuzz_load_corpus(const char *reader)
{
    const char *corpora = getenv("FUZZ_CORPUS");
    char folder[2048];
    struct dirent **entries;
    snprintf(folder, sizeof folder, "%s/%s", corpora ? corpora : "tests/fuzz/corpus", reader);
    int n = scandir(folder, &entries, is_visible, alphasort);
    if (n <= 0)
        give_up("no kept inputs; FUZZ_CORPUS must name the folder tests/fuzz/corpus", folder);
    FuzzCorpus corpus = {calloc((size_t)n, sizeof *corpus.texts), (size_t)n};
    for (int i = 0; i < n; i++) {
        corpus.texts[i] = load(folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return corpus;
}

void fuzz_free_corpus(FuzzCorpus *corpus)
{
    for (size_t i = 0; i < corpus->n; i++)
        free(corpus->texts[i].bytes);
    free(corpus->texts);
    *corpus = (FuzzCorpus){0};
}

const FuzzText *fuzz_choose(const FuzzCorpus *corpus, const FuzzText *original)
{
    return random_below(4) == 0 ? &corpus->texts[random_below((uint32_t)corpus->n)] : original;
}

static void keep_current(void)
{
    static const char said[] = "\nthe input is kept as ";
    int file = open(current.file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, current.text, current.length) != (ssize_t)current.length ||
        write(STDERR_FILENO, said, sizeof said - 1) < 0 ||
        write(STDERR_FILENO, current.file, strlen(current.file)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(3);
    close(file);
}

static void end_hang(int number)
{
    (void)number;
    keep_current();
    _exit(1);
}

void fuzz_begin(const char *reader, const char *text, size_t length)
{
    signal(SIGPROF, end_hang);
    signal(SIGABRT, end_hang);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = text ? HANG_CPU_SECONDS : 0}, NULL);
    current.text = text;
    current.length = length;
    snprintf(current.file, sizeof current.file, "fuzz-%s.failed", reader);
}

int fuzz_teardown(void **state)
{
    (void)state;
    if (current.text)
        keep_current();
    fuzz_begin("", NULL, 0);
    return 0;
}
