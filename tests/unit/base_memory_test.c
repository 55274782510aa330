/* SPDX-License-Identifier: BSD-3-Clause */
/* Arenas, growing arrays and growing texts. */
#include "base/json.h"
#include "base/text.h"
#include "unit/fixture.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void memory_of_an_arena_is_zeroed_and_aligned_for_any_type(void **state)
{
    for (size_t size = 1; size < 10000; size += 97) {
        unsigned char *block = arena_alloc(arena, size);
        assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 0);
        memset(block, 0xff, size);
    }
}

static void blocks_of_an_arena_do_not_overlap(void **state)
{
    enum { N = 300, MOST = 40000 };
    unsigned char *blocks[N];
    size_t sizes[N];
    for (unsigned i = 0; i < N; i++) {
        sizes[i] = i * 7919 % MOST;
        blocks[i] = arena_alloc(arena, sizes[i]);
        memset(blocks[i], (int)(i % 251), sizes[i]);
    }
    for (unsigned i = 0; i < N; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(blocks[i][k], i % 251);
}

static void an_empty_block_has_an_address_of_its_own(void **state)
{
    void *first = arena_alloc(arena, 0), *second = arena_alloc(arena, 0);
    assert_non_null(first);
    assert_ptr_not_equal(first, second);
}

static void texts_of_an_arena_are_copies(void **state)
{
    char text[] = "one two";
    const char *whole = arena_strdup(arena, text), *part = arena_strndup(arena, text, 3);
    text[0] = 'X';
    assert_string_equal(whole, "one two");
    assert_string_equal(part, "one");
    assert_string_equal(arena_strndup(arena, "one", 10), "one");
    assert_string_equal(arena_printf(arena, "%d-%s", 7, "x"), "7-x");
}

static void words_are_joined_by_one_blank_each(void **state)
{
    const char *const words[] = {"mpirun", "", "-n"};
    assert_string_equal(arena_join(arena, words, 3), "mpirun  -n");
    assert_string_equal(arena_join(arena, words, 1), "mpirun");
    assert_string_equal(arena_join(arena, words, 0), "");
}

static void count(void *of)
{
    ++*(int *)of;
}

static void an_arena_ends_what_libraries_allocated_once(void **state)
{
    int ended = 0;
    Arena *own = arena_new();
    arena_at_end(own, count, &ended);
    arena_at_end(own, count, &ended);
    assert_int_equal(ended, 0);
    arena_free(own);
    assert_int_equal(ended, 2);
    arena_free(NULL);
}

static void a_child_leaves_texts_in_a_shared_arena(void **state)
{
    enum { N = 1000 };
    Arena *shared = arena_new_shared(1 << 20, arena);
    assert_non_null(shared);
    const char **texts = arena_new_array(shared, const char *, N);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int i = 0; i < N; i++)
            texts[i] = arena_printf(shared, "text %d", i);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    arena_end_sharing(shared);
    assert_string_equal(texts[0], "text 0");
    assert_string_equal(texts[N - 1], "text 999");
}

static void a_growing_array_keeps_its_items(void **state)
{
    VEC(int) numbers = {0};
    for (int i = 0; i < 1000; i++)
        *vec_push(&numbers) = i;
    assert_int_equal(numbers.count, 1000);
    const int *copy = vec_copy(&numbers, arena);
    for (int i = 0; i < 1000; i++)
        assert_true(numbers.items[i] == i && copy[i] == i);
    vec_free(&numbers);
    assert_null(numbers.items);
    assert_int_equal(numbers.count + numbers.capacity, 0);
}

static void reserved_room_is_used_without_moving(void **state)
{
    VEC(int) numbers = {0};
    const int *before = vec_reserve(&numbers, 100);
    for (int i = 0; i < 100; i++)
        *vec_push(&numbers) = i;
    assert_ptr_equal(numbers.items, before);
    vec_free(&numbers);
}

