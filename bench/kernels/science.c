/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdbool.h>
/* Kernels of simulations and of data, kept aside: whoever works on predictions does not look at them. */
#define PI 3.14159265358979323846
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SQR(x) ((x) * (x))

/* ------------------------------------------------------------------ */
/* utilities                                                           */
/* ------------------------------------------------------------------ */

static void *xmalloc(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    if (p == NULL) {
        fprintf(stderr, "out of memory (%lu bytes)\n", (unsigned long)bytes);
        exit(EXIT_FAILURE);
    }
    return p;
}

static void *xcalloc(size_t count, size_t bytes)
{
    void *p = calloc(count ? count : 1, bytes);
    if (p == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_FAILURE);
    }
    return p;
}

static uint32_t rng_state = 2463534242u;

static void rng_seed(uint32_t s)
{
    rng_state = s ? s : 1u;
}

static uint32_t rng_next(void)
{
    uint32_t x = rng_state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return rng_state = x;
}

static double rng_uniform(void)
{
    return rng_next() * (1.0 / 4294967296.0);
}

static long rng_below(long n)
{
    return (long)(rng_next() % (uint32_t)n);
}

/* ------------------------------------------------------------------ */
/* 1. explicit heat equation in a box, 7-point                         */
/* ------------------------------------------------------------------ */

#define IDX3(i, j, k) (((i) * ny + (j)) * nz + (k))

static void heat_step(const double *u, double *v, long nx, long ny, long nz,
                      double rx, double ry, double rz)
{
    long i, j, k;
    for (i = 1; i < nx - 1; i++)
        for (j = 1; j < ny - 1; j++)
            for (k = 1; k < nz - 1; k++) {
                double c = u[IDX3(i, j, k)];
                v[IDX3(i, j, k)] = c
                    + rx * (u[IDX3(i + 1, j, k)] - 2.0 * c + u[IDX3(i - 1, j, k)])
                    + ry * (u[IDX3(i, j + 1, k)] - 2.0 * c + u[IDX3(i, j - 1, k)])
                    + rz * (u[IDX3(i, j, k + 1)] - 2.0 * c + u[IDX3(i, j, k - 1)]);
            }
}

double heat3d(long n, long times)
{
    long nx = n, ny = n, nz = n;
    size_t total = (size_t)(nx * ny * nz);
    double *u = xmalloc(total * sizeof *u);
    double *v = xmalloc(total * sizeof *v);

    for (long i = 0; i < nx; i++)
        for (long j = 0; j < ny; j++)
            for (long k = 0; k < nz; k++) {
                double x = (double)i / (nx - 1);
                double y = (double)j / (ny - 1);
                u[IDX3(i, j, k)] = x * (1.0 - x) + 0.5 * y + ((k % 3) ? 0.0 : 0.1);
            }
    memcpy(v, u, total * sizeof *u);

    for (long t = 0; t < times; t++) {
        heat_step(u, v, nx, ny, nz, 0.11, 0.12, 0.13);
        double *tmp = u;
        u = v;
        v = tmp;
    }

    double sum = 0.0;
    for (size_t p = 0; p < total; p++)
        sum += u[p];
    free(u);
    free(v);
    return sum;
}

/* ------------------------------------------------------------------ */
/* 2. 27-point smoothing with per-class weights, single precision      */
/* ------------------------------------------------------------------ */

static void smooth27(long n, float a[n][n][n], float b[n][n][n], const float w[4])
{
    for (long i = 1; i < n - 1; i++) {
        for (long j = 1; j < n - 1; j++) {
            for (long k = 1; k < n - 1; k++) {
                float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        for (int dk = -1; dk <= 1; dk++)
                            s[abs(di) + abs(dj) + abs(dk)] += a[i + di][j + dj][k + dk];
                b[i][j][k] = w[0] * s[0] + w[1] * s[1] + w[2] * s[2] + w[3] * s[3];
            }
        }
    }
}

double stencil27(long n, long times)
{
    static const float weights[4] = {8.0f / 64, 4.0f / 64, 2.0f / 64, 1.0f / 64};
    float (*a)[n][n] = xcalloc((size_t)(n * n * n), sizeof(float));
    float (*b)[n][n] = xcalloc((size_t)(n * n * n), sizeof(float));
    double norm = 0.0;

    rng_seed(77);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++)
                a[i][j][k] = (float)rng_uniform();

    for (long t = 0; t < times; t++) {
        if (t % 2 == 0)
            smooth27(n, a, b, weights);
        else
            smooth27(n, b, a, weights);
    }
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            norm += b[i][j][(i + j) % n] * b[i][j][(i + j) % n];
    free(a);
    free(b);
    return sqrt(norm);
}

/* ------------------------------------------------------------------ */
/* 3. Peaceman-Rachford ADI for the 2-D diffusion equation             */
/* ------------------------------------------------------------------ */

struct tridiag {
    long n;
    double *lower, *diag, *upper;
    double *cp, *dp;
};

static void tridiag_init(struct tridiag *s, long n, double r)
{
    s->n = n;
    s->lower = xmalloc(n * sizeof(double));
    s->diag = xmalloc(n * sizeof(double));
    s->upper = xmalloc(n * sizeof(double));
    s->cp = xmalloc(n * sizeof(double));
    s->dp = xmalloc(n * sizeof(double));
    for (long i = 0; i < n; i++) {
        s->lower[i] = -r;
        s->diag[i] = 1.0 + 2.0 * r;
        s->upper[i] = -r;
    }
}

static void tridiag_free(struct tridiag *s)
{
    free(s->lower);
    free(s->diag);
    free(s->upper);
    free(s->cp);
    free(s->dp);
}

/* Thomas algorithm, the right-hand side is overwritten by the solution */
static void tridiag_solve(struct tridiag *s, double *d)
{
    long n = s->n;
    s->cp[0] = s->upper[0] / s->diag[0];
    s->dp[0] = d[0] / s->diag[0];
    for (long i = 1; i < n; i++) {
        double m = 1.0 / (s->diag[i] - s->lower[i] * s->cp[i - 1]);
        s->cp[i] = s->upper[i] * m;
        s->dp[i] = (d[i] - s->lower[i] * s->dp[i - 1]) * m;
    }
    d[n - 1] = s->dp[n - 1];
    for (long i = n - 2; i >= 0; i--)
        d[i] = s->dp[i] - s->cp[i] * d[i + 1];
}

double adi2d(long n, long times)
{
    const double r = 0.4;
    struct tridiag sys;
    double **u = xmalloc(n * sizeof *u);
    double **h = xmalloc(n * sizeof *h);
    double *line = xmalloc(n * sizeof *line);

    for (long i = 0; i < n; i++) {
        u[i] = xcalloc(n, sizeof **u);
        h[i] = xcalloc(n, sizeof **h);
        for (long j = 0; j < n; j++)
            u[i][j] = sin(PI * (i + 1) / (n + 1)) * sin(2 * PI * (j + 1) / (n + 1));
    }
    tridiag_init(&sys, n, r);

    for (long t = 0; t < times; t++) {
        /* implicit along rows, explicit along columns */
        for (long i = 0; i < n; i++) {
            for (long j = 0; j < n; j++) {
                double up = i > 0 ? u[i - 1][j] : 0.0;
                double dn = i < n - 1 ? u[i + 1][j] : 0.0;
                line[j] = u[i][j] + r * (up - 2.0 * u[i][j] + dn);
            }
            tridiag_solve(&sys, line);
            memcpy(h[i], line, n * sizeof *line);
        }
        /* implicit along columns */
        for (long j = 0; j < n; j++) {
            for (long i = 0; i < n; i++) {
                double lf = j > 0 ? h[i][j - 1] : 0.0;
                double rt = j < n - 1 ? h[i][j + 1] : 0.0;
                line[i] = h[i][j] + r * (lf - 2.0 * h[i][j] + rt);
            }
            tridiag_solve(&sys, line);
            for (long i = 0; i < n; i++)
                u[i][j] = line[i];
        }
    }

    double energy = 0.0;
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++)
            energy += SQR(u[i][j]);
        free(u[i]);
        free(h[i]);
    }
    free(u);
    free(h);
    free(line);
    tridiag_free(&sys);
    return energy;
}

