# SPDX-License-Identifier: BSD-3-Clause
"""firma cost predict PROGRAM.c: run times of MPI programs from their sources, without a run."""

import json
import os
import platform
import re
import shutil

from harness import Skip, check, check_equal, firma, main, test

PROGRAM = """#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  static double x[1000];
  int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < rounds; i++) {
    if (rank == 0 && size > 1) {
      MPI_Send(x, 1000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(x, 1000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(x, 1000, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(x, 1000, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
  }
  for (int i = 0; i < 1000; i++)
    x[i] = x[i] + 1;
  MPI_Finalize();
  return 0;
}
"""
OPERATIONS = ("assign", "access", "element", "compare", "branch", "sum", "logical", "call", "return", "field", "cast", "sub", "div", "mul", "mod", "sqrt",
              "floor", "shift", "bitwise", "negate", "allocate", "parse",
              "format")
TYPES = ("int8", "int16", "int32", "int64", "float", "double", "reference")


def save(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def machine(directory, paths=True, compiled=None):
    """Operations cost nothing, but the sum of two doubles. Messages take 1 to 2 µs, and 1 to 3 ns a byte. compiled: what
    differs at -O2."""
    operations = {f"{name}_{kind}": [0, 0] for name in OPERATIONS for kind in TYPES} | {"sum_double": [1e-6, 2e-6]}
    single = {"language": "c", "benchmark_s": 1, "operations": operations}
    at_o2 = {**single, "options": "-O2", "scheduler": "znver3", "operations": operations | {"cycle_int64": [0, 0]}}
    if compiled:
        at_o2["operations"] |= compiled.pop("operations", {})
    path = {"middleware": "openmpi", "transport": "shm", "packing": "", "library": "", "from_host": 0, "to_host": 0,
            "linear": True, "largest_error": 0, "largest_bytes": 1 << 20,
            "segments": [{"from_bytes": 0, "latency_s": {"value": 1.5e-6, "low": 1e-6, "high": 2e-6},
                          "s_per_byte": {"value": 2e-9, "low": 1e-9, "high": 3e-9}, "error": 0}]}
    return save(directory, "machine.json", json.dumps({
        "format": "firma machine", "version": 1, "date": "", "command": "",
        "hosts": [{"name": "anna", "system": "", "processor": "", "cpus": 2}], "paths": [path] if paths else [],
        "collectives": [], "processors": [{"name": "anna", "cores": 2, "languages": [
            single, *([at_o2 | compiled] if compiled is not None else [])]}]}))


def predict_source(directory, path, *words):
    if not shutil.which("mpicc"):
        raise Skip("no MPI is installed")
    return firma("cost", "predict", path, "-m", machine(directory), *words)


def predict(directory, *words):
    return predict_source(directory, save(directory, "app.c", PROGRAM), *words)


def check_near(interval, expected, what):
    for time, wanted in zip(interval, expected):
        check(abs(time - wanted) <= 1e-6 * wanted + 2e-9, f"{what}: {interval}, not {expected}")


@test("a program takes its computation, and the messages for which it waits")
def predicted(directory):
    document = predict(directory, "--processes", "1,2", "--json", "--", "100").expect(0).json()
    one, two = document["predictions"]
    check_near(one["time_s"], (1e-3, 2e-3), "one process")
    check_equal(two["messages"], 200, "messages")
    check_equal(two["message_bytes"], 200 * 8000, "bytes")
    check_near(two["compute_s"], (1e-3, 2e-3), "computation")
    check_near(two["time_s"], (1e-3 + 200 * (1e-6 + 8000 * 1e-9), 2e-3 + 200 * (2e-6 + 8000 * 3e-9)), "two processes")


@test("processes share processors, and --compute-speed and --no-messages change what they say")
def options(directory):
    words = ("--json", "--", "100")
    three = predict(directory, "--processes", "3", *words).expect(0).json()["predictions"][0]
    check_near(three["compute_s"], (2e-3, 4e-3), "two processes on one of two processors")
    faster = predict(directory, "--processes", "1", "--compute-speed", "10", *words).expect(0).json()["predictions"][0]
    check_near(faster["time_s"], (1e-4, 2e-4), "ten times as fast")
    free = predict(directory, "--processes", "2", "--no-messages", *words).expect(0).json()
    check_near(free["predictions"][0]["time_s"], (1e-3, 2e-3), "without messages")
    text = predict(directory, "--processes", "1,2", "--", "100").expect(0).out
    check("program app.c on anna, openmpi shm within the node" in text and "processes" in text, text)


@test("a machine model without messages is enough where messages cost nothing")
def without_hosts(directory):
    path, model = save(directory, "app.c", PROGRAM), machine(directory)
    with open(model, encoding="utf-8") as file:
        document = json.load(file)
    save(directory, "machine.json", json.dumps(document | {"hosts": [], "paths": []}))
    words = ("cost", "predict", path, "-m", model, "--processes", "2")
    check("mapping needs what messages cost" in firma(*words).expect(3).err, "it needs messages")
    result = firma(*words, "--no-messages", "--json").expect(0).json()["predictions"][0]
    check_equal([result["messages"], result["time_s"]], [14, [1e-3, 2e-3]], "messages, and the time")


@test("the program's arguments are known, and without them it runs with none")
def arguments(directory):
    for words, messages in ((["--", "30"], 60), ([], 14)):
        document = predict(directory, "--processes", "2", "--json", *words).expect(0).json()
        check_equal(document["predictions"][0]["messages"], messages, f"messages with the arguments {words}")


BRANCHES = """#include <mpi.h>
#include <stdlib.h>
double x[1000], all;
__attribute__((noinline)) static double half(double s) { return s / 2; }
static double sum_of_large(void) {
  double sum = 0;
  for (int i = 0; i < 1000; i++)
    if (x[i] > 9)
      sum = half(sum) + x[i];
  return sum;
}
int main(int argc, char **argv) {
  int rank, rounds = argc > 1 ? atoi(argv[1]) : 10;
  double sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < rounds; i++) {
    if (rank == 0)
      sum += sum_of_large();
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
"""


@test("computation is that of the code which the compiler makes, where the machine model has its costs")
def compiled_code(directory):
    if not shutil.which("mpicc") or not shutil.which("llvm-mca") or platform.machine() != "x86_64":
        raise Skip("there is no MPI, no llvm-mca, or another processor")
    source = save(directory, "branches.c", BRANCHES)

    def computes(changes, *words, options="-O2"):
        return firma("cost", "predict", source, "-m", machine(directory, compiled=changes), "--processes", "2", "--json",
                     "--compiler-options", options, *words).expect(0)

    surprises = {"operations": {"surprise_int32": [1e-3, 1e-3]}}
    result = computes(surprises, "--set", "Q_branches_8=0.25", "--", "20")
    check("aren't found" not in result.err and result.json()["costs"] == "compiled code", result)
    check("Q_branches_8" in [finding["parameter"] for finding in result.json()["findings"]], "the branch's probability isn't named")
    check_near(result.json()["predictions"][0]["compute_s"], [20 * 250e-3] * 2, "a quarter of 1000 branches in each of 20 rounds")
    cycles = [computes({"operations": {"cycle_int64": [1e-6, 1e-6]}}, "--", n).json()["predictions"][0]["compute_s"][0]
              for n in ("100", "1000")]
    check(9.9 < cycles[1] / cycles[0] < 10.1 and 1 < cycles[0] / 100 * 1e6 / 1000 < 20, f"cycles of 100 and 1000 rounds: {cycles}")
    result = computes({"scheduler": "none"})
    check("branches.c: its operations count, not its compiled code: llvm-mca" in result.err, result.err)
    check_equal(result.json()["costs"], "operations in compiled code", "costs without llvm-mca")
    check_equal(computes({}, options="-O3").json()["costs"], "single operations", "costs of other options")


ROUNDS = """#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
%s
int main(int argc, char **argv) {
  int rank, size, n = 0, other = 0, spare, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  %s
  for (i = 0; i < n; i++)
    MPI_Sendrecv(&other, 1, MPI_INT, 1 - rank, 0, &spare, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""
FACTOR = """static void factor(int whole, int *a, int *b) {
  for (*a = (int)sqrt(whole + 1.0); *a > 0; (*a)--)
    if (whole % *a == 0) { *b = whole / *a; break; }
}"""
OPTIONS = """struct Options { int n, verbose; };
static struct Options read_options(int count, char *words[]) {
  struct Options made = {5, 0};
  for (int i = 1; i < count; i++) {
    if (strncmp(words[i], "-n", 2) == 0) made.n = atoi(words[i] + 2);
    else if (words[i][0] == '-') made.verbose = 1;
  }
  return made;
}"""
GETOPT = """while ((other = getopt(argc, argv, "vn:x:")) != -1)
    switch (other) {
    case 'n': n = atoi(optarg); break;
    case 'x': sscanf(optarg, "%d", &n); break;
    default: i = 1;
    }
  n += optind;"""
COPIES = """struct Pair { int a, b; };
static struct Pair swapped(struct Pair p) { int a = p.a; p.a = p.b; p.b = a; return p; }"""
SEVEN = "static int k; static int seven(int *x) { *x = 7; return 1; }"
MADE = """struct Made { int x; };
static struct Made *make(int x) { struct Made *made = malloc(sizeof *made); made->x = x; return made; }"""
ALIGNED = "static void *get(int n) { void *p = NULL; return posix_memalign(&p, 64, n) ? NULL : p; }"
TABLE = """#include <getopt.h>
static int fast;
static struct option table[] = {{"number", required_argument, NULL, 'n'}, {"level", optional_argument, NULL, 'l'},
                                {"fast", no_argument, &fast, 1000}, {NULL, 0, NULL, 0}};"""
LONG = """while ((other = getopt_long(argc, argv, "n:l::", table, NULL)) != -1)
    switch (other) {
    case 'n': n += atoi(optarg); break;
    case 'l': n += optarg ? atoi(optarg) : 7; break;
    case 0: n += fast; break;
    default: n += 50;
    }
  n += optind;"""
FUNCTIONS = """static void one(int *n) { *n += 3; MPI_Barrier(MPI_COMM_WORLD); }
static void two(int *n) { *n += 5; MPI_Barrier(MPI_COMM_WORLD); }
static struct { const char *name; void (*f)(int *); } table[] = {{"one", one}, {"two", two}};
static void (*chosen)(int *) = NULL;"""
# Declarations, statements, the command line, and how many rounds these make.
COMMAND_LINES = (
    ("", "if (rank == 0) n = atoi(*++argv); MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);", "9", 9),
    ("", "n = atol(argv[1]) + atoll(argv[2]);", "9 3", 12),
    ("", 'n = sscanf(argv[1], "%dx%d", &i, &other) + i + other;', "4x3", 9),
    ("", "for (i = 1; i < argc; i++) if (argv[i][0] != '-') n = atoi(argv[i]);", "-v 7 -w", 7),
    ("", 'while (--argc > 0) { ++argv; if (!strcmp(*argv, "-n")) { n = atoi(*++argv); --argc; } }', "-v -n 6", 6),
    ("", "char *at = argv[1]; n = strtol(at, &at, 10); if (*at == 'x') n += strtol(at + 1, &at, 10); if (*at) n = 1;",
     "4x5", 9),
    ("", "double x = strtod(argv[1], NULL); n = 4 * x;", "2.5", 10),
    ("", GETOPT, "-v -n 4", 8), ("", GETOPT, "5 -vn4 6", 6), ("", GETOPT, "-x 3 -- -n 4", 7), ("", GETOPT, "-v -n", 3),
    ("", GETOPT.replace('"vn', '"+vn'), "-v 7 -n 4", 2),
    ("", GETOPT.replace("n:x", "n::x").replace("'n':", "'n': if (optarg)"), "-n -n4", 7),
    (OPTIONS, "struct Options options = read_options(argc, argv); n = options.n + options.verbose;", "-n8 -v", 9),
    (FACTOR, "factor(12, &n, &other);", "", 3),
    ("", "n = (int)floor(sqrt(20)); while (20 % n) n--;", "", 4),
    ("", "for (i = 2; i < 20; i++) if (35 % i == 0) break; n = i;", "", 5),
    ("", "double t; for (t = 0; t < 1.0; t += 0.1) n++;", "", 11),
    ("", "n = (int)strtol(argv[1], NULL, 0) + (int)strtol(argv[2], NULL, 16) + atoi(argv[1]);", "0x10 0x3", 19),
    ("", "double x = argc - 4.7; i = (int)x; n = 9 + i;", "", 6),
    ("", "i = -3; if (i % 2) n = 4; if (i % 2 == 0) n = 7;", "", 4),
    ("struct Pair { int a, b; };", "struct Pair pair = {5, 3}; n = pair.a - pair.b;", "", 2),
    ("", "int v[] = {[2] = 5, 6}; n = v[0] + v[3];", "", 6),
    (FUNCTIONS, "table[1].f(&n); if (chosen) chosen(&n); chosen = one; if (chosen) chosen(&n);", "", 8),
    (COPIES, "struct Pair a = {5, 3}, b = a, *c = &b; b = swapped(a); a.a = 100; n = b.a + c->b + a.b;", "", 11),
    ("", "*(rank < 2 ? &n : &i) = 4;", "", 4),
    ("", "MPI_Request r[2]; for (i = 0; i < 2; i++) { MPI_Irecv(&spare, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, r); "
     "MPI_Isend(&n, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, r + 1); MPI_Waitall(2, r, MPI_STATUSES_IGNORE); }", "", 2),
    ("static int kept, *at = &kept;", "*at = 4; n = kept;", "", 4),
    ("static int *last(int *a, int *b) { int *c = b; return c; }", "n = 3; *last(&i, &n) = 8;", "", 8),
    # What stands behind a sequence point sees what happened before it.
    ("", "i = 2; n = i++ < 3 ? i : 9;", "", 3), ("", "n = (i = 5, i + 1);", "", 6),
    (SEVEN, "int k = 5; if (k == 5 && seven(&k)) n = k;", "", 7), (SEVEN, "n = (k = 2, k > 1) && seven(&k) ? k : 1;", "", 7),
    ("", "i = 5; (i > 3 && (n += 2)) || (n += 100); i = 0; n += i++ || i++ ? i : 9;", "", 4),
    ("#define SAME(x) (x)", "int v = 3, *p = &v; n = SAME(++*p); n += SAME(v--);", "", 8),
    ("", "int v[3] = {1, 2, 3}; i = 0; v[i++] = 7; n = v[0] + i;", "", 8),
    ("", "i = 50; while (i-- > 0) { MPI_Barrier(MPI_COMM_WORLD); n++; } n += i + 1;", "", 50),
    # References to the same memory.
    ("int a[4][5];", "int *p = &a[0][0]; a[1][2] = 4; p[7] = 9; p = a[1] + 6; n = a[1][2] + (int)(p - a[0]);", "", 20),
    ("int a[4][5];", "int *p, (*r)[5] = a; for (p = (int *)a; p < a[0] + 20; p += 5) *p = 3; r++; n = (*r)[0] + a[3][0];",
     "", 6),
    ("", "int v[4], *p = v; v[0] = 3; *p++ = 4; *p = 5; n = v[0] + v[1];", "", 9),
    (MADE, "struct Made *a = make(2), *b = make(5), *c = a; c->x++; n = a->x * 3 + b->x;", "", 14),
    ("", "int k = 40, *p = &k; for (k = 0; k < 40; k++) { MPI_Barrier(MPI_COMM_WORLD); if (*p == 30) n = 5; }", "", 5),
    ("", "int k, *p = &k; for (k = 0; k < 400; k++) { (*p)++; n++; }", "", 200),
    # Whole numbers are cut off as C says.
    ("", "int k = 40000; short s = k; unsigned u = 3; u -= 5; n = s < 0 ? u > 10 ? 3 : 5 : 7;", "", 3),
    ("", "unsigned u = 3; int k = -1; unsigned char c = 255; c++; n = (k < u) + c + 4 + (int)(u - 4 >> 28);", "", 19),
    # So are bit-fields.
    ("struct Bits { unsigned a : 3; int : 4, b : 3; _Bool c : 1; };",
     "struct Bits s = {9, 12}; n = s.a - s.b; s.c = 4; s.a += 7; n += s.c + s.a; s.b = 3; n += (s.b++, s.b == -4);", "", 7),
    ("struct Bits { unsigned a : 3, b : 5; } g;", "struct Bits *p = &g; p->b = 40; n = (p->a = 13) + p->b--; n += g.b;", "", 20),
    # Long options, and literals to which references point.
    (TABLE, LONG, "--number 5", 8), (TABLE, LONG, "--num=5 x --level=2 --fast", 1011), (TABLE, LONG, "--level -n 4", 15),
    (TABLE, LONG, "--wrong --number", 103), (TABLE, LONG, "-- --fast", 2),
    ("", 'const char *word = "fast"; if (argc > 1) word = argv[1]; n = strcmp(word, "fast") ? 3 : 4;', "", 4),
    ("", "char *at = strchr(argv[1], ':'); n = at ? atoi(at + 1) + (int)(at - argv[1]) : 9;", "12:5", 7),
    ("", "const char *at = \"4,5\"; for (; *at; at++) if (*at != ',') n += *at - '0';", "", 9),
    # Loops that call functions which change globals, or what references lead to.
    ("static int z; static int next(void) { return ++z; }", "for (i = 0; i < 100; i++) other = next(); n = z / 10;", "", 10),
    (FACTOR, "int a[4], b[4]; for (i = 0; i < 4; i++) factor(i + 2, &a[i], &b[i]); n = b[3];", "", 5),
    # Memory that is allocated, copied and cleared.
    (ALIGNED, "int *a = get(8), *b = get(8); a[0] = 3; b[0] = 4; n = a[0];", "", 3),
    ("struct G { int a, b; };", "struct G g = {1, 2}, h; memcpy(&h, &g, sizeof g); memset(&g, 0, sizeof g); n = h.b + g.a;",
     "", 2),
    ("", "int v[4] = {1, 2, 3, 4}, *w = malloc(sizeof v); memcpy(w, v, sizeof v); v[2] = 9; w = realloc(w, 99); n = w[2];",
     "", 3),
    ("", 'const char *word = getenv("FIRMA_NONE"); n = word ? atoi(word) : 4;', "", 4),
    ("", "static int k; switch (k = 3, k + 1) { case 4: n = 2; break; default: n = 9; }", "", 2),
    ("", "unsigned char c; for (c = 1; c; c <<= 1) n++;", "", 8),
    # Globals are 0, or have the values of their lists.
    ("static int z, t[] = {2, 3, 5}, w[90]; int g[2][2] = {{1, 2}, {3, 4}};", "n = z + t[2] + w[8] + g[1][0];", "", 8),
)


@test("programs read their command lines in the usual ways, and search for factors")
def command_lines(directory):
    for declarations, statements, words, rounds in COMMAND_LINES:
        app = save(directory, "app.c", ROUNDS % (declarations, statements))
        document = predict_source(directory, app, "--processes", "2", "--json", "--", *words.split()).expect(0).json()
        check_equal(document["predictions"][0]["message_bytes"], 8 * rounds + 4 * ("Bcast" in statements), statements)


# What is stored as one type, and read or written as another one: of n, nothing is known then.
OTHER_TYPES = (
    ("", "n = 300; *(char *)&n = 5;"), ("", "n = 300; char *c = (char *)&n; c[1] = 0;"),
    ("", "int k = 300; n = *(short *)&k;"), ("", "double x = 5; n = ((int *)&x)[1];"),
    ("static void clear(void *p, int n) { char *c = p; for (int i = 0; i < n; i++) c[i] = 0; }", "n = 3; clear(&n, 4);"),
    ("static void copy(void *to, const void *from, int n) { char *c = to; const char *d = from; while (n--) *c++ = *d++; }",
     "other = 3; copy(&n, &other, 4);"),
    ("struct A { int a, b; }; struct B { struct A a; int c; };", "struct B b = {{1, 2}, 3}; ((struct A *)&b)->b = 7; n = b.a.b;"),
    ("", "int v[4] = {1, 2, 3, 4}; short *s = (short *)v; s[2] = 9; n = v[1];"),
    ("", "int v[4] = {1, 2, 3, 4}; n = *(int *)((char *)v + 8);"),
    ("", "int v[4] = {1, 2, 3, 4}; char *c = (char *)v; c += 4; *c = 0; n = v[1];"),
    ("", "int *v = malloc(40); v[1] = 3; char *c = (char *)v; c[4] = 2; n = v[1];"),
    ("", "void *v = malloc(40); int *a = v; char *c = v; a[1] = 3; c[4] = 2; n = a[1];"),
    ("", "n = 300; scanf((char *)&n);"),
)
# The same type after all.
SAME_TYPES = (
    ("", "*(int *)(void *)&n = 5;", 5), ("", "int k = -1; unsigned *u = (unsigned *)&k; n = *u > 7 ? 6 : 2;", 6),
    ("static void set(void *p) { int *q = p; *q = 4; }", "set(&n);", 4),
    ("", "void *v = malloc(40); int *a = v, *b = (int *)v; a[1] = 3; n = b[1];", 3),
    ("typedef struct { int a, b; } T; static void set(T *t) { t->b = 2; }", "T t; set((T *)(char *)&t); n = t.b;", 2),
    ("static void set(const void *p, int *q) { *q = *(const int *)p; }", "other = 9; set((const char *)&other, &n);", 9),
)


@test("memory that is taken as another type isn't known, which a finding says")
def other_types(directory):
    for declarations, statements in OTHER_TYPES:
        app = save(directory, "app.c", ROUNDS % (declarations, statements))
        result = predict_source(directory, app, "--processes", "2", "--json").expect(3)
        check("--set iterations_app_" in result.err, f"{statements}\n{result.err}")
        given = re.search("--set (iterations_app_[0-9]+=)", result.err).group(1) + "4"
        document = predict_source(directory, app, "--processes", "2", "--json", "--set", given).expect(0).json()
        check(any("as another type" in finding["message"] for finding in document["findings"]), f"{statements}\n{document}")
    for declarations, statements, rounds in SAME_TYPES:
        app = save(directory, "app.c", ROUNDS % (declarations, statements))
        document = predict_source(directory, app, "--processes", "2", "--json").expect(0).json()
        check_equal(document["predictions"][0]["message_bytes"], 8 * rounds, statements)


PARTS = {
    "main.c": """#include "parts.h"
int steps = 7;
static double x[1000], all;
static int count;
static void helper(void) { count += barriers; }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) steps = read_number(argv[1]);
  make();
  helper();
  for (int i = 0; i < steps; i++) all += exchange(x);
  for (int i = 0; i < count + calls; i++) MPI_Barrier(world);
  MPI_Finalize();
  return 0;
}
""",
    "parts.h": """#include <mpi.h>
