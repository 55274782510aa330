/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities and tables as people read them. */
#include "base/text.h"
#include "report/format.h"
#include "report/table_fields.h"
#include "test.h"

#include <math.h>
#include <string.h>

static Arena *arena;

static int make_arena(void **state)
{
    arena = arena_new();
    return 0;
}

static int free_arena(void **state)
{
    arena_free(arena);
    return 0;
}

static void a_line_holds_nothing_that_a_terminal_obeys(void **state)
{
    static const char *const lines[][2] = {{"a\033[2J\n", "a?[2J?"},
                                           {"\x7f\xc2\x9b\xe2\x80\xa8\xef\xbf\xbf", "????"},
                                           {"Größe → µs \xe2\x80\xa6", "Größe → µs \xe2\x80\xa6"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_string_equal(text_as_line(lines[i][0], arena), lines[i][1]);
        assert_int_equal(text_is_line(lines[i][0]), strcmp(lines[i][0], lines[i][1]) == 0);
    }
}

static void seconds_take_the_unit_that_fits(void **state)
{
    assert_string_equal(format_seconds(arena, 0), "0 s");
    assert_string_equal(format_seconds(arena, 3e-9), "3.00 ns");
    assert_string_equal(format_seconds(arena, 12.34e-6), "12.3 µs");
    assert_string_equal(format_seconds(arena, 0.0980623), "98.1 ms");
    assert_string_equal(format_seconds(arena, 205.221 / 2), "103 s");
}

static void seconds_round_into_the_next_unit(void **state)
{
    assert_string_equal(format_seconds(arena, 0.9996), "1.00 s");
    assert_string_equal(format_seconds(arena, 9.996), "10.0 s");
    assert_string_equal(format_seconds(arena, 999.6e-6), "1.00 ms");
}

static void long_times_are_minutes_and_hours(void **state)
{
    assert_string_equal(format_seconds(arena, 208.146), "3 min 28 s");
    assert_string_equal(format_seconds(arena, 3600 * 5 + 12 * 60), "5 h 12 min");
    assert_string_equal(format_seconds(arena, 200.0 * 24 * 3600), "200 days");
}

static void what_is_not_finite_has_a_sign_of_its_own(void **state)
{
    assert_string_equal(format_seconds(arena, NAN), "–");
    assert_string_equal(format_percent(arena, INFINITY), "∞");
}

static void bytes_are_decimal(void **state)
{
    assert_string_equal(format_bytes(arena, 512), "512 B");
    assert_string_equal(format_bytes(arena, 4096), "4.10 kB");
    assert_string_equal(format_bytes(arena, 93e6), "93.0 MB");
}

static void counts_are_grouped(void **state)
{
    assert_string_equal(format_count(arena, 0), "0");
    assert_string_equal(format_count(arena, 999), "999");
    assert_string_equal(format_count(arena, 1000), "1 000");
    assert_string_equal(format_count(arena, UINT64_MAX), "18 446 744 073 709 551 615");
}

static void percentages_keep_small_shares_visible(void **state)
{
    assert_string_equal(format_percent(arena, 0.975), "97.5 %");
    assert_string_equal(format_percent(arena, 0.0004), "0.04 %");
    assert_string_equal(format_percent(arena, 1e-6), "<0.01 %");
    assert_string_equal(format_percent(arena, 0), "0.0 %");
}

static void columns_align_over_utf8(void **state)
{
    Table *table = table_new(arena);
    table_column(table, "phase", TABLE_LEFT);
    table_column(table, "mean", TABLE_RIGHT);
    table_cells(table, "%d", 1);
    table_cells(table, "%s", "2.5 µs");
    table_cells(table, "%s", "3×4");
    table_cells(table, "%s", "12.5 ms");
    assert_string_equal(table_text(table, false), "phase     mean\n1       2.5 µs\n3×4    12.5 ms\n");
}

static void lines_do_not_end_in_blanks(void **state)
{
    Table *table = table_new(arena);
    table_column(table, "", TABLE_LEFT);
    table_column(table, "", TABLE_LEFT);
    table_cells(table, "long cell");
    table_cells(table, "x");
    table_cells(table, "short");
    table_cells(table, "%s", "");
    table_cells(table, "unfinished row");
    assert_string_equal(table_text(table, false), "long cell       x\nshort\nunfinished row\n");
}

static void colours_only_where_wanted(void **state)
{
    Table *table = table_new(arena);
    table_column(table, "a", TABLE_LEFT);
    table_cells(table, "b");
    table_row_style(table, TABLE_DIM);
    assert_string_equal(table_text(table, false), "a\nb\n");
    assert_string_equal(table_text(table, true), "\033[1ma\033[0m\n\033[2mb\033[0m\n");
}

static void columns_that_do_not_fit_stand_below(void **state)
{
    Table *table = table_new(arena);
    table_columns(table, "name|>first|>second|last");
    table_cells(table, "%s|%d|%d|%s", "one", 1, 2, "x");
    table_cells(table, "%s|%d|%d|%s", "two", 10, 20, "a long cell");
    table_fit(20);
    assert_string_equal(table_text(table, false), "name  first  second\none       1       2\ntwo      10      20\n\n"
                                                  "name  last\none   x\ntwo   a long cell\n");
    table_repeat_columns(table, 2);
    assert_string_equal(table_text(table, false), "name  first  second\none       1       2\ntwo      10      20\n\n"
                                                  "name  first  last\none       1  x\ntwo      10  a long cell\n");
    table_fit(0);
    assert_string_equal(table_text(table, false),
                        "name  first  second  last\none       1       2  x\ntwo      10      20  a long cell\n");
}

static void wide_and_combining_characters_take_their_columns(void **state)
{
    assert_int_equal(text_width("日本"), 4);
    assert_int_equal(text_width("e\xcc\x81"), 1);
    assert_int_equal(text_width("क\xe0\xa5\x8d"), 1);
    assert_int_equal(text_width("µ – …"), 5);
    assert_int_equal(text_width("a\xff"), 2);
}

static void a_table_holds_many_rows(void **state)
{
    Table *table = table_new(arena);
    table_column(table, "", TABLE_RIGHT);
    for (int i = 0; i < 1000; i++)
        table_cells(table, "%d", i);
    assert_int_equal(strlen(table_text(table, false)), 1000 * 4);
}

/* ---- records ---- */

typedef struct Link {
    const char *name;
    uint64_t bytes;
} Link;

typedef struct Record {
    uint32_t id;
    uint64_t count;
    double time_s, share;
    bool works;
    const Link *link;
} Record;

static const FieldList link_fields = FIELDS(Link, FIELD(Link, name, "of the link", .heading = "link"),
                                            FIELD(Link, bytes, "that it carried", .heading = ">carried"));

static const FieldList record_fields =
    FIELDS(Record, FIELD(Record, id, "from 1", .heading = "id", .look = LOOK_DIGITS),
           FIELD(Record, count, "how many", .heading = ">count"), FIELD(Record, time_s, "together", .heading = ">time"),
           FIELD(Record, share, "of all", .heading = ">share", .look = LOOK_SHARE), FIELD(Record, works, "whether"),
           FIELD_INLINE_POINTED(Record, link, link_fields));

static const Link straight = {.name = "a \"straight\", short one", .bytes = 2000};
static const Record records[] = {{1, 2, 0.001, 0.25, true, &straight}, {1000, 1000, -2, NAN, false, NULL}};

static void a_record_is_a_row_with_a_column_for_each_heading(void **state)
{
    Table *table = table_new(arena);
    table_field_columns(table, &record_fields);
    for (size_t i = 0; i < 2; i++)
        table_record(table, &record_fields, &records[i], "-", arena);
    assert_string_equal(table_text(table, false), "id    count     time   share  link                     carried\n"
                                                  "1         2  1.00 ms  25.0 %  a \"straight\", short one  2.00 kB\n"
                                                  "1000  1 000  -2.00 s       -  -                              -\n");
}

static void csv_quotes_what_needs_it_and_leaves_empty_what_is_not_there(void **state)
{
    Text text = {0};
    fields_to_csv_names(&record_fields, &text);
    for (size_t i = 0; i < 2; i++)
        fields_to_csv(&record_fields, &records[i], &text);
    assert_string_equal(text_take(&text, arena), "id,count,time_s,share,works,name,bytes\r\n"
                                                 "1,2,0.001,0.25,1,\"a \"\"straight\"\", short one\",2000\r\n"
                                                 "1000,1000,-2,,0,,\r\n");
}

static void a_cell_is_a_line_and_stays_one_cell(void **state)
{
    Table *table = table_new(arena);
    table_columns(table, "name|>n");
    table_cells(table, "%s|%d", "a\x1f|\n\033[31mb", 1);
    assert_string_equal(table_text(table, false), "name        n\na?|??[31mb  1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_holds_nothing_that_a_terminal_obeys),
        cmocka_unit_test(a_cell_is_a_line_and_stays_one_cell),
        cmocka_unit_test(seconds_take_the_unit_that_fits),
        cmocka_unit_test(seconds_round_into_the_next_unit),
        cmocka_unit_test(long_times_are_minutes_and_hours),
        cmocka_unit_test(what_is_not_finite_has_a_sign_of_its_own),
        cmocka_unit_test(bytes_are_decimal),
        cmocka_unit_test(counts_are_grouped),
        cmocka_unit_test(percentages_keep_small_shares_visible),
        cmocka_unit_test(columns_align_over_utf8),
        cmocka_unit_test(lines_do_not_end_in_blanks),
        cmocka_unit_test(colours_only_where_wanted),
        cmocka_unit_test(columns_that_do_not_fit_stand_below),
        cmocka_unit_test(wide_and_combining_characters_take_their_columns),
        cmocka_unit_test(a_table_holds_many_rows),
        cmocka_unit_test(a_record_is_a_row_with_a_column_for_each_heading),
        cmocka_unit_test(csv_quotes_what_needs_it_and_leaves_empty_what_is_not_there),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