/* ------------------------------------------------------------------ */
/* 4. power iteration on a random sparse matrix in CSR                 */
/* ------------------------------------------------------------------ */

typedef struct {
    int rows, nnz;
    int *rowptr;
    int *col;
    double *val;
} csr_t;

static int cmp_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static csr_t *csr_random(int rows, int maxper)
{
    csr_t *m = xmalloc(sizeof *m);
    int cap = rows * 4;
    m->rows = rows;
    m->nnz = 0;
    m->rowptr = xmalloc((rows + 1) * sizeof(int));
    m->col = xmalloc(cap * sizeof(int));
    m->val = xmalloc(cap * sizeof(double));
    for (int i = 0; i < rows; i++) {
        int cnt = 2 + (int)rng_below(maxper - 1);
        m->rowptr[i] = m->nnz;
        if (m->nnz + cnt > cap) {
            cap *= 2;
            m->col = realloc(m->col, cap * sizeof(int));
            m->val = realloc(m->val, cap * sizeof(double));
            if (!m->col || !m->val)
                exit(EXIT_FAILURE);
        }
        m->col[m->nnz] = i;
        for (int k = 1; k < cnt; k++)
            m->col[m->nnz + k] = (int)rng_below(rows);
        qsort(m->col + m->nnz, cnt, sizeof(int), cmp_int);
        for (int k = 0; k < cnt; k++)
            m->val[m->nnz + k] = 0.1 + rng_uniform();
        m->nnz += cnt;
    }
    m->rowptr[rows] = m->nnz;
    return m;
}

static void csr_mul(const csr_t *m, const double *x, double *y)
{
    for (int i = 0; i < m->rows; i++) {
        double s = 0.0;
        for (int p = m->rowptr[i]; p < m->rowptr[i + 1]; p++)
            s += m->val[p] * x[m->col[p]];
        y[i] = s;
    }
}

static double norm2(const double *x, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrt(s);
}

double csr_power(long n, long times)
{
    rng_seed(4242);
    csr_t *a = csr_random((int)n, 15);
    double *x = xmalloc(n * sizeof *x);
    double *y = xmalloc(n * sizeof *y);
    double lambda = 0.0;

    for (int i = 0; i < n; i++)
        x[i] = 1.0 / sqrt((double)n);
    for (long it = 0; it < times; it++) {
        csr_mul(a, x, y);
        lambda = norm2(y, (int)n);
        for (int i = 0; i < n; i++)
            x[i] = y[i] / lambda;
    }
    free(a->rowptr);
    free(a->col);
    free(a->val);
    free(a);
    free(x);
    free(y);
    return lambda;
}

/* ------------------------------------------------------------------ */
/* 5. assembly of P1 finite elements on an unstructured triangle mesh  */
/* ------------------------------------------------------------------ */

typedef struct { double x, y; } Point;
typedef struct { int v[3]; int region; } Triangle;

typedef struct {
    int nnodes, ntri;
    Point *node;
    Triangle *tri;
} Mesh;

typedef struct {
    int n;
    int *start;
    int *adj;
    double *coef;
} Sparse;

static void mesh_build(Mesh *m, int n)
{
    int *perm;
    m->nnodes = n * n;
    m->ntri = 2 * (n - 1) * (n - 1);
    m->node = xmalloc(m->nnodes * sizeof(Point));
    m->tri = xmalloc(m->ntri * sizeof(Triangle));
    perm = xmalloc(m->nnodes * sizeof(int));

    /* numbering as a mesh generator leaves it: only locally ordered */
    for (int i = 0; i < m->nnodes; i++)
        perm[i] = i;
    for (int i = 0; i + 64 < m->nnodes; i++) {
        int j = i + (int)rng_below(64);
        int t = perm[i];
        perm[i] = perm[j];
        perm[j] = t;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Point *p = &m->node[perm[i * n + j]];
            double hx = 1.0 / (n - 1);
            p->x = i * hx + 0.3 * hx * (rng_uniform() - 0.5);
            p->y = j * hx + 0.3 * hx * (rng_uniform() - 0.5);
        }
    int e = 0;
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++) {
            int a = perm[i * n + j], b = perm[(i + 1) * n + j];
            int c = perm[(i + 1) * n + j + 1], d = perm[i * n + j + 1];
            m->tri[e] = (Triangle){{a, b, c}, (i / 8 + j / 8) % 3};
            e++;
            m->tri[e] = (Triangle){{a, c, d}, (i / 8 + j / 8) % 3};
            e++;
        }
    free(perm);
}

#define MAXDEG 12

static void sparse_pattern(Sparse *s, const Mesh *m)
{
    int *deg = xcalloc(m->nnodes, sizeof(int));
    int (*nb)[MAXDEG] = xmalloc(m->nnodes * sizeof *nb);

    for (int i = 0; i < m->nnodes; i++) {
        nb[i][0] = i;
        deg[i] = 1;
    }
    for (int e = 0; e < m->ntri; e++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                int i = m->tri[e].v[a], j = m->tri[e].v[b], k;
                for (k = 0; k < deg[i]; k++)
                    if (nb[i][k] == j)
                        break;
                if (k == deg[i] && k < MAXDEG)
                    nb[i][deg[i]++] = j;
            }
    s->n = m->nnodes;
    s->start = xmalloc((s->n + 1) * sizeof(int));
    s->start[0] = 0;
    for (int i = 0; i < s->n; i++)
        s->start[i + 1] = s->start[i] + deg[i];
    s->adj = xmalloc(s->start[s->n] * sizeof(int));
    s->coef = xcalloc(s->start[s->n], sizeof(double));
    for (int i = 0; i < s->n; i++)
        memcpy(s->adj + s->start[i], nb[i], deg[i] * sizeof(int));
    free(deg);
    free(nb);
}

static void sparse_add(Sparse *s, int i, int j, double v)
{
    int p = s->start[i];
    while (p < s->start[i + 1] && s->adj[p] != j)
        p++;
    if (p < s->start[i + 1])
        s->coef[p] += v;
}

static void assemble(const Mesh *m, Sparse *s, double *rhs)
{
    static const double conductivity[3] = {1.0, 2.5, 0.4};

    memset(s->coef, 0, s->start[s->n] * sizeof(double));
    memset(rhs, 0, s->n * sizeof(double));
    for (int e = 0; e < m->ntri; e++) {
        const Triangle *t = &m->tri[e];
        const Point *p = &m->node[t->v[0]];
        const Point *q = &m->node[t->v[1]];
        const Point *r = &m->node[t->v[2]];
        double b[3] = {q->y - r->y, r->y - p->y, p->y - q->y};
        double c[3] = {r->x - q->x, p->x - r->x, q->x - p->x};
        double area = 0.5 * fabs(b[0] * c[1] - b[1] * c[0]);
        double k = conductivity[t->region] / (4.0 * area);

        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                sparse_add(s, t->v[i], t->v[j], k * (b[i] * b[j] + c[i] * c[j]));
            rhs[t->v[i]] += area / 3.0;
        }
    }
}

double fem_assembly(long n, long times)
{
    Mesh mesh;
    Sparse mat;
    double *rhs, trace = 0.0;

    rng_seed(31);
    mesh_build(&mesh, (int)n);
    sparse_pattern(&mat, &mesh);
    rhs = xmalloc(mesh.nnodes * sizeof(double));
    for (long t = 0; t < times; t++) {
        assemble(&mesh, &mat, rhs);
        trace += mat.coef[mat.start[t % mat.n]] + rhs[t % mat.n];
        mesh.node[t % mesh.nnodes].x += 1e-7;
    }
    free(mesh.node);
    free(mesh.tri);
    free(mat.start);
    free(mat.adj);
    free(mat.coef);
    free(rhs);
    return trace;
}

