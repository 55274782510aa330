/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of pages: nothing of a text becomes HTML, and pictures are where their values are. */
#include "report/chart.h"
#include "report/format.h"
#include "report/html.h"
#include "report/lanes.h"
#include "report/svg.h"
#include "test.h"

#include <math.h>
#include <string.h>

static Arena *arena;

static int begin(void **state)
{
    arena = arena_new();
    return 0;
}

static int end(void **state)
{
    arena_free(arena);
    return 0;
}

static void texts_are_escaped(void **state)
{
    assert_string_equal(html_escape("a<b> & \"c\"\n\x1b\xff", arena), "a&lt;b&gt; &amp; &quot;c&quot;???");
    Text page = {0};
    html_element(&page, "p class=note", "<i>", arena);
    assert_string_equal(text_take(&page, arena), "<p class=note>&lt;i&gt;</p>\n");
}

static void cells_of_tables_are_escaped(void **state)
{
    Table *table = table_new(arena);
    table_columns(table, "name|>n");
    table_cells(table, "%s|%d", "<td>|", 1);
    table_row_style(table, TABLE_DIM);
    assert_string_equal(table_html(table),
                        "<table><tr><th>name<th class=r>n\n<tr class=dim><td>&lt;td&gt;|<td class=r>1\n</table>");
}

static void data_cannot_end_its_element(void **state)
{
    json_t *data = json_pack("{s:s}", "name", "</script><script>alert(1)");
    Text page = {0};
    html_data(&page, "data", data);
    json_decref(data);
    assert_string_equal(
        text_take(&page, arena),
        "<script type=\"application/json\" id=data>{\"name\":\"\\u003c/script>\\u003cscript>alert(1)\"}</script>\n");
}

static void axes_end_at_round_numbers(void **state)
{
    Axis axis = {.least = 0, .most = 9.3, .from = 100, .to = 600};
    axis_round(&axis);
    assert_true(axis.least == 0 && axis.most == 10);
    assert_true(fabs(axis_at(&axis, 5) - 350) < 1e-9);
    Axis powers = {.least = 1, .most = 10000, .from = 0, .to = 400, .is_logarithmic = true};
    axis_round(&powers);
    assert_true(fabs(axis_at(&powers, 100) - 200) < 1e-9);
}

static void bands_stack_their_layers(void **state)
{
    static const double shares[] = {0.5, 0.5, 0.25, 0};
    Text page = {0};
    svg_band(&page,
             &(SvgBand){.width = 20,
                        .height = 100,
                        .n_pieces = 2,
                        .n_layers = 2,
                        .stride = 2,
                        .shares = shares,
                        .classes = (const char *const[]){"low", "high"}},
             arena);
    const char *band = text_take(&page, arena);
    assert_non_null(strstr(band, "<path class=\"high\" d=\"M0 100H0V0H1V75H2V100Z\" />"));
    assert_non_null(strstr(band, "<path class=\"low\" d=\"M0 100H0V50H1V75H2V100Z\" />"));
}

static void a_chart_leaves_out_what_it_cannot_show(void **state)
{
    static const double x[] = {1, 10, 100, 0}, y[] = {1, NAN, 3, 4};
    const Curve curves[] = {{.name = "<c>", .n = 4, .x = x, .y = y, .is_line = true, .is_points = true}};
    const Axis axis = {.is_logarithmic = true, .format = format_plain, .title = "x"};
    Text page = {0};
    svg_chart(&page, (Chart){.title = "t", .x = axis, .y = axis, .height = 300, .n_curves = 1, .curves = curves},
              arena);
    const char *chart = text_take(&page, arena), *at = chart;
    size_t n = 0;
    while ((at = strstr(at, "<title>&lt;c&gt;")))
        at++, n++;
    assert_int_equal(n, 2);
    assert_null(strstr(chart, "nan"));
    svg_chart(&page, (Chart){.title = "t", .x = axis, .y = axis, .height = 300, .n_curves = 0}, arena);
    assert_string_equal(text_take(&page, arena), "");
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    while ((text = strstr(text, part)))
        text++, n++;
    return n;
}

static void lanes_have_boxes_where_time_passes(void **state)
{
    static const char *const names[] = {"<first>", "second"};
    Text body = {0};
    const Lanes lanes = lanes_new("row", names, 2, 10, 0, false);
    double below = lanes_begin(&body, &lanes, arena);
    assert_true(below > lanes_bottom(&lanes));
    assert_true(fabs(lanes_at(&lanes, 5) - (lanes.axis.from + lanes.axis.to) / 2) < 1e-9);
    assert_true(fabs(lanes_at(&lanes, 11) - lanes.axis.to) < 1e-9); /* what lasts longer is cut */
    lanes_box(&body, &lanes, 1, 0, 5, "waiting", "<tip>", arena);
    const char *drawn = text_take(&body, arena);
    assert_int_equal(count(drawn, "&lt;first&gt;"), 1);
    assert_int_equal(count(drawn, "<title>&lt;tip&gt;</title>"), 1);
    assert_non_null(strstr(drawn, arena_printf(arena, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\"", lanes.left,
                                               lanes_y(&lanes, 1), (lanes.axis.to - lanes.left) / 2)));
}

static void times_of_minutes_have_steps_of_minutes(void **state)
{
    Axis axis = {.most = 1480, .format = format_seconds};
    axis_round(&axis);
    assert_true(fabs(axis.most - 1500) < 1e-9);
    axis = (Axis){.most = 1480, .format = format_plain};
    axis_round(&axis);
    assert_true(fabs(axis.most - 1600) < 1e-9);
}

static void a_file_of_a_picture_is_whole_and_has_its_colours(void **state)
{
    Text body = {0};
    double top = svg_heading(&body, "<heading>", "a note", arena);
    svg_arrow(&body, 0, top, 10, top, "message");
    const char *file = svg_file(&body, 100, 50, "<title>", arena);
    assert_int_equal(count(file, "<svg "), 1);
    assert_int_equal(count(file, "</svg>"), 1);
    assert_int_equal(count(file, "aria-label=\"&lt;title&gt;\""), 1);
    assert_int_equal(count(file, "&lt;heading&gt;"), 1);
    assert_non_null(strstr(file, "prefers-color-scheme: dark"));
    assert_null(strstr(file, "var(--"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(cells_of_tables_are_escaped),
        cmocka_unit_test(data_cannot_end_its_element),
        cmocka_unit_test(axes_end_at_round_numbers),
        cmocka_unit_test(bands_stack_their_layers),
        cmocka_unit_test(a_chart_leaves_out_what_it_cannot_show),
        cmocka_unit_test(lanes_have_boxes_where_time_passes),
        cmocka_unit_test(times_of_minutes_have_steps_of_minutes),
        cmocka_unit_test(a_file_of_a_picture_is_whole_and_has_its_colours),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
