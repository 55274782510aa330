/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions of the programs that measure communication: requests, sizes, and when a size has enough
 * samples. */
#include "base/median.h"
#include "comm/word.h"
#include "comm/worker/harness/geometry.h"
#include "comm/worker/harness/interfaces.h"
#include "comm/worker/harness/request.h"
#include "comm/worker/harness/stopping.h"
#include "comm/worker/harness/uneven.h"
#include "unit/fixture.h"

#include <stdlib.h>
#include <string.h>

static Err err;

static const char whole[] =
    "{\"transport\":\"tcp\",\"packing\":\"\",\"operations\":[\"pingpong\",\"barrier\"],\"sizes\":[0,8,1000],"
    "\"pairs\":\"all\",\"seconds\":1.5,\"target\":0.01,\"least\":10,\"most\":100,\"warmup\":5,\"cpus\":[1,0],"
    "\"method\":\"window\",\"rotate_bytes\":4096,\"touch\":true,\"peers\":[{}]}";

/* ---- the stopping rule ---- */

static void five_samples_have_no_interval(void **state)
{
    size_t low, high;
    for (size_t n = 0; n < 6; n++)
        assert_false(median_bounds(n, &low, &high));
    assert_true(median_bounds(6, &low, &high));
    assert_int_equal(low, 0);
    assert_int_equal(high, 5);
}

/* By tables of order statistics: n = 10: 2nd to 9th; 20: 6th to 15th; 50: 18th to 33rd; 100: 40th
 * to 61st. */
static void bounds_are_those_of_the_tables(void **state)
{
    const size_t expected[][3] = {{10, 1, 8}, {20, 5, 14}, {50, 17, 32}, {100, 39, 60}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        size_t low, high;
        assert_true(median_bounds(expected[i][0], &low, &high));
        assert_int_equal(low, expected[i][1]);
        assert_int_equal(high, expected[i][2]);
    }
}

static void bounds_lie_around_the_median_for_any_number(void **state)
{
    for (size_t n = 6; n < 3000; n++) {
        size_t low, high;
        assert_true(median_bounds(n, &low, &high));
        assert_true(low < n / 2 && high >= n / 2 && high < n);
        assert_int_equal(low + high, n - 1);
    }
}

static void equal_samples_reach_any_target(void **state)
{
    const double samples[] = {2, 2, 2, 2, 2, 2, 2, 2};
    assert_true(stopping_has_reached(samples, 8, 0));
    assert_false(stopping_has_reached(samples, 5, 1));
}

static void outliers_do_not_keep_a_median_from_its_target(void **state)
{
    double samples[100];
    for (size_t i = 0; i < 100; i++)
        samples[i] = i % 10 == 0 ? 1e6 : 1 + 0.001 * (double)(i % 7);
    assert_true(stopping_has_reached(samples, 100, 0.01));
    assert_false(stopping_has_reached(samples, 100, 0.0001));
}

/* ---- sizes ---- */

static void blocks_of_all_ranks_make_up_what_is_moved(void **state)
{
    const char *const operations[] = {"gather", "scatter", "allgather", "alltoall"};
    for (size_t k = 0; k < 4; k++)
        for (int n_ranks = 2; n_ranks < 9; n_ranks++)
            for (size_t bytes = 0; bytes < 50; bytes++) {
                Geometry geometry = geometry_of(operations[k], bytes, 0, 0, n_ranks);
                assert_int_equal(geometry.moved_bytes, geometry.block * (size_t)n_ranks);
                assert_true(geometry.moved_bytes >= bytes && geometry.moved_bytes < bytes + (size_t)n_ranks);
            }
}

static void reductions_are_of_whole_doubles(void **state)
{
    assert_int_equal(geometry_of("reduce", 0, 0, 0, 2).moved_bytes, 8);
    assert_int_equal(geometry_of("allreduce", 9, 0, 1, 2).moved_bytes, 16);
    assert_int_equal(geometry_of("reduce", 16, 0, 1, 2).block, 16);
}

static void the_root_alone_has_the_whole(void **state)
{
    assert_int_equal(geometry_of("gather", 100, 0, 0, 4).receive_bytes, 100);
    assert_int_equal(geometry_of("gather", 100, 0, 1, 4).receive_bytes, 0);
    assert_int_equal(geometry_of("scatter", 100, 0, 0, 4).send_bytes, 100);
    assert_int_equal(geometry_of("scatter", 100, 0, 3, 4).send_bytes, 0);
}

static void uneven_blocks_grow_linearly_to_twice_their_mean(void **state)
{
    for (int n_ranks = 2; n_ranks < 20; n_ranks++) {
        const size_t bytes = 1000 * (size_t)n_ranks * (size_t)(n_ranks - 1);
        for (int i = 0; i < n_ranks; i++)
            assert_int_equal(uneven_block(bytes, i, n_ranks), 2000 * (size_t)i);
        assert_int_equal(uneven_block(bytes, n_ranks - 1, n_ranks), 2 * bytes / (size_t)n_ranks);
    }
    for (size_t bytes = 0; bytes < 50; bytes++) /* also where shares aren't whole bytes */
        assert_int_equal(uneven_offset(bytes, 7, 7), bytes);
}

static void uneven_blocks_that_are_sent_are_received(void **state)
{
    enum { N = 5, BYTES = 1003 };
    int sent[N][N];
    for (int rank = 0; rank < N; rank++) {
        const UnevenBlocks *blocks = uneven_blocks(BYTES, rank, N);
        assert_int_equal(blocks->offsets[N - 1] + blocks->counts[N - 1], BYTES);
        assert_int_equal(blocks->sent_offsets[N - 1] + blocks->sent_counts[N - 1], BYTES);
        assert_int_equal(blocks->received_offsets[N - 1] + blocks->received_counts[N - 1], BYTES);
        assert_int_equal(blocks->sent_counts[rank], 0);
        memcpy(sent[rank], blocks->sent_counts, sizeof sent[rank]);
    }
    for (int rank = 0; rank < N; rank++)
        for (int other = 0; other < N; other++)
            assert_int_equal(uneven_blocks(BYTES, rank, N)->received_counts[other], sent[other][rank]);
}

