/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the memory that loops bring from beyond caches, by their source. Each function runs once; the counts of its
 * loops are given, outermost first. */
#include "cost/compiled/lines.h"
#include "cost/source/program/reach.h"
#include "cost/source/program/syntax.h"
#include "test.h"
#include "unit/near.h"

#include <stdlib.h>
#include <unistd.h>

#define MEGABYTE 1048576.0

static const double caches[] = {32768, MEGABYTE};

typedef struct Loops {
    Arena *arena;
    CompiledRegions *regions;
    CompiledRegion *loops[4];
} Loops;

static SourceProgram *read_text(const char *text, Arena *arena)
{
    char path[] = "/tmp/firma-lines-XXXXXX.c";
    int file = mkstemps(path, 2);
    SourceProgram *program;
    Err err = {0};
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    bool is_read = source_read_c(&(SourceOptions){.file = path, .options = ""}, arena, &program, &err);
    unlink(path);
    if (!is_read)
        fail_msg("%s", err.message);
    return program;
}

static void count(const char *text, double bytes, const double *counts, Loops *loops)
{
    size_t n = 0;
    *loops = (Loops){.arena = arena_new()};
    SourceProgram *program = read_text(text, loops->arena);
    loops->regions = compiled_regions(program, program->functions[0].place.file, loops->arena);
    for (size_t i = 0; i < loops->regions->n; i++) {
        CompiledRegion *region = &loops->regions->items[i];
        region->count = region->kind == COMPILED_LOOP ? counts[n] : region->kind == COMPILED_FUNCTION ? 1 : 0;
        if (region->kind == COMPILED_LOOP)
            loops->loops[n++] = region;
        if (region->kind == COMPILED_SIDE)
            region->count = loops->regions->items[region->outer].count / 2;
    }
    lines_count(program, loops->regions, bytes, caches, loops->arena);
}

/* An eighth of a line of doubles for each, but for the megabyte that the cache still holds. */
static void elements_in_order(void **state)
{
    Loops loops;
    count("double f(const double *a, long n) { double s = 0; for (long i = 0; i < n; i++) s += a[i]; return s; }",
          8 * MEGABYTE, (const double[]){MEGABYTE}, &loops);
    assert_near(loops.loops[0]->lines, 7.0 / 8 / 8, 1e-9);
    assert_near(loops.loops[0]->leaps, 0, 1e-9);
    arena_free(loops.arena);
}

/* a[i - 1], a[i] and a[i + 1] are in the same lines; what is stored also goes back. */
static void neighbours_and_stores(void **state)
{
    Loops loops;
    count(
        "void f(const double *a, double *b, long n) { for (long i = 1; i < n; i++) b[i] = a[i - 1] + a[i] + a[i + 1]; }",
        16 * MEGABYTE, (const double[]){MEGABYTE}, &loops);
    assert_near(loops.loops[0]->lines, 3 * 15.0 / 16 / 8, 1e-9);
    arena_free(loops.arena);
}

/* A vector that the cache holds comes once for all rows; the rows of the matrix come once each. */
static void rows_and_a_vector(void **state)
{
    Loops loops;
    count("void f(double *y, const double *a, const double *x, long n) { for (long i = 0; i < n; i++) {"
          " double s = 0; for (long j = 0; j < n; j++) s += a[i * n + j] * x[j]; y[i] = s; } }",
          8 * MEGABYTE, (const double[]){1024, MEGABYTE}, &loops);
    assert_in_range((long)(1e6 * loops.loops[1]->lines), (long)(0.8e6 / 8), (long)(1e6 / 8));
    assert_near(loops.loops[1]->leaps, 0, 1e-9);
    arena_free(loops.arena);
}

/* Columns of a matrix, by an index or a pointer: each element is in a line of its own, which the first cache doesn't
 * hold until the next column. */
static void columns(void **state)
{
    static const char *const texts[] = {
        "double f(const double *a, long n) { double s = 0; for (long j = 0; j < n; j++)"
        " for (long i = 0; i < n; i++) s += a[i * n + j]; return s; }",
        "double f(const double *a, long n) { double s = 0; for (long j = 0; j < n; j++) {"
        " const double *p = a + j; for (long i = 0; i < n; i++) { s += *p; p += n; } } return s; }"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Loops loops;
        count(texts[i], 8 * MEGABYTE, (const double[]){1024, MEGABYTE}, &loops);
        assert_near(loops.loops[1]->leaps, 0.5, 1e-9);
        assert_near(loops.loops[1]->lines, 0, 1e-9);
        arena_free(loops.arena);
    }
}

/* Structures of 32 bytes: half a line each, however many fields; through a function, too. */
static void structures(void **state)
{
    Loops loops;
    count("struct body { double x, y, vx, vy; };"
          "static double energy(const struct body *b) { return b->vx * b->vx + b->vy * b->vy; }"
          "double f(const struct body *all, long n) { double s = 0; for (long i = 0; i < n; i++)"
          " s += all[i].x * energy(&all[i]); return s; }",
          32 * MEGABYTE, (const double[]){MEGABYTE}, &loops);
    assert_near(loops.loops[0]->lines, 31.0 / 32 / 2, 1e-9);
    arena_free(loops.arena);
}