/* ------------------------------------------------------------------ */
/* 6. electrostatic particle-in-cell, one dimension in space           */
/* ------------------------------------------------------------------ */

typedef struct {
    double x, v;
} particle;

typedef struct {
    int ng;
    long np;
    double length, dx, dt, qm;
    particle *p;
    double *rho, *phi, *e;
} plasma;

static void pic_deposit(plasma *s)
{
    double w = (double)s->ng / (double)s->np;
    for (int g = 0; g < s->ng; g++)
        s->rho[g] = -1.0;
    for (long i = 0; i < s->np; i++) {
        double pos = s->p[i].x / s->dx;
        int g = (int)pos;
        double f = pos - g;
        if (g >= s->ng)
            g -= s->ng;
        int gr = g + 1 == s->ng ? 0 : g + 1;
        s->rho[g] += w * (1.0 - f);
        s->rho[gr] += w * f;
    }
}

static void pic_field(plasma *s)
{
    int ng = s->ng;
    double mean = 0.0;
    /* E by integrating the charge, then remove the mean */
    s->e[0] = 0.0;
    for (int g = 1; g < ng; g++)
        s->e[g] = s->e[g - 1] + 0.5 * (s->rho[g - 1] + s->rho[g]) * s->dx;
    for (int g = 0; g < ng; g++)
        mean += s->e[g];
    mean /= ng;
    s->phi[0] = 0.0;
    for (int g = 0; g < ng; g++) {
        s->e[g] -= mean;
        if (g > 0)
            s->phi[g] = s->phi[g - 1] - s->e[g] * s->dx;
    }
}

static void pic_push(plasma *s)
{
    for (long i = 0; i < s->np; i++) {
        particle *q = &s->p[i];
        double pos = q->x / s->dx;
        int g = (int)pos;
        double f = pos - g;
        if (g >= s->ng)
            g -= s->ng;
        int gr = (g + 1) % s->ng;
        double e = s->e[g] * (1.0 - f) + s->e[gr] * f;
        q->v += s->qm * e * s->dt;
        q->x += q->v * s->dt;
        while (q->x < 0.0)
            q->x += s->length;
        while (q->x >= s->length)
            q->x -= s->length;
    }
}

double pic_step(long n, long times)
{
    plasma s;
    double kinetic = 0.0;

    rng_seed(12345);
    s.np = n;
    s.ng = (int)MAX(16, n / 20);
    s.length = s.ng * 0.05;
    s.dx = s.length / s.ng;
    s.dt = 0.02;
    s.qm = -1.0;
    s.p = xmalloc(s.np * sizeof(particle));
    s.rho = xmalloc(s.ng * sizeof(double));
    s.phi = xmalloc(s.ng * sizeof(double));
    s.e = xmalloc(s.ng * sizeof(double));
    for (long i = 0; i < n; i++) {
        s.p[i].x = s.length * rng_uniform();
        s.p[i].v = ((i & 1) ? 1.0 : -1.0) + 0.1 * (rng_uniform() - 0.5);
    }
    for (long t = 0; t < times; t++) {
        pic_deposit(&s);
        pic_field(&s);
        pic_push(&s);
    }
    for (long i = 0; i < n; i++)
        kinetic += 0.5 * s.p[i].v * s.p[i].v;
    kinetic += s.phi[s.ng / 2];
    free(s.p);
    free(s.rho);
    free(s.phi);
    free(s.e);
    return kinetic / n;
}

/* ------------------------------------------------------------------ */
/* 7. Lennard-Jones molecular dynamics with linked cells               */
/* ------------------------------------------------------------------ */

#define NDIM 3
typedef double vec3[NDIM];

typedef struct {
    int natoms, ncell;
    double box, rcut;
    vec3 *r, *v, *f;
    int *head, *next;
} md_system;

static int md_cell_of(const md_system *s, const vec3 r)
{
    int c[NDIM];
    for (int d = 0; d < NDIM; d++) {
        c[d] = (int)(r[d] / s->box * s->ncell);
        if (c[d] < 0)
            c[d] = 0;
        if (c[d] >= s->ncell)
            c[d] = s->ncell - 1;
    }
    return (c[0] * s->ncell + c[1]) * s->ncell + c[2];
}

static void md_build_cells(md_system *s)
{
    int total = s->ncell * s->ncell * s->ncell;
    for (int c = 0; c < total; c++)
        s->head[c] = -1;
    for (int i = 0; i < s->natoms; i++) {
        int c = md_cell_of(s, s->r[i]);
        s->next[i] = s->head[c];
        s->head[c] = i;
    }
}

static double md_pair(md_system *s, int i, int j)
{
    double d[NDIM], r2 = 0.0;
    for (int k = 0; k < NDIM; k++) {
        d[k] = s->r[i][k] - s->r[j][k];
        if (d[k] > 0.5 * s->box)
            d[k] -= s->box;
        else if (d[k] < -0.5 * s->box)
            d[k] += s->box;
        r2 += d[k] * d[k];
    }
    if (r2 >= s->rcut * s->rcut)
        return 0.0;
    double ir2 = 1.0 / r2;
    double ir6 = ir2 * ir2 * ir2;
    double ff = 48.0 * ir2 * ir6 * (ir6 - 0.5);
    for (int k = 0; k < NDIM; k++) {
        s->f[i][k] += ff * d[k];
        s->f[j][k] -= ff * d[k];
    }
    return 4.0 * ir6 * (ir6 - 1.0);
}

static double md_forces(md_system *s)
{
    int m = s->ncell;
    double pot = 0.0;

    memset(s->f, 0, s->natoms * sizeof(vec3));
    for (int cx = 0; cx < m; cx++)
    for (int cy = 0; cy < m; cy++)
    for (int cz = 0; cz < m; cz++) {
        int here = (cx * m + cy) * m + cz;
        for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++)
        for (int dz = -1; dz <= 1; dz++) {
            int ox = (cx + dx + m) % m;
            int oy = (cy + dy + m) % m;
            int oz = (cz + dz + m) % m;
            int there = (ox * m + oy) * m + oz;
            for (int i = s->head[here]; i >= 0; i = s->next[i])
                for (int j = s->head[there]; j >= 0; j = s->next[j])
                    if (i < j)
                        pot += md_pair(s, i, j);
        }
    }
    return pot;
}

/* n atoms along each edge of a cubic lattice */
double md_cells(long n, long times)
{
    md_system s;
    const double dt = 0.002, spacing = 1.2;
    double pot = 0.0;

    rng_seed(9);
    s.natoms = (int)(n * n * n);
    s.box = n * spacing;
    s.rcut = 2.5;
    s.ncell = (int)MAX(3, floor(s.box / s.rcut));
    s.r = xmalloc(s.natoms * sizeof(vec3));
    s.v = xmalloc(s.natoms * sizeof(vec3));
    s.f = xmalloc(s.natoms * sizeof(vec3));
    s.next = xmalloc(s.natoms * sizeof(int));
    s.head = xmalloc(s.ncell * s.ncell * s.ncell * sizeof(int));

    int a = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++, a++) {
                s.r[a][0] = (i + 0.5 + 0.05 * rng_uniform()) * spacing;
                s.r[a][1] = (j + 0.5 + 0.05 * rng_uniform()) * spacing;
                s.r[a][2] = (k + 0.5 + 0.05 * rng_uniform()) * spacing;
                for (int d = 0; d < NDIM; d++)
                    s.v[a][d] = rng_uniform() - 0.5;
            }

    for (long t = 0; t < times; t++) {
        md_build_cells(&s);
        pot = md_forces(&s);
        for (int i = 0; i < s.natoms; i++)
            for (int d = 0; d < NDIM; d++) {
                s.v[i][d] += dt * s.f[i][d];
                s.r[i][d] += dt * s.v[i][d];
                if (s.r[i][d] < 0.0)
                    s.r[i][d] += s.box;
                if (s.r[i][d] >= s.box)
                    s.r[i][d] -= s.box;
            }
    }
    free(s.r);
    free(s.v);
    free(s.f);
    free(s.head);
    free(s.next);
    return pot;
}

