/* SPDX-License-Identifier: BSD-3-Clause */
/* The laws (law_table.h). Each law is a sum of terms in p with coefficients θ >= 0. Its parameters are
 * ratios of sums of these coefficients:
 *
 *     Amdahl       T = θ0/p + θ1                      T(1) = θ0 + θ1      s = θ1/(θ0 + θ1)
 *     USL          T = θ0/p + θ1 + θ2 (p - 1)         T(1) = θ0 + θ1      α = θ1/T(1)   β = θ2/T(1)
 *     power        T = θ0 + θ1 p^j log2^k p + θ2/p    a = θ0, b = θ1, c = θ2
 *     cache        T = θ0/p + θ1 + θ2/p [p < P]       c = θ0, a = θ1, d = θ2
 *     constant     T = θ0                             a = θ0
 *     Gustafson    S = θ0 + θ1 p                      S(1) = θ0 + θ1 = 1  a = θ0/(θ0 + θ1)
 *     joint        of n and p: JointShape             a = θ0 … d = θ3 */
#include "scaling/law_table.h"

#include <math.h>

static void terms_of_shares(const LawFit *law, double n, double p, double *x)
{
    (void)law;
    (void)n;
    x[0] = 1 / p;
    x[1] = 1;
    x[2] = p - 1;
}

static void terms_of_power(const LawFit *law, double n, double p, double *x)
{
    (void)n;
    x[0] = 1;
    x[1] = pow(p, law->exponent) * pow(log2(p), law->log_exponent);
    x[2] = 1 / p;
}

static void terms_of_cache(const LawFit *law, double n, double p, double *x)
{
    (void)n;
    x[0] = 1 / p;
    x[1] = 1;
    x[2] = p < law->threshold_p ? 1 / p : 0;
}

static void terms_of_speedup(const LawFit *law, double n, double p, double *x)
{
    (void)law;
    (void)n;
    x[0] = 1;
    x[1] = p;
}

static void terms_of_joint(const LawFit *law, double n, double p, double *x)
{
    const JointShape *shape = &law->joint;
    x[0] = 1;
    x[1] = pow(n, shape->work) * pow(log2(fmax(1, n)), shape->work_log) / p;
    x[2] = pow(n, shape->size) * pow(p, law->exponent) * pow(log2(p), law->log_exponent);
    x[3] = pow(n, shape->rest) * (shape->own == 0 ? log2(p) : pow(p, shape->own));
}

const Law law_table[LAW_COUNT] = {
    [LAW_AMDAHL] = {"Amdahl", "T(1) (s + (1-s)/p)", .n_terms = 2, .terms = terms_of_shares,
                    .parameters = {{.name = "T(1)", .over = {1, 1}},
                                   {.name = "s", .over = {0, 1}, .under = {1, 1}, .is_ratio = true}}},
    [LAW_USL] = {"USL", "T(1) (1 + α (p-1) + β p (p-1)) / p", .n_terms = 3, .terms = terms_of_shares,
                 .parameters = {{.name = "T(1)", .over = {1, 1, 0}},
                                {.name = "α", .over = {0, 1, 0}, .under = {1, 1, 0}, .is_ratio = true},
                                {.name = "β", .over = {0, 0, 1}, .under = {1, 1, 0}, .is_ratio = true}}},
    [LAW_POWER] = {"power", .n_terms = 3, .terms = terms_of_power,
                   .parameters = {{.name = "a", .over = {1, 0, 0}},
                                  {.name = "b", .over = {0, 1, 0}},
                                  {.name = "c", .over = {0, 0, 1}}}},
    [LAW_CACHE] = {"cache", .n_terms = 3, .terms = terms_of_cache,
                   .parameters = {{.name = "c", .over = {1, 0, 0}},
                                  {.name = "a", .over = {0, 1, 0}},
                                  {.name = "d", .over = {0, 0, 1}}}},
    [LAW_CONSTANT] = {"constant", "a", .n_terms = 1, .terms = terms_of_power,
                      .parameters = {{.name = "a", .over = {1}}}},
    [LAW_GUSTAFSON] = {"Gustafson", "a + (1-a) p", .n_terms = 2, .terms = terms_of_speedup,
                       .parameters = {{.name = "a", .over = {1, 0}, .under = {1, 1}, .is_ratio = true}}},
    [LAW_JOINT] = {"joint", .n_terms = 4, .terms = terms_of_joint,
                   .parameters = {{.name = "a", .over = {1}},
                                  {.name = "b", .over = {0, 1}},
                                  {.name = "c", .over = {0, 0, 1}},
                                  {.name = "d", .over = {0, 0, 0, 1}}}},
};

const char *law_kind_name(size_t index)
{
    return index < LAW_GUSTAFSON ? law_table[index].name : NULL;
}

