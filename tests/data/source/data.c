/* Structures, arrays, initial values, globals. */
typedef struct Point {
    double x, y;
    struct {
        int tags[2];
    } more;
} Point;

extern int shared;
int visible = 1;
static int own = 2, counter;
static const int TABLE[] = {1, 2, 3};

double structures(Point *p, Point q)
{
    Point made = {.y = 1, .more = {{1, 2}}};
    Point list[2] = {{1, 2}, {3}};
    q = (Point){p->x, q.y};
    p[2].more.tags[1] = made.more.tags[0] + list[1].x;
    return p->x * q.y;
}

int arrays(int n, int grid[][8])
{
    int flat[4] = {n, n + 1}, open[n], brace = {3};
    static int kept[2] = {1, 2};
    char text[] = "text";
    open[0] = grid[n][2] + flat[brace];
    counter++;
    return kept[0] + text[1] + TABLE[2] + own + visible + shared + sizeof(open);
}