/* ------------------------------------------------------------------ */
/* 8. Barnes-Hut gravity in two dimensions                             */
/* ------------------------------------------------------------------ */

typedef struct Body {
    double x, y, vx, vy, ax, ay, mass;
} Body;

typedef struct QuadNode {
    double cx, cy, half;       /* square covered by this node */
    double mx, my, mass;       /* centre of mass */
    Body *body;                /* a leaf with one body */
    struct QuadNode *child[4];
} QuadNode;

static QuadNode *quad_pool;
static long quad_used, quad_cap;

static QuadNode *quad_new(double cx, double cy, double half)
{
    if (quad_used == quad_cap)
        return NULL;
    QuadNode *q = &quad_pool[quad_used++];
    memset(q, 0, sizeof *q);
    q->cx = cx;
    q->cy = cy;
    q->half = half;
    return q;
}

static void quad_insert(QuadNode *q, Body *b, int depth);

static void quad_push_down(QuadNode *q, Body *b, int depth)
{
    int k = (b->x > q->cx ? 1 : 0) + (b->y > q->cy ? 2 : 0);
    if (q->child[k] == NULL) {
        double h = q->half * 0.5;
        q->child[k] = quad_new(q->cx + ((k & 1) ? h : -h), q->cy + ((k & 2) ? h : -h), h);
    }
    if (q->child[k] != NULL)
        quad_insert(q->child[k], b, depth + 1);
}

static void quad_insert(QuadNode *q, Body *b, int depth)
{
    double total = q->mass + b->mass;
    bool empty = q->mass == 0.0;

    q->mx = (q->mx * q->mass + b->x * b->mass) / total;
    q->my = (q->my * q->mass + b->y * b->mass) / total;
    q->mass = total;
    if (empty) {
        q->body = b;
        return;
    }
    if (depth > 30)
        return;
    if (q->body != NULL) {
        Body *old = q->body;
        q->body = NULL;
        quad_push_down(q, old, depth);
    }
    quad_push_down(q, b, depth);
}

static void quad_accel(const QuadNode *q, Body *b, double theta2)
{
    if (q == NULL || q->body == b)
        return;
    double dx = q->mx - b->x, dy = q->my - b->y;
    double d2 = dx * dx + dy * dy + 1e-6;
    if (q->body != NULL || 4.0 * q->half * q->half < theta2 * d2) {
        double inv = 1.0 / sqrt(d2);
        double f = q->mass * inv * inv * inv;
        b->ax += f * dx;
        b->ay += f * dy;
        return;
    }
    for (int k = 0; k < 4; k++)
        quad_accel(q->child[k], b, theta2);
}

double barnes_hut(long n, long times)
{
    Body *body = xmalloc(n * sizeof(Body));
    double e = 0.0;

    rng_seed(1000003);
    quad_cap = 4 * n + 1024;
    quad_pool = xmalloc(quad_cap * sizeof(QuadNode));
    for (long i = 0; i < n; i++) {
        double r = 0.9 * rng_uniform(), a = 2.0 * PI * rng_uniform();
        body[i].x = r * cos(a);
        body[i].y = r * sin(a);
        body[i].vx = -body[i].y * 0.5;
        body[i].vy = body[i].x * 0.5;
        body[i].mass = 1.0 / n;
    }
    for (long t = 0; t < times; t++) {
        double ext = 1.0;
        for (long i = 0; i < n; i++) {
            ext = MAX(ext, fabs(body[i].x));
            ext = MAX(ext, fabs(body[i].y));
        }
        quad_used = 0;
        QuadNode *root = quad_new(0.0, 0.0, ext);
        for (long i = 0; i < n; i++)
            quad_insert(root, &body[i], 0);
        for (long i = 0; i < n; i++) {
            body[i].ax = body[i].ay = 0.0;
            quad_accel(root, &body[i], 0.5);
        }
        for (long i = 0; i < n; i++) {
            Body *b = body + i;
            b->vx += 1e-3 * b->ax;
            b->vy += 1e-3 * b->ay;
            b->x += 1e-3 * b->vx;
            b->y += 1e-3 * b->vy;
        }
    }
    for (long i = 0; i < n; i++)
        e += 0.5 * body[i].mass * (SQR(body[i].vx) + SQR(body[i].vy));
    free(quad_pool);
    quad_pool = NULL;
    free(body);
    return e;
}

/* ------------------------------------------------------------------ */
/* 9. LU decomposition with partial pivoting, solve                    */
/* ------------------------------------------------------------------ */

static int lu_decompose(double **a, int n, int *indx)
{
    for (int k = 0; k < n; k++) {
        int piv = k;
        double big = fabs(a[k][k]);
        for (int i = k + 1; i < n; i++) {
            if (fabs(a[i][k]) > big) {
                big = fabs(a[i][k]);
                piv = i;
            }
        }
        if (big < 1e-14)
            return -1;
        indx[k] = piv;
        if (piv != k) {
            double *row = a[piv];
            a[piv] = a[k];
            a[k] = row;
        }
        for (int i = k + 1; i < n; i++) {
            double m = a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= m * a[k][j];
        }
    }
    return 0;
}

