/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the main function of a library, as interpreters run their extensions. The library and its
 * MPI are loaded with RTLD_LOCAL, while other threads load and unload libraries.
 *
 *   recorder_loader LIBRARY ARGUMENT…
 *
 * With the argument "reload", unloads the library, and loads and runs it once more. */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Libraries of glibc that no program uses. A thread for each loads it again and again. */
static const char *const libraries[] = {"libBrokenLocale.so.1", "libanl.so.1", "libutil.so.1"};
enum { N_THREADS = sizeof libraries / sizeof *libraries };

static atomic_bool done;
static atomic_int n_loaded;

static void *load_and_unload(void *name)
{
    while (!done) {
        void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        n_loaded++;
        if (library)
            dlclose(library);
    }
    return NULL;
}

static void join(pthread_t threads[N_THREADS])
{
    done = true;
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
}

typedef int Main(int, char **);

static Main *load(const char *path, void **library)
{
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return *library ? (Main *)dlsym(*library, "main") : NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[N_THREADS];
    void *library;
    Main *run = argc > 1 ? load(argv[1], &library) : NULL;
    if (!run) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    for (int i = 0; i < N_THREADS; i++)
        if (pthread_create(&threads[i], NULL, load_and_unload, (void *)libraries[i]) != 0)
            return 2;
    while (n_loaded < N_THREADS)
        sched_yield();
    const int result = run(argc - 1, argv + 1);
    join(threads);
    if (argc > 2 && !strcmp(argv[2], "reload")) {
        dlclose(library);
        run = load(argv[1], &library);
        return run ? run(argc - 1, argv + 1) : 2;
    }
    return result;
}
