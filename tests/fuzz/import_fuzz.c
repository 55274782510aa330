/* SPDX-License-Identifier: BSD-3-Clause */
/* Paraver and TI traces with bytes changed, cut and doubled at random. Each must be refused as bad
 * input with a line, or become a recording that the archive writer takes. */
#include "base/files.h"
#include "fuzz/inputs.h"
#include "fuzz/mutation.h"
#include "test.h"
#include "trace/archive.h"
#include "trace/import/import.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 600, LARGEST = 4096 };

static const char interesting[] = "0123456789:,()-. \n_#ci";

static const char paraver[] = "#Paraver (26/11/2026 at 12:40):9000_ns:1(2):1:2(1:1,2:1),3\n"
                              "c:1:1:2:1:2\nc:1:2:1:1\nc:1:3:2:2:1\ni:1:4:1:0:2:0\n"
                              "2:1:1:1:1:0:50000003:31\n2:2:1:2:1:0:50000003:31\n"
                              "2:1:1:1:1:10:50000003:0\n2:2:1:2:1:10:50000003:0\n"
                              "1:1:1:1:1:10:20:1\n"
                              "2:1:1:1:1:20:50000001:4\n2:1:1:1:1:25:50000001:0\n"
                              "3:2:1:2:1:30:31:1:1:1:1:25:60:80:7\n2:2:1:2:1:30:50000001:1\n2:2:1:2:1:33:50000001:0\n"
                              "2:1:1:1:1:50:50000001:6:42000050:7\n2:1:1:1:1:60:50000001:0\n"
                              "3:2:1:2:2:34:35:1:1:1:1:61:70:80:7\n"
                              "2:1:1:1:1:80:50000002:7:50100001:8:50100002:0:50100003:1:50100004:1\n"
                              "2:2:1:2:1:81:50000002:7:50100001:0:50100002:8:50100004:1\n"
                              "2:1:1:1:1:90:50000002:0\n2:2:1:2:1:91:50000002:0\n1:1:1:1:1:91:99:14\n"
                              "2:1:1:1:1:99:50000003:32\n2:2:1:2:1:99:50000003:32\n2:1:1:1:1:100:50000003:0\n";

static const char names[] = "EVENT_TYPE\n9   50000001    MPI Point-to-point\n9   50000002    MPI Collective Comm\n"
                            "9   50000003    MPI Other\nVALUES\n1   MPI_Send\n4   MPI_Irecv\n6   MPI_Waitall\n"
                            "7   MPI_Bcast\n8   MPI_Barrier\n31   MPI_Init\n32   MPI_Finalize\n";

static const char ti[] =
    "0 init\n0 compute 100\n0 isend 1 5 512 0\n0 irecv -333 -444 9 2\n0 waitall 2\n0 allReduce 1 5 0\n"
    "1 init 1\n1 irecv 0 5 512\n1 compute 1e2\n1 wait 0 1 5\n1 test 0 1 5\n1 send 0 3 9 2\n"
    "1 allReduce 1 5 0\n0 gather 4 0 1 1\n1 gather 4 4 0 1 1\n0 alltoallv 2 1 1 2 1 1 1 1\n"
    "1 alltoallv 2 1 1 2 1 1 1 1\n0 sendRecv 4 1 4 1 1 1\n1 sendRecv 4 0 4 0 1 1\n0 waitAny 2\n"
    "0 ibcast 8 1 0\n1 ibcast 8 1 0\n0 wait -333 -333 -779\n1 sleep 0.5\n0 bcast 3\n1 bcast 3\n"
    "0 reduce 3 1 1 0\n1 reduce 3 1 1 0\n0 comm_size 2\n0 finalize\n1 finalize\n";

static char folder[] = "/tmp/firma-fuzz-XXXXXX";

static const char *place(Arena *arena, const char *name)
{
    return arena_printf(arena, "%s/%s", folder, name);
}

/* Returns true if it was read, false if it was refused. */
static bool try_text(const char *reader, const char *text, size_t length)
{
    Arena *arena = arena_new();
    Err err = {0};
    ForeignFormat format;
    ArchiveSummary summary;
    const char *path = place(arena, "app.prv"), *recording = place(arena, "recording"), *made = place(arena, "trace");
    fuzz_begin(reader, text, length);
    assert_true(overwrite(path, text, length));
    assert_true(foreign_format(path, &format, &err));
    bool ok = format != FOREIGN_NONE && import_trace(path, format, 1e9, recording, NULL, arena, &err);
    if (format != FOREIGN_NONE && !ok) {
        const char *begins = arena_printf(arena, "%s: ", path);
        if (err.kind != ERR_INPUT || strncmp(err.message, begins, strlen(begins)) != 0)
            fail_msg("%s", err.message);
    }
    if (ok && !archive_write(recording, made, NULL, arena, &summary, &err))
        fail_msg("%s", err.message);
    files_remove_tree(recording);
    files_remove_tree(made);
    arena_free(arena);
    return ok;
}

static void change(const char *reader, const char *original)
{
    static char text[LARGEST + 1];
    FuzzCorpus kept = fuzz_load_corpus(reader);
    size_t n_read = 0, n = fuzz_inputs(2 * ROUNDS) / 2;
    assert_true(try_text(reader, original, strlen(original)));
    for (size_t i = 0; i < kept.n; i++)
        try_text(reader, kept.texts[i].bytes, kept.texts[i].length);
    for (size_t round = 0; round < n; round++) {
        const FuzzText *from = fuzz_choose(&kept, &(FuzzText){(char *)original, strlen(original)});
        memcpy(text, from->bytes, from->length);
        n_read += try_text(reader, text, mutate(text, from->length, LARGEST, interesting, sizeof interesting - 1));
    }
    fuzz_begin("", NULL, 0);
    fuzz_free_corpus(&kept);
    assert_true(n_read > 0 && n_read < n);
    print_message("# %zu of %zu traces were read\n", n_read, n);
}

static void changed_paraver_traces_are_read_or_refused(void **state)
{
    change("paraver", paraver);
}

static void changed_ti_traces_are_read_or_refused(void **state)
{
    change("ti", ti);
}

static int begin(void **state)
{
    Arena *arena = arena_new();
    Err err;
    bool ok = mkdtemp(folder) && files_save_text(place(arena, "app.pcf"), names, &err);
    arena_free(arena);
    return ok ? 0 : -1;
}

static int end(void **state)
{
    return files_remove_tree(folder) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(changed_paraver_traces_are_read_or_refused, fuzz_teardown),
        cmocka_unit_test_teardown(changed_ti_traces_are_read_or_refused, fuzz_teardown),
    };
    return cmocka_run_group_tests_name("imports", tests, begin, end);
}