static void lu_backsub(double **a, int n, const int *indx, double *b)
{
    int i, j;
    for (i = 0; i < n; i++) {
        double t = b[indx[i]];
        b[indx[i]] = b[i];
        b[i] = t;
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++)
            b[i] -= a[i][j] * b[j];
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

double lu_pivot(long n, long times)
{
    double *store = xmalloc(n * n * sizeof(double));
    double **a = xmalloc(n * sizeof(double *));
    double *b = xmalloc(n * sizeof(double));
    int *indx = xmalloc(n * sizeof(int));
    double check = 0.0;

    for (long t = 0; t < times; t++) {
        rng_seed((uint32_t)(t + 17));
        for (long i = 0; i < n; i++) {
            a[i] = store + i * n;
            b[i] = i % 5 - 2.0;
            for (long j = 0; j < n; j++)
                a[i][j] = rng_uniform() - 0.5;
        }
        if (lu_decompose(a, (int)n, indx) == 0) {
            lu_backsub(a, (int)n, indx, b);
            check += b[n / 2];
        }
    }
    free(store);
    free(a);
    free(b);
    free(indx);
    return check;
}

/* ------------------------------------------------------------------ */
/* 10. blocked matrix multiplication                                   */
/* ------------------------------------------------------------------ */

#define BLOCK 32

static void block_mul(int n, const double *A, const double *B, double *C)
{
    for (int ii = 0; ii < n; ii += BLOCK)
        for (int kk = 0; kk < n; kk += BLOCK)
            for (int jj = 0; jj < n; jj += BLOCK) {
                int ie = MIN(ii + BLOCK, n);
                int ke = MIN(kk + BLOCK, n);
                int je = MIN(jj + BLOCK, n);
                for (int i = ii; i < ie; i++)
                    for (int k = kk; k < ke; k++) {
                        double aik = A[i * n + k];
                        for (int j = jj; j < je; j++)
                            C[i * n + j] += aik * B[k * n + j];
                    }
            }
}

double matmul_blocked(long n, long times)
{
    double *a = xmalloc(n * n * sizeof *a);
    double *b = xmalloc(n * n * sizeof *b);
    double *c = xcalloc(n * n, sizeof *c);

    for (long i = 0; i < n * n; i++) {
        a[i] = (double)(i % 13) / 13.0;
        b[i] = (double)(i % 7) / 7.0 - 0.4;
    }
    while (times-- > 0) {
        block_mul((int)n, a, b, c);
        a[0] += 0.125;
    }
    double trace = 0.0;
    for (long i = 0; i < n; i++)
        trace += c[i * n + i];
    free(a);
    free(b);
    free(c);
    return trace;
}

/* ------------------------------------------------------------------ */
/* 11. Runge-Kutta-Fehlberg 4(5) with step control                     */
/* ------------------------------------------------------------------ */

#define MAXEQ 4
typedef void (*deriv_fn)(double t, const double *y, double *dydt, const void *par);

static void deriv_vdp(double t, const double *y, double *dydt, const void *par)
{
    double mu = *(const double *)par;
    (void)t;
    dydt[0] = y[1];
    dydt[1] = mu * (1.0 - y[0] * y[0]) * y[1] - y[0];
}

static void deriv_kepler(double t, const double *y, double *dydt, const void *par)
{
    double r = sqrt(y[0] * y[0] + y[1] * y[1]);
    double k = *(const double *)par / (r * r * r);
    (void)t;
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = -k * y[0];
    dydt[3] = -k * y[1];
}

static void deriv_pendulum(double t, const double *y, double *dydt, const void *par)
{
    double drive = *(const double *)par;
    dydt[0] = y[1];
    dydt[1] = -sin(y[0]) - 0.1 * y[1] + drive * cos(0.7 * t);
}

static const double rkf_b[6][5] = {
    {0, 0, 0, 0, 0},
    {1.0 / 4, 0, 0, 0, 0},
    {3.0 / 32, 9.0 / 32, 0, 0, 0},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197, 0, 0},
    {439.0 / 216, -8.0, 3680.0 / 513, -845.0 / 4104, 0},
    {-8.0 / 27, 2.0, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}
};
static const double rkf_a[6] = {0, 0.25, 0.375, 12.0 / 13, 1.0, 0.5};
static const double rkf_c4[6] = {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -0.2, 0};
static const double rkf_c5[6] = {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -0.18, 2.0 / 55};

static long rkf45(deriv_fn f, const void *par, int neq, double *y,
                  double t, double tend, double tol)
{
    double k[6][MAXEQ], yt[MAXEQ];
    double h = 0.01;
    long steps = 0;

    while (t < tend) {
        if (t + h > tend)
            h = tend - t;
        for (int s = 0; s < 6; s++) {
            for (int i = 0; i < neq; i++) {
                yt[i] = y[i];
                for (int m = 0; m < s; m++)
                    yt[i] += h * rkf_b[s][m] * k[m][i];
            }
            f(t + rkf_a[s] * h, yt, k[s], par);
        }
        double err = 0.0;
        for (int i = 0; i < neq; i++) {
            double d = 0.0;
            for (int s = 0; s < 6; s++)
                d += (rkf_c5[s] - rkf_c4[s]) * k[s][i];
            err = fmax(err, fabs(h * d));
        }
        steps++;
        if (err <= tol || h < 1e-9) {
            for (int i = 0; i < neq; i++)
                for (int s = 0; s < 6; s++)
                    y[i] += h * rkf_c5[s] * k[s][i];
            t += h;
        }
        double scale = err > 0.0 ? 0.9 * pow(tol / err, 0.2) : 4.0;
        if (scale < 0.2)
            scale = 0.2;
        else if (scale > 4.0)
            scale = 4.0;
        h *= scale;
        if (steps > 10000000L)
            break;
    }
    return steps;
}

/* n is the length of the time interval */
double rkf_adaptive(long n, long times)
{
    double acc = 0.0;
    for (long t = 0; t < times; t++) {
        double mu = 1.0 + 0.1 * (t % 10);
        double gm = 1.0 + 0.01 * (t % 7);
        double drive = 0.5 + 0.05 * (t % 5);
        double y[MAXEQ] = {2.0, 0.0, 0.0, 0.0};

        acc += rkf45(deriv_vdp, &mu, 2, y, 0.0, (double)n, 1e-7);
        acc += y[0];
        y[0] = 0.6; y[1] = 0.0; y[2] = 0.0; y[3] = 1.4;
        acc += rkf45(deriv_kepler, &gm, 4, y, 0.0, (double)n, 1e-8);
        acc += y[0] + y[1];
        y[0] = 0.2; y[1] = 0.0;
        acc += rkf45(deriv_pendulum, &drive, 2, y, 0.0, (double)n, 1e-7);
        acc += y[1];
    }
    return acc;
}

/* ------------------------------------------------------------------ */
/* 12. adaptive Simpson quadrature, recursive                          */
/* ------------------------------------------------------------------ */

typedef double (*integrand)(double x, double p);

static double f_peak(double x, double p)
{
    return 1.0 / ((x - p) * (x - p) + 1e-3);
}

static double f_wave(double x, double p)
{
    return sin(p * 20.0 * x) * exp(-x);
}

static double f_root(double x, double p)
{
    return sqrt(fabs(x - p));
}

static double f_poly(double x, double p)
{
    static const double c[] = {1.0, -3.5, 0.25, 4.0, -2.0, 0.75, 1.0};
    double s = 0.0;
    for (int i = (int)(sizeof c / sizeof c[0]) - 1; i >= 0; i--)
        s = s * x + c[i];
    return s * p;
}

static double simpson_rec(integrand f, double p, double a, double b,
                          double fa, double fm, double fb,
                          double whole, double eps, int depth)
{
    double m = 0.5 * (a + b);
    double flm = f(0.5 * (a + m), p);
    double frm = f(0.5 * (m + b), p);
    double left = (m - a) / 6.0 * (fa + 4.0 * flm + fm);
    double right = (b - m) / 6.0 * (fm + 4.0 * frm + fb);
    double delta = left + right - whole;

    if (depth <= 0 || fabs(delta) <= 15.0 * eps)
        return left + right + delta / 15.0;
    return simpson_rec(f, p, a, m, fa, flm, fm, left, 0.5 * eps, depth - 1)
         + simpson_rec(f, p, m, b, fm, frm, fb, right, 0.5 * eps, depth - 1);
}

static double simpson(integrand f, double p, double a, double b, double eps)
{
    double fa = f(a, p), fb = f(b, p), fm = f(0.5 * (a + b), p);
    return simpson_rec(f, p, a, b, fa, fm, fb, (b - a) / 6.0 * (fa + 4.0 * fm + fb), eps, 24);
}

/* n integrals, of four kinds in turn */
double adaptive_quad(long n, long times)
{
    static const integrand table[4] = {f_peak, f_wave, f_root, f_poly};
    double *param = xmalloc(n * sizeof *param);
    double sum = 0.0;

    for (long i = 0; i < n; i++)
        param[i] = (i + 0.5) / n;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            sum += simpson(table[i % 4], param[i], 0.0, 1.0 + 1e-3 * (t % 3), 1e-8);
    free(param);
    return sum;
}

/* ------------------------------------------------------------------ */
/* 13. natural cubic spline, evaluated at scattered points             */
/* ------------------------------------------------------------------ */

static void spline_setup(const double *x, const double *y, long n, double *y2)
{
    double *u = xmalloc(n * sizeof *u);
    y2[0] = u[0] = 0.0;
    for (long i = 1; i < n - 1; i++) {
        double sig = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]);
        double p = sig * y2[i - 1] + 2.0;
        y2[i] = (sig - 1.0) / p;
        u[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
        u[i] = (6.0 * u[i] / (x[i + 1] - x[i - 1]) - sig * u[i - 1]) / p;
    }
    y2[n - 1] = 0.0;
    for (long k = n - 2; k >= 0; k--)
        y2[k] = y2[k] * y2[k + 1] + u[k];
    free(u);
}