/* Arrays of fixed sizes are data, too, once each, if they are used. */
static void arrays_of_fixed_sizes(void **state)
{
    Loops loops;
    count("static double a[1024][1024], b[100], unused[7]; struct table { int key[4]; } t[10];"
          "double f(long n) { double s = 0; for (long i = 0; i < n; i++) for (long j = 0; j < n; j++)"
          " s += a[i][j] * b[i % 100] * a[0][j] * t[2].key[1]; return s; }",
          8 * MEGABYTE, (const double[]){1024, MEGABYTE}, &loops);
    assert_near(lines_array_bytes(loops.regions), 8 * MEGABYTE + 800 + 160, 1e-9);
    arena_free(loops.arena);
}

/* Data tell which element; that isn't in order. A small array has no lines beyond the cache. */
static void elements_by_data(void **state)
{
    Loops loops;
    count("double f(const double *a, const int *at, long n) { double s = 0; for (long i = 0; i < n; i++)"
          " s += a[at[i]]; return s; }",
          12 * MEGABYTE, (const double[]){MEGABYTE}, &loops);
    assert_near(loops.loops[0]->lines, 0.75 / 16, 1e-9); /* of a[] alone none, of at[] sixteenths */
    arena_free(loops.arena);
    count("double f(const double *a, long n) { double s = 0; for (long i = 0; i < n; i++) s += a[i]; return s; }",
          MEGABYTE / 2, (const double[]){MEGABYTE / 16}, &loops);
    assert_near(loops.loops[0]->lines, 0, 1e-9);
    arena_free(loops.arena);
}

static void ways_down_trees(void **state)
{
    static const char *const bodies[] = {"at = key < at->key ? at->left : at->right;",
                                         "if (key < at->key) at = at->left; else at = at->right;", "at = at->left;"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        Loops loops;
        Arena *arena = arena_new();
        count(arena_printf(arena,
                           "struct node { int key; struct node *left, *right; };"
                           "int f(const struct node *at, int key) { while (at->left) { %s } return at->key; }",
                           bodies[i]),
              8 * MEGABYTE, (const double[]){20}, &loops);
        assert_int_equal(loops.loops[0]->descends, i < 2);
        arena_free(loops.arena);
        arena_free(arena);
    }
}

/* Where an element's index leads in the innermost loop. */
static void indexes_that_elements_tell(void **state)
{
    static const struct {
        const char *body;
        Reach reach;
    } all[] = {
        {"for (long t = 0; t < n; t++) s += a[b[t]];", REACH_ANYWHERE},
        {"for (long t = 0; t < n; t++) { x = x*1103515245 + 12345; s += a[x % n]; }", REACH_ANYWHERE},
        {"while (x != a[x]) x = a[x];", REACH_FOLLOWS},
        {"while (n--) { long next = a[x]; x = next; }", REACH_FOLLOWS},
        {"while (x < n && y < n) if (a[x] <= b[y]) x++; else y++;", REACH_IN_ORDER},
        {"while (x < y) { long m = (x + y)/2; if (a[m] < s) x = m + 1; else y = m; }", REACH_DESCENDS},
        {"for (long w = n/2; w > 0; w /= 2) if (a[x + w] <= s) x += w;", REACH_DESCENDS},
        {"while (2*x + 1 < n) { long c = 2*x + 1; if (a[c] < a[c + 1]) c++; x = c; }", REACH_DESCENDS},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Arena *arena = arena_new();
        const char *text = arena_printf(
            arena, "long f(const long *a, const long *b, long n, long x, long y) { long s = 0; %s return s; }",
            all[i].body);
        SourceProgram *program = read_text(text, arena);
        const CompiledRegions *regions = compiled_regions(program, program->functions[0].place.file, arena);
        const SourceStatement *loop = regions->items[1].origin;
        size_t n_found = 0;
        for (size_t k = 0; k < regions->n_uses; k++) {
            const SourceExpression *use = regions->uses[k].expression;
            bool is_of_a = !regions->uses[k].variable && use->kind == SOURCE_ELEMENT &&
                           strcmp(without_casts(use->operands[0])->variable->name, "a") == 0;
            if (is_of_a && reach_of(loop, use->operands[1]) != all[i].reach)
                fail_msg("%s: %d", all[i].body, (int)reach_of(loop, use->operands[1]));
            n_found += is_of_a;
        }
        assert_true(n_found > 0);
        arena_free(arena);
    }
}

/* Data tell where they point to, and finding that takes no longer than with one assignment. */
static void indexes_assigned_in_circles(void **state)
{
    Loops loops;
    char text[4096] = "double f(const double *a, long n) { long i = 1, j = 2, k = 3; double s = 0; "
                      "for (long x = 0; x < n; x++) { ";
    for (int times = 0; times < 10; times++)
        strcat(text, "i = j; j = k; k = i; k = j; j = i; i = k; ");
    strcat(text, "s += a[i] + a[j]; } return s; }");
    count(text, 8 * MEGABYTE, (const double[]){MEGABYTE}, &loops);
    assert_near(loops.loops[0]->lines, 0, 1e-9);
    arena_free(loops.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_in_order),          cmocka_unit_test(neighbours_and_stores),
        cmocka_unit_test(rows_and_a_vector),          cmocka_unit_test(columns),
        cmocka_unit_test(arrays_of_fixed_sizes),      cmocka_unit_test(structures),
        cmocka_unit_test(elements_by_data),           cmocka_unit_test(ways_down_trees),
        cmocka_unit_test(indexes_that_elements_tell), cmocka_unit_test(indexes_assigned_in_circles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