static void uneven_operations_take_any_number_of_bytes(void **state)
{
    assert_int_equal(geometry_of("gatherv", 100, 0, 3, 4).moved_bytes, 100);
    assert_int_equal(geometry_of("gatherv", 100, 0, 3, 4).send_bytes, 50);
    assert_int_equal(geometry_of("gatherv", 100, 0, 3, 4).receive_bytes, 0);
    assert_int_equal(geometry_of("scatterv", 100, 0, 0, 4).send_bytes, 100);
    assert_int_equal(geometry_of("allgatherv", 100, 0, 0, 4).receive_bytes, 100);
    assert_int_equal(geometry_of("alltoallv", 100, 0, 2, 4).send_bytes, 100);
}

static void a_stream_moves_a_byte_at_the_least(void **state)
{
    assert_int_equal(geometry_of("pingpong", 0, 1, 0, 2).moved_bytes, 1);
    assert_int_equal(geometry_of("pingpong", 0, 0, 0, 2).moved_bytes, 0);
}

/* ---- requests ---- */

static bool parse(const char *text, Request *request)
{
    json_t *document;
    if (!request_load(text, &document, &err))
        return false;
    bool ok = request_parse(document, arena, request, &err);
    if (ok) /* the request's texts belong to the document */
        request->transport = arena_strdup(arena, request->transport);
    json_decref(document);
    return ok;
}

static void a_request_is_read_as_it_is_written(void **state)
{
    Request request;
    assert_true(parse(whole, &request));
    assert_string_equal(request.transport, "tcp");
    assert_int_equal(request.n_operations, 2);
    assert_string_equal(request.operations[1], "barrier");
    assert_int_equal(request.n_sizes, 3);
    assert_int_equal(request.sizes[2], 1000);
    assert_true(request.all_pairs && request.by_windows && request.touch);
    assert_int_equal(request.cpus[0], 1);
    assert_int_equal(request.n_peers, 1);
}

static void hexadecimal_says_the_same(void **state)
{
    Request request;
    json_t *document, *again;
    assert_true(request_load(whole, &document, &err));
    const char *digits = word_pack(document, arena);
    assert_int_equal(strspn(digits, "0123456789abcdef"), strlen(digits));
    assert_true(request_load(digits, &again, &err));
    assert_true(json_equal(document, again));
    assert_true(parse(digits, &request));
    json_decref(document);
    json_decref(again);
}

static void each_member_must_be_there(void **state)
{
    const char *const keys[] = {"transport", "operations", "sizes", "pairs",  "seconds",      "target", "least",
                                "most",      "warmup",     "cpus",  "method", "rotate_bytes", "touch"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *document;
        Request request;
        assert_true(request_load(whole, &document, &err));
        json_object_del(document, keys[i]);
        assert_false(request_parse(document, arena, &request, &err));
        assert_error(err, ERR_INPUT, keys[i]);
        json_decref(document);
    }
}

/* Any text is either a valid request or an error: texts with a changed character, and texts that
 * are cut off. */
static void broken_requests_are_errors(void **state)
{
    char text[sizeof whole];
    srand(1);
    for (int round = 0; round < 20000; round++) {
        Request request;
        memcpy(text, whole, sizeof whole);
        for (int change = rand() % 4; change >= 0; change--)
            text[(size_t)rand() % (sizeof whole - 1)] = (char)(32 + rand() % 96);
        if (round % 3 == 0)
            text[(size_t)rand() % sizeof whole] = '\0';
        if (!parse(text, &request))
            assert_error(err, ERR_INPUT, "the request");
    }
}

/* ---- counters ---- */

static void interfaces_that_grew_are_told(void **state)
{
    json_t *before = json_pack("{s:[i,i], s:[i,i]}", "lo", 5, 5, "eth0", 7, 9);
    json_t *after = json_pack("{s:[i,i], s:[i,i], s:[i,i]}", "lo", 5, 5, "eth0", 8, 19, "eth1", 0, 3);
    json_t *expected = json_pack("{s:[i,i], s:[i,i]}", "eth0", 1, 10, "eth1", 0, 3);
    json_t *growth = interfaces_growth(before, after);
    assert_true(json_equal(growth, expected));
    json_decref(before);
    json_decref(after);
    json_decref(expected);
    json_decref(growth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(five_samples_have_no_interval),
        fixture_test(bounds_are_those_of_the_tables),
        fixture_test(bounds_lie_around_the_median_for_any_number),
        fixture_test(equal_samples_reach_any_target),
        fixture_test(outliers_do_not_keep_a_median_from_its_target),
        fixture_test(blocks_of_all_ranks_make_up_what_is_moved),
        fixture_test(reductions_are_of_whole_doubles),
        fixture_test(the_root_alone_has_the_whole),
        fixture_test(uneven_blocks_grow_linearly_to_twice_their_mean),
        fixture_test(uneven_blocks_that_are_sent_are_received),
        fixture_test(uneven_operations_take_any_number_of_bytes),
        fixture_test(a_stream_moves_a_byte_at_the_least),
        fixture_test(a_request_is_read_as_it_is_written),
        fixture_test(hexadecimal_says_the_same),
        fixture_test(each_member_must_be_there),
        fixture_test(broken_requests_are_errors),
        fixture_test(interfaces_that_grew_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