static double spline_at(const double *xa, const double *ya, const double *y2a, long n, double x)
{
    long lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        long mid = (lo + hi) / 2;
        if (xa[mid] > x)
            hi = mid;
        else
            lo = mid;
    }
    double h = xa[hi] - xa[lo];
    double a = (xa[hi] - x) / h;
    double b = (x - xa[lo]) / h;
    return a * ya[lo] + b * ya[hi]
         + ((a * a * a - a) * y2a[lo] + (b * b * b - b) * y2a[hi]) * (h * h) / 6.0;
}

double spline_eval(long n, long times)
{
    double *x = xmalloc(n * sizeof *x);
    double *y = xmalloc(n * sizeof *y);
    double *y2 = xmalloc(n * sizeof *y2);
    double sum = 0.0, pos = 0.0;

    rng_seed(555);
    for (long i = 0; i < n; i++) {
        pos += 0.1 + rng_uniform();
        x[i] = pos;
        y[i] = sin(0.3 * pos) + 0.1 * rng_uniform();
    }
    for (long t = 0; t < times; t++) {
        y[t % n] += 0.01;
        spline_setup(x, y, n, y2);
        for (long q = 0; q < n; q++) {
            double where = x[0] + (x[n - 1] - x[0]) * rng_uniform();
            sum += spline_at(x, y, y2, n, where);
        }
    }
    free(x);
    free(y);
    free(y2);
    return sum;
}

/* ------------------------------------------------------------------ */
/* 14. connected components of a binary image (two passes, union-find) */
/* ------------------------------------------------------------------ */

typedef unsigned char pixel;

static int uf_find(int *parent, int a)
{
    while (parent[a] != a) {
        parent[a] = parent[parent[a]];
        a = parent[a];
    }
    return a;
}

static int uf_union(int *parent, int a, int b)
{
    a = uf_find(parent, a);
    b = uf_find(parent, b);
    if (a == b)
        return a;
    if (a < b) {
        parent[b] = a;
        return a;
    }
    parent[a] = b;
    return b;
}

static int label_image(const pixel *img, int *lab, int *parent, int w, int h)
{
    int next = 1, count = 0;
    parent[0] = 0;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int p = y * w + x;
            if (!img[p]) {
                lab[p] = 0;
                continue;
            }
            int left = x > 0 ? lab[p - 1] : 0;
            int up = y > 0 ? lab[p - w] : 0;
            if (left && up)
                lab[p] = left == up ? left : uf_union(parent, left, up);
            else if (left)
                lab[p] = left;
            else if (up)
                lab[p] = up;
            else {
                parent[next] = next;
                lab[p] = next++;
            }
        }
    }
    for (int l = 1; l < next; l++)
        if (parent[l] == l)
            count++;
    for (int p = 0; p < w * h; p++)
        if (lab[p])
            lab[p] = uf_find(parent, lab[p]);
    return count;
}

double label_components(long n, long times)
{
    int w = (int)n, h = (int)n;
    pixel *img = xmalloc((size_t)w * h);
    int *lab = xmalloc((size_t)w * h * sizeof *lab);
    int *parent = xmalloc(((size_t)w * h / 2 + 2) * sizeof *parent);
    double total = 0.0;

    rng_seed(8086);
    for (int p = 0; p < w * h; p++)
        img[p] = rng_below(100) < 57;
    for (long t = 0; t < times; t++) {
        total += label_image(img, lab, parent, w, h);
        total += lab[(t * 31) % ((long)w * h)] * 1e-3;
        img[(t * 97) % ((long)w * h)] ^= 1;
    }
    free(img);
    free(lab);
    free(parent);
    return total;
}

/* ------------------------------------------------------------------ */
/* 15. integer 5/3 wavelet of an image, forward and inverse            */
/* ------------------------------------------------------------------ */

static void lift53(int *x, int len, int *tmp)
{
    int half = (len + 1) / 2, i;
    for (i = 1; i < len; i += 2) {
        int r = i + 1 < len ? x[i + 1] : x[i - 1];
        x[i] -= (x[i - 1] + r) / 2;
    }
    for (i = 0; i < len; i += 2) {
        int l = i > 0 ? x[i - 1] : x[i + 1];
        int r = i + 1 < len ? x[i + 1] : x[i - 1];
        x[i] += (l + r + 2) / 4;
    }
    for (i = 0; i < len; i++)
        tmp[(i & 1) ? half + i / 2 : i / 2] = x[i];
    memcpy(x, tmp, len * sizeof *x);
}

static void unlift53(int *x, int len, int *tmp)
{
    int half = (len + 1) / 2, i;
    for (i = 0; i < len; i++)
        tmp[i] = x[(i & 1) ? half + i / 2 : i / 2];
    for (i = 0; i < len; i += 2) {
        int l = i > 0 ? tmp[i - 1] : tmp[i + 1];
        int r = i + 1 < len ? tmp[i + 1] : tmp[i - 1];
        tmp[i] -= (l + r + 2) / 4;
    }
    for (i = 1; i < len; i += 2) {
        int r = i + 1 < len ? tmp[i + 1] : tmp[i - 1];
        tmp[i] += (tmp[i - 1] + r) / 2;
    }
    memcpy(x, tmp, len * sizeof *x);
}

static void wavelet2d(int *img, int n, int size, bool inverse, int *col, int *tmp)
{
    for (int pass = 0; pass < 2; pass++) {
        bool rows = (pass == 0) != inverse;
        for (int i = 0; i < size; i++) {
            if (rows) {
                if (inverse)
                    unlift53(img + (long)i * n, size, tmp);
                else
                    lift53(img + (long)i * n, size, tmp);
                continue;
            }
            for (int j = 0; j < size; j++)
                col[j] = img[(long)j * n + i];
            if (inverse)
                unlift53(col, size, tmp);
            else
                lift53(col, size, tmp);
            for (int j = 0; j < size; j++)
                img[(long)j * n + i] = col[j];
        }
    }
}

double wavelet_53(long n, long times)
{
    int *img = xmalloc(n * n * sizeof *img);
    int *col = xmalloc(n * sizeof *col);
    int *tmp = xmalloc(n * sizeof *tmp);
    int sizes[4], levels;
    double sum = 0.0;

    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            img[i * n + j] = (int)((i * j / 7 + 3 * i) % 256);

    for (long t = 0; t < times; t++) {
        int size = (int)n;
        for (levels = 0; levels < 4 && size >= 4; levels++) {
            sizes[levels] = size;
            wavelet2d(img, (int)n, size, false, col, tmp);
            size = (size + 1) / 2;
        }
        /* drop the small details */
        for (long p = 0; p < n * n; p++)
            if (abs(img[p]) < 3)
                img[p] = 0;
        sum += img[0];
        while (levels-- > 0)
            wavelet2d(img, (int)n, sizes[levels], true, col, tmp);
        sum += img[n * n - 1];
    }
    free(img);
    free(col);
    free(tmp);
    return sum;
}

/* ------------------------------------------------------------------ */
/* 16. Viterbi decoding of a hidden Markov model, in logs              */
/* ------------------------------------------------------------------ */

#define NSTATES 12
#define NSYMBOLS 26

struct hmm {
    double start[NSTATES];
    double trans[NSTATES][NSTATES];
    double emit[NSTATES][NSYMBOLS];
};

static void hmm_random(struct hmm *h)
{
    for (int i = 0; i < NSTATES; i++) {
        double s = 0.0;
        h->start[i] = log(1.0 / NSTATES);
        for (int j = 0; j < NSTATES; j++)
            s += h->trans[i][j] = 0.05 + rng_uniform() + (i == j ? 2.0 : 0.0);
        for (int j = 0; j < NSTATES; j++)
            h->trans[i][j] = log(h->trans[i][j] / s);
        s = 0.0;
        for (int k = 0; k < NSYMBOLS; k++)
            s += h->emit[i][k] = 0.01 + SQR(rng_uniform());
        for (int k = 0; k < NSYMBOLS; k++)
            h->emit[i][k] = log(h->emit[i][k] / s);
    }
}

