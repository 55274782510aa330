/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of numbers that are read from texts and written as such, and of characters and texts that are written to a
 * stream. */
#include "cost/cpu/worker/worker.h"

#include "cost/cpu/worker/barrier.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* So many that a processor can't learn the digits of each. */
enum { NUMBERS = 1 << 12, TEXT_BYTES = 128 };
static int32_t whole_numbers[NUMBERS];
static double fractions[NUMBERS];
static char whole_texts[NUMBERS][16], fraction_texts[NUMBERS][24];

/* Numbers of one to nine digits, half of which are below 0. */
static void draw_numbers(void)
{
    static bool is_drawn;
    for (size_t i = 0; i < NUMBERS && !is_drawn; i++) {
        whole_numbers[i] = (rand() >> rand() % 28) * (rand() >> 16 & 1 ? 1 : -1);
        fractions[i] = whole_numbers[i] / (1 + rand() % 1000 / 10.0);
        snprintf(whole_texts[i], sizeof whole_texts[i], "%d", whole_numbers[i]);
        snprintf(fraction_texts[i], sizeof fraction_texts[i], "%g", fractions[i]);
    }
    is_drawn = true;
}

/* ---- Numbers from texts ---- */

#define DEFINE_PARSE(name, type, text_of, call)                                                                        \
    static void name(uint64_t n)                                                                                       \
    {                                                                                                                  \
        draw_numbers();                                                                                                \
        for (; n; n--) {                                                                                               \
            const char *text = text_of;                                                                                \
            BARRIER_whole(text);                                                                                       \
            C_##type x = call;                                                                                         \
            BARRIER_##type(x);                                                                                         \
        }                                                                                                              \
    }
DEFINE_PARSE(short_whole, int32, "42", atoi(text))
DEFINE_PARSE(any_whole, int32, whole_texts[n % NUMBERS], atoi(text))
DEFINE_PARSE(short_fraction, double, "2.5", strtod(text, NULL))
DEFINE_PARSE(any_fraction, double, fraction_texts[n % NUMBERS], strtod(text, NULL))

/* ---- Texts of numbers ---- */

#define DEFINE_FORMAT(name, type, format, number, ...)                                                                 \
    static void name(uint64_t n)                                                                                       \
    {                                                                                                                  \
        char text[TEXT_BYTES];                                                                                         \
        draw_numbers();                                                                                                \
        for (; n; n--) {                                                                                               \
            C_##type x = number;                                                                                       \
            BARRIER_##type(x);                                                                                         \
            snprintf(text, sizeof text, format, __VA_ARGS__);                                                          \
            __asm__ volatile("" : : "r"(text) : "memory");                                                             \
        }                                                                                                              \
    }
/* Of four conversions, each has a share of the call. */
#define DEFINE_FORMATS(name, type, format, number)                                                                     \
    DEFINE_FORMAT(name, type, format, number, x)                                                                       \
    DEFINE_FORMAT(name##_4, type, format " " format " " format " " format, number, x, x, x, x)
DEFINE_FORMATS(short_number, int32, "%d", 42)
DEFINE_FORMATS(any_number, int32, "%d", whole_numbers[n % NUMBERS])
DEFINE_FORMATS(short_double, double, "%g", 2.5)
DEFINE_FORMATS(any_double, double, "%g", fractions[n % NUMBERS])
DEFINE_FORMATS(three_places, double, "%.3f", fractions[n % NUMBERS])

/* ---- Streams, whose device costs nothing ---- */

static FILE *stream_to_nothing(void)
{
    static FILE *stream;
    stream = stream ? stream : fopen("/dev/null", "w");
    return stream ? stream : stdout;
}

static void character(uint64_t n)
{
    FILE *stream = stream_to_nothing();
    for (; n; n--)
        fputc((int)('a' + n % 16), stream);
}

#define DEFINE_PUT(name, value)                                                                                        \
    static void name(uint64_t n)                                                                                       \
    {                                                                                                                  \
        FILE *stream = stream_to_nothing();                                                                            \
        for (; n; n--) {                                                                                               \
            const char *text = value;                                                                                  \
            BARRIER_whole(text);                                                                                       \
            fputs(text, stream);                                                                                       \
        }                                                                                                              \
    }
DEFINE_PUT(word, "word ")
DEFINE_PUT(line, "a line of a table or of a report, as programs write it to people\n")

const Kernel text_kernels[] = {
    {"parse_int32", "short", short_whole, 1, ""},
    {"parse_int32", "any", any_whole, 1, ""},
    {"parse_double", "short", short_fraction, 1, ""},
    {"parse_double", "any", any_fraction, 1, ""},
    {"format_int32", "short", short_number, 1, ""},
    {"format_int32", "any", any_number, 1, ""},
    {"format_int32", "short_of_four", short_number_4, 4, ""},
    {"format_int32", "any_of_four", any_number_4, 4, ""},
    {"format_double", "short", short_double, 1, ""},
    {"format_double", "any", any_double, 1, ""},
    {"format_double", "places", three_places, 1, ""},
    {"format_double", "short_of_four", short_double_4, 4, ""},
    {"format_double", "any_of_four", any_double_4, 4, ""},
    {"format_double", "places_of_four", three_places_4, 4, ""},
    {"format_int8", "character", character, 1, ""},
    {"format_reference", "word", word, 1, ""},
    {"format_reference", "line", line, 1, ""},
};
const size_t n_text_kernels = sizeof text_kernels / sizeof *text_kernels;