uint32_t law_n_terms(const LawFit *law)
{
    return law_table[law->kind].n_terms - law->lacks_share;
}

/* ---- formulas ---- */

static const char *exponent_text(double exponent, Arena *arena)
{
    for (int under = 1; under <= 4; under++)
        if (fabs(exponent * under - round(exponent * under)) < 1e-9)
            return under == 1 ? arena_printf(arena, "%g", exponent)
                              : arena_printf(arena, "(%g/%d)", round(exponent * under), under);
    return arena_printf(arena, "%g", exponent);
}

/* " p^(1/2) log2(p)"; "" for both exponents 0. */
static const char *product_text(char name, double exponent, double log_exponent, Arena *arena)
{
    const char *power = exponent == 0   ? ""
                        : exponent == 1 ? arena_printf(arena, " %c", name)
                                        : arena_printf(arena, " %c^%s", name, exponent_text(exponent, arena));
    const char *logarithm = log_exponent == 0   ? ""
                            : log_exponent == 1 ? arena_printf(arena, " log2(%c)", name)
                                                : arena_printf(arena, " log2(%c)^%g", name, log_exponent);
    return arena_printf(arena, "%s%s", power, logarithm);
}

static const char *power_formula(const LawFit *law, Arena *arena)
{
    return arena_printf(arena, "a + b%s%s", product_text('p', law->exponent, law->log_exponent, arena),
                        law->lacks_share ? "" : " + c/p");
}

static const char *joint_formula(const LawFit *law, Arena *arena)
{
    const JointShape *shape = &law->joint;
    return arena_printf(
        arena, "a + b%s/p + c%s%s + d%s%s", product_text('n', shape->work, shape->work_log, arena),
        product_text('n', shape->size, 0, arena), product_text('p', law->exponent, law->log_exponent, arena),
        product_text('n', shape->rest, 0, arena), product_text('p', shape->own, shape->own == 0, arena));
}

const char *law_formula(const LawFit *law, Arena *arena)
{
    if (law->kind == LAW_POWER)
        return power_formula(law, arena);
    if (law->kind == LAW_JOINT)
        return joint_formula(law, arena);
    if (law->kind == LAW_CACHE)
        return arena_printf(arena, "a + c/p, and + d/p for p < %g", law->threshold_p);
    return law_table[law->kind].formula;
}

/* ---- candidates ---- */

/* Powers and logarithms that programs have, such as trees (log2 p), surfaces (p^-1/2, p^-2/3) and
 * exchanges of all with all (p). Others are rare. */
static const double exponents[] = {-1,  -2.0 / 3, -0.5, -1.0 / 3, -0.25,   0,   0.25, 1.0 / 3,
                                   0.5, 2.0 / 3,  0.75, 1,        4.0 / 3, 1.5, 2};
enum { N_EXPONENTS = sizeof exponents / sizeof *exponents, LOG_EXPONENT_MOST = 2 };

/* Superlinear powers are p^-(1 + k/200) up to p^-2, and those between the exponents above p^(-1 + k/100) up to p. At
 * eight times the largest p, neighbours differ by 8^(1/200), 1 %, and by 2 %. */
enum { SUPERLINEAR_STEPS = 200, BETWEEN_STEPS = 100, THRESHOLDS_MOST = 100 };

typedef struct Candidates {
    LawFit *laws;
    uint32_t n;
    LawKind only;
    uint32_t n_points;
} Candidates;

/* With as many terms as points, a law still says which times are possible elsewhere. */
static void add(Candidates *candidates, LawFit law)
{
    if ((candidates->only == LAW_COUNT || candidates->only == law.kind) && law_n_terms(&law) <= candidates->n_points)
        candidates->laws[candidates->n++] = law;
}

static void add_powers(Candidates *candidates, LawFamily family)
{
    for (unsigned i = 0; i < N_EXPONENTS; i++)
        for (int k = 0; k <= LOG_EXPONENT_MOST; k++) {
            LawFit law = {.kind = LAW_POWER, .exponent = exponents[i], .log_exponent = k, .lacks_share = true};
            bool is_constant = exponents[i] == 0 && k == 0;
            bool is_share = exponents[i] == -1 && k == 0; /* Amdahl's law */
            bool is_too_steep = exponents[i] > 1 && k > 0;
            law.is_rare = exponents[i] > 1 || (exponents[i] != 0 && k > 0);
            if (is_constant || is_share || is_too_steep || (family == FAMILY_WEAK && exponents[i] < 0))
                continue;
            add(candidates, law);
            law.lacks_share = false;
            if (family == FAMILY_STRONG)
                add(candidates, law);
        }
}