static double viterbi(const struct hmm *h, const char *obs, long len,
                      unsigned char (*back)[NSTATES], unsigned char *path)
{
    double cur[NSTATES], nxt[NSTATES];

    for (int s = 0; s < NSTATES; s++)
        cur[s] = h->start[s] + h->emit[s][obs[0] - 'a'];
    for (long t = 1; t < len; t++) {
        int o = obs[t] - 'a';
        for (int s = 0; s < NSTATES; s++) {
            int arg = 0;
            double best = -DBL_MAX;
            for (int q = 0; q < NSTATES; q++) {
                double v = cur[q] + h->trans[q][s];
                if (v > best) {
                    best = v;
                    arg = q;
                }
            }
            nxt[s] = best + h->emit[s][o];
            back[t][s] = (unsigned char)arg;
        }
        memcpy(cur, nxt, sizeof cur);
    }
    int last = 0;
    for (int s = 1; s < NSTATES; s++)
        if (cur[s] > cur[last])
            last = s;
    path[len - 1] = (unsigned char)last;
    for (long t = len - 1; t > 0; t--)
        path[t - 1] = back[t][path[t]];
    return cur[last];
}

double viterbi_decode(long n, long times)
{
    struct hmm model;
    char *obs = xmalloc(n);
    unsigned char *path = xmalloc(n);
    unsigned char (*back)[NSTATES] = xmalloc(n * sizeof *back);
    double score = 0.0;

    rng_seed(2718);
    hmm_random(&model);
    for (long i = 0; i < n; i++)
        obs[i] = (char)('a' + rng_below(NSYMBOLS));
    for (long t = 0; t < times; t++) {
        score += viterbi(&model, obs, n, back, path) / n;
        score += path[t % n];
        obs[(t * 13) % n] = (char)('a' + t % NSYMBOLS);
    }
    free(obs);
    free(path);
    free(back);
    return score;
}

/* ------------------------------------------------------------------ */
/* 17. four in a row: alpha-beta search to depth n                     */
/* ------------------------------------------------------------------ */

enum { COLS = 7, ROWS = 6 };
enum cell { EMPTY = 0, RED = 1, YELLOW = 2 };

typedef struct {
    signed char at[COLS][ROWS];
    int height[COLS];
    int moves;
} Board;

static long nodes_visited;

static const int search_order[COLS] = {3, 2, 4, 1, 5, 0, 6};

static bool inside(int c, int r)
{
    return c >= 0 && c < COLS && r >= 0 && r < ROWS;
}

static int run_length(const Board *b, int c, int r, int dc, int dr, int who)
{
    int len = 0;
    c += dc;
    r += dr;
    while (inside(c, r) && b->at[c][r] == who) {
        len++;
        c += dc;
        r += dr;
    }
    return len;
}

static bool wins(const Board *b, int c, int r, int who)
{
    static const int dirs[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int d = 0; d < 4; d++) {
        int dc = dirs[d][0], dr = dirs[d][1];
        if (1 + run_length(b, c, r, dc, dr, who) + run_length(b, c, r, -dc, -dr, who) >= 4)
            return true;
    }
    return false;
}

static int evaluate(const Board *b, int who)
{
    int score = 0;
    for (int c = 0; c < COLS; c++)
        for (int r = 0; r < b->height[c]; r++) {
            int weight = 3 - abs(c - 3) + (r < 3 ? r : 5 - r);
            switch (b->at[c][r]) {
            case EMPTY:
                break;
            default:
                score += b->at[c][r] == who ? weight : -weight;
            }
        }
    return score;
}

static int negamax(Board *b, int who, int depth, int alpha, int beta)
{
    nodes_visited++;
    if (b->moves == COLS * ROWS)
        return 0;
    if (depth == 0)
        return evaluate(b, who);
    for (int k = 0; k < COLS; k++) {
        int c = search_order[k];
        int r = b->height[c];
        int value;
        if (r == ROWS)
            continue;
        b->at[c][r] = (signed char)who;
        b->height[c]++;
        b->moves++;
        if (wins(b, c, r, who))
            value = 1000 + depth;
        else
            value = -negamax(b, who == RED ? YELLOW : RED, depth - 1, -beta, -alpha);
        b->at[c][r] = EMPTY;
        b->height[c]--;
        b->moves--;
        if (value >= beta)
            return value;
        if (value > alpha)
            alpha = value;
    }
    return alpha;
}

double alpha_beta(long n, long times)
{
    double total = 0.0;
    nodes_visited = 0;
    rng_seed(64);
    for (long t = 0; t < times; t++) {
        Board b;
        int who = RED;
        memset(&b, 0, sizeof b);
        for (int m = 0; m < 6; m++) {
            int c = (int)rng_below(COLS);
            if (b.height[c] == ROWS)
                continue;
            b.at[c][b.height[c]++] = (signed char)who;
            b.moves++;
            who = who == RED ? YELLOW : RED;
        }
        total += negamax(&b, who, (int)n, -100000, 100000);
    }
    return total + (double)nodes_visited;
}

/* ------------------------------------------------------------------ */
/* 18. discrete event simulation: machines, repair crew, event heap    */
/* ------------------------------------------------------------------ */

typedef enum { EV_FAIL, EV_REPAIRED, EV_INSPECT } EventKind;

typedef struct {
    double when;
    EventKind kind;
    int machine;
} Event;

typedef struct {
    Event *heap;
    int size, cap;
} EventQueue;

typedef struct Machine {
    double up_since, uptime;
    int failures;
    bool broken;
    struct Machine *next_waiting;
} Machine;

static void evq_push(EventQueue *q, Event e)
{
    if (q->size == q->cap) {
        q->cap = q->cap ? 2 * q->cap : 16;
        q->heap = realloc(q->heap, q->cap * sizeof(Event));
        if (q->heap == NULL)
            exit(EXIT_FAILURE);
    }
    int i = q->size++;
    while (i > 0) {
        int parent = (i - 1) / 2;
        if (q->heap[parent].when <= e.when)
            break;
        q->heap[i] = q->heap[parent];
        i = parent;
    }
    q->heap[i] = e;
}

static Event evq_pop(EventQueue *q)
{
    Event top = q->heap[0];
    Event last = q->heap[--q->size];
    int i = 0;
    for (;;) {
        int c = 2 * i + 1;
        if (c >= q->size)
            break;
        if (c + 1 < q->size && q->heap[c + 1].when < q->heap[c].when)
            c++;
        if (q->heap[c].when >= last.when)
            break;
        q->heap[i] = q->heap[c];
        i = c;
    }
    q->heap[i] = last;
    return top;
}

static double exponential(double mean)
{
    return -mean * log(1.0 - rng_uniform());
}

