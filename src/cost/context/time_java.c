/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles kernels in Java. One JVM runs them (cost/cpu/worker/FirmaKernels.java), with the options with
 * which tasks run: none. */
#include "cost/context/kernels.h"

#include "base/libraries.h"
#include "base/process.h"

#define WORKER_FOLDER "cost/cpu/worker"

static bool compile(const char *source, const char *worker, const char *directory, Arena *arena, Err *err)
{
    /* A short run of the compiler: the JVM's thorough optimizations would take longer than they save. */
    const char *const words[] = {"javac",
                                 "-J-XX:TieredStopAtLevel=1",
                                 "-J-XX:+UseSerialGC",
                                 "-encoding",
                                 "UTF-8",
                                 "-d",
                                 directory,
                                 source,
                                 worker,
                                 NULL};
    KernelsOutput output = {"", "", NULL, 0};
    int status = 0;
    if (!process_find("java", NULL, arena) || !process_find("javac", NULL, arena))
        return err_set(err, ERR_ENVIRONMENT, "java or javac isn't on PATH") ||
               err_hint(err, "install a JDK (on Debian: apt-get install openjdk-17-jdk-headless)");
    return kernels_follow(words, &output, &status, arena, err) &&
           (status == 0 || err_set(err, ERR_ENVIRONMENT, "javac: %s", *output.error ? output.error : output.first));
}

bool kernels_prepare_java(const char *source, const char *directory, double seconds, Arena *arena, KernelsWords *words,
                          Err *err)
{
    const char *worker = libraries_find_source("FirmaKernels.java", WORKER_FOLDER, arena);
    if (!worker)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks FirmaKernels.java, which runs kernels") ||
               err_hint(err, "install firma again");
    const char *const first[] = {"java", "-cp", directory, "FirmaKernels", arena_printf(arena, "%.6g", seconds)};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        *vec_push(words) = first[i];
    return compile(source, worker, directory, arena, err);
}