/* Powers that mix: of many messages and little work, or of caches. */
static void add_powers_between(Candidates *candidates, LawFamily family)
{
    for (int i = family == FAMILY_WEAK ? 1 : 1 - BETWEEN_STEPS; i < BETWEEN_STEPS; i++) {
        LawFit law = {
            .kind = LAW_POWER, .exponent = (double)i / BETWEEN_STEPS, .lacks_share = true, .is_between = true};
        if (i == 0)
            continue;
        add(candidates, law);
        law.lacks_share = false;
        if (family == FAMILY_STRONG)
            add(candidates, law);
    }
}

static void add_superlinear(Candidates *candidates, const LawPoint *points, uint32_t n)
{
    for (int i = 1; i <= SUPERLINEAR_STEPS; i++)
        add(candidates, (LawFit){.kind = LAW_POWER,
                                 .exponent = -1 - (double)i / SUPERLINEAR_STEPS,
                                 .lacks_share = true,
                                 .is_rare = true});
    for (uint32_t i = 1; i < n; i += 1 + n / THRESHOLDS_MOST)
        add(candidates, (LawFit){.kind = LAW_CACHE, .threshold_p = points[i].p, .is_rare = true});
}

/* Exponents of models of n and p. The work is of loops over n, or over the elements of a line, a surface
 * or a volume; messages are of the whole, of surfaces, or of a process's share of them. The rest is what
 * collectives cost, once or for each row. */
static const double works[] = {0.5, 1, 4.0 / 3, 1.5, 2, 2.5, 3, 4},
                    message_sizes[] = {1.0 / 3, 0.5, 2.0 / 3, 1, 4.0 / 3, 1.5, 2, 3},
                    message_exponents[] = {-1, -2.0 / 3, -0.5, -1.0 / 3, 0, 0.5, 1};
static const JointShape rests[] = {
    {.own = 0}, {.own = 0.5}, {.own = 1}, {.rest = 0.5, .own = 0}, {.rest = 1, .own = 0}};
enum {
    N_WORKS = sizeof works / sizeof *works,
    N_MESSAGE_SIZES = sizeof message_sizes / sizeof *message_sizes,
    N_MESSAGE_EXPONENTS = sizeof message_exponents / sizeof *message_exponents,
    N_RESTS = sizeof rests / sizeof *rests,
    JOINT_MOST = 2 * N_WORKS * N_MESSAGE_SIZES * 2 * N_MESSAGE_EXPONENTS * N_RESTS
};

static void add_messages(Candidates *candidates, LawFit law)
{
    for (unsigned i = 0; i < N_MESSAGE_EXPONENTS; i++)
        for (int k = 0; k <= 1; k++) {
            law.exponent = message_exponents[i];
            law.log_exponent = k;
            add(candidates, law);
        }
}

static void add_joint(Candidates *candidates)
{
    for (unsigned work = 0; work < N_WORKS; work++)
        for (unsigned size = 0; size < N_MESSAGE_SIZES && message_sizes[size] <= works[work]; size++)
            for (unsigned rest = 0; rest < N_RESTS; rest++)
                for (int k = 0; k <= 1; k++)
                    add_messages(candidates, (LawFit){.kind = LAW_JOINT,
                                                      .joint = {.work = works[work],
                                                                .work_log = k,
                                                                .size = message_sizes[size],
                                                                .rest = rests[rest].rest,
                                                                .own = rests[rest].own}});
}

/* Work and messages over the problem's size. */
static void add_sizes(Candidates *candidates)
{
    static const double powers[] = {0.5, 1, 1.5, 2, 2.5, 3};
    add(candidates, (LawFit){.kind = LAW_CONSTANT});
    for (unsigned i = 0; i < sizeof powers / sizeof *powers; i++)
        for (int k = 0; k <= 1; k++)
            add(candidates, (LawFit){.kind = LAW_POWER,
                                     .exponent = powers[i],
                                     .log_exponent = k,
                                     .lacks_share = true,
                                     .is_rare = powers[i] != round(powers[i]) || (k && powers[i] > 1)});
}

uint32_t law_candidates_limit(LawFamily family)
{
    return family == FAMILY_JOINT ? JOINT_MOST : 1024;
}

uint32_t law_candidates(LawFamily family, LawKind only, const LawPoint *points, uint32_t n, LawFit *laws)
{
    Candidates candidates = {.laws = laws, .only = only, .n_points = n};
    if (family == FAMILY_JOINT) {
        add_joint(&candidates);
        return candidates.n;
    }
    if (family == FAMILY_SIZE) {
        add_sizes(&candidates);
        return candidates.n;
    }
    if (family == FAMILY_STRONG) {
        add(&candidates, (LawFit){.kind = LAW_AMDAHL});
        add(&candidates, (LawFit){.kind = LAW_USL});
    } else {
        add(&candidates, (LawFit){.kind = LAW_CONSTANT});
    }
    add_powers(&candidates, family);
    add_powers_between(&candidates, family);
    if (family == FAMILY_STRONG)
        add_superlinear(&candidates, points, n);
    return candidates.n;
}