/* n machines; each repetition handles n events */
double event_sim(long n, long times)
{
    EventQueue q = {NULL, 0, 0};
    Machine *m = xcalloc(n, sizeof *m);
    Machine *wait_head = NULL, *wait_tail = NULL;
    int idle_crew = (int)MAX(1, n / 10);
    double now = 0.0, up = 0.0;
    long inspections = 0;

    rng_seed(2024);
    for (int i = 0; i < n; i++)
        evq_push(&q, (Event){exponential(100.0), EV_FAIL, i});
    evq_push(&q, (Event){50.0, EV_INSPECT, 0});

    for (long t = 0; t < times; t++) {
        for (long k = 0; k < n && q.size > 0; k++) {
            Event e = evq_pop(&q);
            Machine *x = &m[e.machine];
            now = e.when;
            switch (e.kind) {
            case EV_FAIL:
                x->uptime += now - x->up_since;
                x->failures++;
                x->broken = true;
                if (idle_crew > 0) {
                    idle_crew--;
                    evq_push(&q, (Event){now + exponential(8.0), EV_REPAIRED, e.machine});
                } else {
                    x->next_waiting = NULL;
                    if (wait_tail)
                        wait_tail->next_waiting = x;
                    else
                        wait_head = x;
                    wait_tail = x;
                }
                break;
            case EV_REPAIRED:
                x->broken = false;
                x->up_since = now;
                evq_push(&q, (Event){now + exponential(100.0), EV_FAIL, e.machine});
                if (wait_head) {
                    Machine *w = wait_head;
                    wait_head = w->next_waiting;
                    if (wait_head == NULL)
                        wait_tail = NULL;
                    evq_push(&q, (Event){now + exponential(8.0), EV_REPAIRED, (int)(w - m)});
                } else
                    idle_crew++;
                break;
            case EV_INSPECT:
                inspections += x->broken ? 2 : 1;
                evq_push(&q, (Event){now + 1.0, EV_INSPECT, (int)rng_below(n)});
                break;
            }
        }
    }
    for (long i = 0; i < n; i++)
        up += m[i].uptime + m[i].failures;
    free(q.heap);
    free(m);
    return up / (now + 1.0) + inspections;
}

/* ------------------------------------------------------------------ */
/* 19. LRU cache: chained hash table and a doubly linked list          */
/* ------------------------------------------------------------------ */

typedef struct entry {
    char key[20];
    long value;
    unsigned hash;
    struct entry *chain;
    struct entry *prev, *next;
} entry;

typedef struct {
    size_t nbuckets, count, limit;
    entry **bucket;
    entry list;                 /* sentinel */
    long hits, misses;
} lru;

static unsigned hash_string(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static lru *lru_create(size_t limit)
{
    lru *c = xcalloc(1, sizeof *c);
    c->limit = limit;
    c->nbuckets = 16;
    while (c->nbuckets < limit)
        c->nbuckets <<= 1;
    c->bucket = xcalloc(c->nbuckets, sizeof *c->bucket);
    c->list.prev = c->list.next = &c->list;
    return c;
}

static void list_unlink(entry *e)
{
    e->prev->next = e->next;
    e->next->prev = e->prev;
}

static void list_front(lru *c, entry *e)
{
    e->next = c->list.next;
    e->prev = &c->list;
    e->next->prev = e;
    c->list.next = e;
}

static void lru_evict(lru *c)
{
    entry *old = c->list.prev;
    entry **pp = &c->bucket[old->hash & (c->nbuckets - 1)];
    while (*pp != old)
        pp = &(*pp)->chain;
    *pp = old->chain;
    list_unlink(old);
    free(old);
    c->count--;
}

static long lru_get(lru *c, const char *key)
{
    unsigned h = hash_string(key);
    entry **slot = &c->bucket[h & (c->nbuckets - 1)];
    for (entry *e = *slot; e != NULL; e = e->chain) {
        if (e->hash == h && strcmp(e->key, key) == 0) {
            c->hits++;
            list_unlink(e);
            list_front(c, e);
            return e->value;
        }
    }
    c->misses++;
    if (c->count == c->limit)
        lru_evict(c);
    entry *e = xmalloc(sizeof *e);
    strncpy(e->key, key, sizeof e->key - 1);
    e->key[sizeof e->key - 1] = '\0';
    e->hash = h;
    e->value = (long)(h % 1000);
    e->chain = *slot;
    *slot = e;
    list_front(c, e);
    c->count++;
    return e->value;
}

static void lru_destroy(lru *c)
{
    while (c->count > 0)
        lru_evict(c);
    free(c->bucket);
    free(c);
}

static void make_key(char *buf, long id)
{
    int len = 0;
    memcpy(buf, "user:", 5);
    len = 5;
    do {
        buf[len++] = (char)('0' + id % 10);
        id /= 10;
    } while (id > 0);
    buf[len] = '\0';
}

/* capacity n, keys skewed over 3n; each repetition makes n requests */
double lru_cache(long n, long times)
{
    lru *c = lru_create((size_t)n);
    char key[32];
    double sum = 0.0;

    rng_seed(6502);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            double u = rng_uniform();
            make_key(key, (long)(u * u * 3 * n));
            sum += lru_get(c, key);
        }
    sum += (double)c->hits / (c->misses + 1);
    lru_destroy(c);
    return sum;
}

/* ------------------------------------------------------------------ */
/* 20. multilayer perceptron trained by back-propagation               */
/* ------------------------------------------------------------------ */

typedef struct {
    int nin, nout;
    float *w;      /* nout rows of nin weights */
    float *bias;
    float *out, *delta;
} Layer;

static void layer_init(Layer *l, int nin, int nout)
{
    l->nin = nin;
    l->nout = nout;
    l->w = xmalloc((size_t)nin * nout * sizeof(float));
    l->bias = xcalloc(nout, sizeof(float));
    l->out = xcalloc(nout, sizeof(float));
    l->delta = xcalloc(nout, sizeof(float));
    float scale = 1.0f / sqrtf((float)nin);
    for (int i = 0; i < nin * nout; i++)
        l->w[i] = scale * (float)(2.0 * rng_uniform() - 1.0);
}

static void layer_free(Layer *l)
{
    free(l->w);
    free(l->bias);
    free(l->out);
    free(l->delta);
}

static void layer_forward(Layer *l, const float *in)
{
    for (int o = 0; o < l->nout; o++) {
        const float *w = l->w + (size_t)o * l->nin;
        float s = l->bias[o];
        for (int i = 0; i < l->nin; i++)
            s += w[i] * in[i];
        l->out[o] = tanhf(s);
    }
}

static void layer_backward(const Layer *l, Layer *below)
{
    for (int i = 0; i < below->nout; i++)
        below->delta[i] = 0.0f;
    for (int o = 0; o < l->nout; o++) {
        const float *w = l->w + (size_t)o * l->nin;
        for (int i = 0; i < l->nin; i++)
            below->delta[i] += w[i] * l->delta[o];
    }
    for (int i = 0; i < below->nout; i++)
        below->delta[i] *= 1.0f - below->out[i] * below->out[i];
}

static void layer_update(Layer *l, const float *in, float rate)
{
    for (int o = 0; o < l->nout; o++) {
        float *w = l->w + (size_t)o * l->nin;
        float g = rate * l->delta[o];
        for (int i = 0; i < l->nin; i++)
            w[i] += g * in[i];
        l->bias[o] += g;
    }
}

#define NCLASSES 10

/* n inputs, n hidden units, ten outputs; one sample per repetition */
double mlp_train(long n, long times)
{
    Layer hidden, output;
    const int nsamples = 16;
    float *samples = xmalloc((size_t)nsamples * n * sizeof(float));
    double loss = 0.0;

    rng_seed(1986);
    layer_init(&hidden, (int)n, (int)n);
    layer_init(&output, (int)n, NCLASSES);
    for (long i = 0; i < nsamples * n; i++)
        samples[i] = (float)rng_uniform();

    for (long t = 0; t < times; t++) {
        int s = (int)(t % nsamples);
        const float *in = samples + (long)s * n;
        layer_forward(&hidden, in);
        layer_forward(&output, hidden.out);
        for (int o = 0; o < NCLASSES; o++) {
            float target = o == s % NCLASSES ? 0.9f : -0.9f;
            float err = target - output.out[o];
            loss += err * err;
            output.delta[o] = err * (1.0f - output.out[o] * output.out[o]);
        }
        layer_backward(&output, &hidden);
        layer_update(&output, hidden.out, 0.01f);
        layer_update(&hidden, in, 0.01f);
    }
    layer_free(&hidden);
    layer_free(&output);
    free(samples);
    return loss / times;
}