extern int steps, calls, barriers;
extern MPI_Comm world;
extern void (*action)(void);
int read_number(const char *word);
void make(void);
double exchange(double *x);
""",
    "read.c": """#include "parts.h"
#include <stdlib.h>
int barriers = 4;
static int count = 100;
static int helper(const char *word) { count++; return atoi(word); }
int read_number(const char *word) { return helper(word) + count - 101; }
""",
    "parts/read.c": """#include "../parts.h"
MPI_Comm world;
int calls;
static void helper(void) { calls += 2; }
void (*action)(void) = helper;
void make(void) { MPI_Comm_dup(MPI_COMM_WORLD, &world); action(); }
static double sum_of(const double *x) {
  double sum = 0;
  for (int i = 0; i < 1000; i++) sum += x[i];
  return sum;
}
double exchange(double *x) {
  int rank;
  MPI_Comm_rank(world, &rank);
  MPI_Sendrecv(x, 500, MPI_DOUBLE, 1 - rank, 0, x + 500, 500, MPI_DOUBLE, 1 - rank, 0, world, MPI_STATUS_IGNORE);
  return sum_of(x);
}
"""}


@test("a program of several sources: functions and globals are joined by name, static ones belong to their file")
def several_sources(directory):
    os.mkdir(os.path.join(directory, "parts"))
    paths = [save(directory, name, text) for name, text in PARTS.items()]
    sources = [path for path in paths if path.endswith(".c")]
    if not shutil.which("mpicc"):
        raise Skip("no MPI is installed")

    def predicted(number, compiled=None):
        result = firma("cost", "predict", *sources, "-m", machine(directory, compiled=compiled), "--processes", "2",
                       "--json", *(["--compiler-options", "-O2"] if compiled is not None else []), "--", number).expect(0)
        check("aren't found" not in result.err and "its operations count" not in result.err, result)
        return result.json()["predictions"][0]

    barriers = predicted("1")["messages"] - 2
    check(barriers > 0 and predicted("30")["messages"] == 60 + barriers, "messages of 30 exchanges")
    check_equal(predicted("30")["message_bytes"] - predicted("20")["message_bytes"], 2 * 10 * 4000, "bytes of 10 exchanges")
    check_equal(barriers, 7 * 2, "messages of 6 barriers and of a communicator's duplication")
    twice = save(directory, "twice.c", "int read_number(const char *word) { return 1; }\n")
    result = firma("cost", "predict", *sources, twice, "-m", machine(directory), "--processes", "2").expect(3)
    check("twice.c:1: the function read_number has a body in" in result.err, result.err)
    again = os.path.join(directory, "parts", "..", "main.c")
    result = firma("cost", "predict", *sources, again, "-m", machine(directory), "--processes", "2").expect(3)
    check(f"{again}: this source is given twice" in result.err, result.err)
    graph = os.path.join(directory, "parts.ttig")
    firma("graph", "-q", *sources, "-n", "2", "--set", "argc=1", "-o", graph).expect(0)
    with open(graph, encoding="utf-8") as file:
        check_equal([edge["bytes"] // 4000 for edge in json.load(file)["edges"]], [7, 7], "exchanges of the graph")
    if shutil.which("llvm-mca") and platform.machine() == "x86_64":
        costs = {"operations": {"cycle_int64": [1e-6, 1e-6]}}
        few, many = (predicted(number, dict(costs))["compute_s"][0] for number in ("100", "1000"))
        check(9.9 < many / few < 10.1 and 200 < few / 100 * 1e6 < 20000, f"cycles of 100 and 1000 exchanges: {few}, {many}")


@test("reductions of whole numbers that all processes know are known")
def reductions(directory):
    for statements, rounds in (
            ("other = rank + 2; MPI_Allreduce(&other, &n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);", 5),
            ("n = rank + 2; MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD);", 6),
            ("other = rank + 2; MPI_Reduce(&other, &n, 1, MPI_INT, MPI_MAX, 1, MPI_COMM_WORLD); "
             "MPI_Bcast(&n, 1, MPI_INT, 1, MPI_COMM_WORLD);", 3)):
        app = save(directory, "app.c", ROUNDS % ("", statements))
        document = predict_source(directory, app, "--processes", "2", "--json").expect(0).json()
        check_equal(document["predictions"][0]["message_bytes"], 8 * (rounds + 1), statements)
    app = save(directory, "app.c", "int main(void) { return 0; }\n")
    document = predict_source(directory, app, "--processes", "2", "--json").expect(0).json()
    check("MPI_Init isn't called" in document["findings"][0]["message"], document)


TASK = """#include <mpi.h>
double work(double *x, int n) {
  int rank, size;
  double sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < n / size; i++)
    sum = sum + x[i];
  if (rank > 0)
    MPI_Recv(x, n, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank < size - 1)
    MPI_Send(x, n, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
  MPI_Allreduce(&sum, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
"""


@test("the model of a function that calls MPI is a formula in the number of processes, and is priced by the machine")
def modelled(directory):
    if not shutil.which("mpicc"):
        raise Skip("no MPI is installed")
    model = os.path.join(directory, "work.pamela")
    firma("cost", "model", save(directory, "work.c", TASK), "--entry", "work", "-q", "-o", model).expect(0)
    with open(model, encoding="utf-8") as file:
        text = file.read()
    for words in ("seq (i = 1, floor(n/P))", "ceil(log2(P)) ts", "8*ceil(log2(P)) tw", "8*n tw", "rank = floor(P/2)"):
        check(words in text, f"`{words}` is missing\n{text}")
    path = machine(directory)
    document = firma("cost", "predict", model, "-m", path, "--workers", "1,4", "--set", "x=0", "--set", "n=1000",
                     "--json").expect(0).json()
    one, four = (prediction["time_s"] for prediction in document["predictions"])
    check_near(one, (1e-3, 2e-3), "one process")
    check_near(four, (250e-6 + 3 * 1e-6 + (8000 + 16) * 1e-9, 500e-6 + 3 * 2e-6 + (8000 + 16) * 3e-9), "four processes")


CALLED = """static void step(int to) { MPI_Send(&to, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }
static void all_steps(int n) { step(n); }"""


@test("what isn't known or doesn't fit is refused")
def refused(directory):
    app = save(directory, "app.c", ROUNDS % (CALLED, "all_steps(rand());"))
    result = predict_source(directory, app, "--processes", "2").expect(3)
    check("app.c:7: in process 0, the receiver of MPI_Send isn't known: `to`; step is called at" in result.err and
          "app.c:8; all_steps is called at" in result.err and "app.c:14\n" in result.err, result.err)
    app = save(directory, "app.c", PROGRAM.replace("atoi(argv[1])", "rand()"))
    result = predict_source(directory, app, "--processes", "2", "--", "7").expect(3)
    check("--set iterations_app_9=N" in result.err, result.err)
    for words, text in ((("--workers", "2"), "--workers is for flow files"), (("--model",), "--model is for flow files"),
                        (("--compute-speed", "0"), "isn't a factor"), (("--kind", "otto"), "has no kind `otto`"),
                        (("--set", "nothing=1"), "no unknown value called `nothing`")):
        result = predict(directory, "--processes", "2", *words).expect(2)
        check(text in result.err, f"`{text}` is missing\n{result}")
    model = save(directory, "app.pamela", "main = sum_double\n")
    result = firma("cost", "predict", model, "-m", machine(directory), "--processes", "2").expect(2)
    check("--processes is for the source of an MPI program" in result.err, result.err)
    result = firma("cost", "predict", os.path.join(directory, "app.c"), "-m", machine(directory, paths=False),
                   "--processes", "2").expect(3)
    check("no messages of an MPI" in result.err, result.err)


main()
