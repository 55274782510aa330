/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporary file for data that is too large for memory. */
#include "base/files.h"
#include "base/spill.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void pieces_come_back_in_any_order(void **state)
{
    enum { N = 50, SIZE = 10000 };
    static char written[N][SIZE], read[SIZE];
    Spill spill = {0};
    uint64_t offsets[N];
    Err err;
    for (int i = 0; i < N; i++) {
        memset(written[i], i + 1, SIZE);
        assert_true(spill_write(&spill, written[i], SIZE, &offsets[i], &err));
    }
    for (int i = 0; i < N; i++) {
        int piece = i * 7 % N;
        assert_true(spill_read(&spill, offsets[piece], read, SIZE, &err));
        assert_memory_equal(read, written[piece], SIZE);
    }
    spill_free(&spill);
}

static void once_all_came_back_the_file_is_empty_again(void **state)
{
    char piece[100] = "some";
    Spill spill = {0};
    uint64_t first, second, third;
    Err err;
    assert_true(spill_write(&spill, piece, sizeof piece, &first, &err));
    assert_true(spill_write(&spill, piece, sizeof piece, &second, &err));
    assert_true(spill_read(&spill, first, piece, sizeof piece, &err));
    assert_true(spill_read(&spill, second, piece, sizeof piece, &err));
    assert_true(spill_write(&spill, piece, sizeof piece, &third, &err));
    assert_int_equal(third, 0);
    assert_string_equal(piece, "some");
    spill_free(&spill);
}

static void the_file_has_no_name(void **state)
{
    char directory[] = "/tmp/firma-spill-test-XXXXXX";
    assert_non_null(mkdtemp(directory));
    setenv("TMPDIR", directory, 1);
    Spill spill = {0};
    uint64_t offset;
    Err err;
    assert_true(spill_write(&spill, "x", 1, &offset, &err));
    assert_true(files_is_empty(directory));
    spill_free(&spill);
    rmdir(directory);
    unsetenv("TMPDIR");
}

static void a_directory_that_is_not_there_is_named(void **state)
{
    setenv("TMPDIR", "/nowhere/at/all", 1);
    Spill spill = {0};
    uint64_t offset;
    Err err = {0};
    assert_false(spill_write(&spill, "x", 1, &offset, &err));
    assert_error(err, ERR_ENVIRONMENT, "/nowhere/at/all");
    spill_free(&spill);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_come_back_in_any_order),
        cmocka_unit_test(once_all_came_back_the_file_is_empty_again),
        cmocka_unit_test(the_file_has_no_name),
        cmocka_unit_test(a_directory_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