static void bisection_finds_the_first_that_is_not_below(void **state)
{
    static const int sorted[] = {1, 3, 3, 5};
    static const size_t expected[] = {0, 0, 1, 1, 3, 3, 4};
    for (int limit = 0; limit <= 6; limit++) {
        size_t at = 0;
        vec_bisect(at, sizeof sorted / sizeof *sorted, sorted[at] < limit);
        assert_int_equal(at, expected[limit]);
    }
}

static void a_text_grows_and_is_empty_again_when_it_is_taken(void **state)
{
    Text text = {0};
    for (int i = 0; i < 1000; i++)
        text_add(&text, "%d,", i % 10);
    text_repeat(&text, '=', 3);
    const char *taken = text_take(&text, arena);
    assert_int_equal(strlen(taken), 2003);
    assert_memory_equal(taken, "0,1,2,", 6);
    assert_string_equal(taken + 2000, "===");
    assert_int_equal(text.bytes.count, 0);
    assert_string_equal(text_take(&text, arena), "");
}

static void what_a_line_cannot_hold_becomes_a_question_mark(void **state)
{
    static const struct {
        const char *text, *line;
    } cases[] = {{"plain", "plain"},
                 {"zwölf €", "zwölf €"},
                 {"a\nb\tc", "a?b?c"},
                 {"\x1b[2J", "?[2J"},
                 {"del\x7f", "del?"},
                 {"c1\xc2\x85", "c1?"},
                 {"\xe2\x80\xa8ls", "?ls"},
                 {"a\xff\xc3z", "a??z"},
                 {"\xc0\x8a", "??"},
                 {"\xe2\x80\xaetxt.exe", "?txt.exe"},
                 {"\xed\xa0\x80", "???"},
                 {"\xef\xbb\xbfx", "?x"},
                 {"\xf3\xa0\x81\x81", "?"},
                 {"ends\xf0\x9f", "ends??"},
                 {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(text_as_line(cases[i].text, arena), cases[i].line);
        assert_int_equal(text_is_line(cases[i].text), strcmp(cases[i].text, cases[i].line) == 0);
    }
}

static void numbers_are_decimal(void **state)
{
    char *end;
    const char *const none[] = {"0x10", "-0X1p3", "010", "00", "ten", ""};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_true(text_number(none[i], &end) == 0);
        assert_ptr_equal(end, none[i]);
    }
    assert_true(text_number("0.5us", &end) == 0.5);
    assert_string_equal(end, "us");
    assert_true(text_number("-0", &end) == 0 && !*end);
    assert_true(text_number("1e3x2", &end) == 1000);
    assert_string_equal(end, "x2");
}

static void json_escapes_what_a_reader_cannot_see(void **state)
{
    json_t *root = json_pack("{s:s}", "a", "b\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81\n\xc3\xa9");
    char *text = json_text(root);
    assert_string_equal(text, "{\n \"a\": \"b\\u007f\\u009b\\u202e\\udb40\\udc41\\n\xc3\xa9\"\n}\n");
    json_t *again = json_loads(text, 0, NULL);
    assert_true(json_equal(root, again));
    json_decref(again);
    free(text);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(memory_of_an_arena_is_zeroed_and_aligned_for_any_type),
        fixture_test(blocks_of_an_arena_do_not_overlap),
        fixture_test(an_empty_block_has_an_address_of_its_own),
        fixture_test(texts_of_an_arena_are_copies),
        fixture_test(words_are_joined_by_one_blank_each),
        fixture_test(an_arena_ends_what_libraries_allocated_once),
        fixture_test(a_child_leaves_texts_in_a_shared_arena),
        fixture_test(a_growing_array_keeps_its_items),
        fixture_test(reserved_room_is_used_without_moving),
        fixture_test(bisection_finds_the_first_that_is_not_below),
        fixture_test(a_text_grows_and_is_empty_again_when_it_is_taken),
        fixture_test(what_a_line_cannot_hold_becomes_a_question_mark),
        fixture_test(numbers_are_decimal),
        fixture_test(json_escapes_what_a_reader_cannot_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
