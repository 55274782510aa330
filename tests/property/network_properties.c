/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages on links against an oracle: it fills all links at once, a little more for each message,
 * until a link or a message is full, and it sets all speeds anew at each event. */
#include "placement/mapping/network.h"
#include "property/rounds.h"
#include "test.h"
#include "unit/near.h"

#include <string.h>

enum { CASES = ROUNDS(400), CHANNELS = 12, ROUTES = 6, LINKS = 5, ROUTE_LINKS = 3, MESSAGES = 60 };

static uint64_t random_state;

static double uniform(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(uniform() * n);
}

/* The oracle's view of a channel. */
typedef struct Way {
    const Route *route; /* NULL: the channel isn't used */
    double rate, left;  /* bytes/s when alone; bytes that are left of the message */
    bool is_crossing, is_full;
    double speed; /* bytes/s */
} Way;

typedef struct World {
    Route routes[ROUTES];
    uint32_t links[ROUTES][ROUTE_LINKS];
    double link_rates[LINKS];
    Platform platform;
    const Route *of_channel[CHANNELS];
    Way ways[CHANNELS];
} World;

static void make_routes(World *world, Arena *arena)
{
    for (uint32_t i = 0; i < ROUTES; i++) {
        uint32_t n = 1 + below(ROUTE_LINKS), first = below(LINKS);
        double fastest = HUGE_VAL;
        for (uint32_t k = 0; k < n; k++) {
            world->links[i][k] = (first + k) % LINKS;
            fastest = fmin(fastest, world->link_rates[world->links[i][k]]);
        }
        /* a message alone may be slower than its links, or as fast as the slowest */
        double rate = below(2) ? fastest : fastest * (0.2 + 0.8 * uniform());
        world->routes[i] = (Route){platform_make_path(0, 1 / rate, arena), n, world->links[i]};
    }
}

static void make_world(World *world, Arena *arena)
{
    memset(world, 0, sizeof *world);
    for (uint32_t i = 0; i < LINKS; i++)
        world->link_rates[i] = 1 + below(3); /* equal rates are likely: many links are full at once */
    make_routes(world, arena);
    world->platform =
        (Platform){.n_routes = ROUTES, .routes = world->routes, .n_links = LINKS, .link_rates = world->link_rates};
    for (uint32_t i = 0; i < CHANNELS; i++) {
        const Route *route = below(8) ? &world->routes[below(ROUTES)] : NULL;
        world->of_channel[i] = route;
        world->ways[i] = (Way){.route = route, .rate = route ? machine_path_rate(route->path) : 0};
    }
}

static bool crosses(const Way *way, uint32_t link)
{
    for (uint32_t i = 0; i < way->route->n_links; i++)
        if (way->route->links[i] == link)
            return true;
    return false;
}

static double used_of(const World *world, uint32_t link, uint32_t *n_growing)
{
    double used = 0;
    *n_growing = 0;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        if (!world->ways[i].is_crossing || !crosses(&world->ways[i], link))
            continue;
        used += world->ways[i].speed;
        *n_growing += !world->ways[i].is_full;
    }
    return used;
}

/* How much faster all messages that aren't full can become, all alike. */
static double find_step(const World *world)
{
    double step = HUGE_VAL;
    uint32_t n_growing;
    for (uint32_t i = 0; i < LINKS; i++) {
        double used = used_of(world, i, &n_growing);
        if (n_growing)
            step = fmin(step, (world->link_rates[i] - used) / n_growing);
    }
    for (uint32_t i = 0; i < CHANNELS; i++)
        if (world->ways[i].is_crossing && !world->ways[i].is_full)
            step = fmin(step, world->ways[i].rate - world->ways[i].speed);
    return step;
}

static void mark_full(World *world)
{
    uint32_t n_growing;
    for (uint32_t i = 0; i < CHANNELS; i++)
        world->ways[i].is_full |= world->ways[i].rate - world->ways[i].speed < 1e-12;
    for (uint32_t link = 0; link < LINKS; link++)
        if (world->link_rates[link] - used_of(world, link, &n_growing) < 1e-12)
            for (uint32_t i = 0; i < CHANNELS; i++)
                world->ways[i].is_full |= world->ways[i].is_crossing && crosses(&world->ways[i], link);
}

static void fill(World *world)
{
    for (uint32_t i = 0; i < CHANNELS; i++) {
        world->ways[i].speed = 0;
        world->ways[i].is_full = !world->ways[i].is_crossing;
    }
    for (double step; (step = find_step(world)) < HUGE_VAL;) {
        for (uint32_t i = 0; i < CHANNELS; i++)
            if (!world->ways[i].is_full)
                world->ways[i].speed += step;
        mark_full(world);
    }
}

static double oracle_next_s(const World *world, double now_s)
{
    double next_s = HUGE_VAL;
    for (uint32_t i = 0; i < CHANNELS; i++)
        if (world->ways[i].is_crossing)
            next_s = fmin(next_s, now_s + world->ways[i].left / world->ways[i].speed);
    return next_s;
}

static void pass_time(World *world, double seconds)
{
    for (uint32_t i = 0; i < CHANNELS; i++)
        if (world->ways[i].is_crossing)
            world->ways[i].left -= seconds * world->ways[i].speed;
}

static void enter_some(World *world, Network *network, double now_s)
{
    for (uint32_t n = 1 + below(3); n; n--) {
        uint32_t channel = below(CHANNELS);
        Way *way = &world->ways[channel];
        if (!way->route || way->is_crossing)
            continue;
        way->is_crossing = true;
        way->left = 0.1 + below(4);
        network_enter(network, channel, way->left / way->rate, now_s);
    }
    fill(world);
}

/* Both must agree when the next message leaves, and the one that leaves must have no bytes left. */
static void check_course(World *world, Network *network)
{
    double now_s = 0, enters_s = 0;
    network_place(network, world->of_channel);
    for (unsigned n = 0; n < MESSAGES;) {
        double next_s = network_next_s(network, now_s), expected_s = oracle_next_s(world, now_s);
        if (expected_s < HUGE_VAL)
            assert_near(next_s, expected_s, 1e-9 * (1 + now_s));
        else
            assert_true(next_s == HUGE_VAL);
        double until_s = fmin(next_s, enters_s);
        pass_time(world, until_s - now_s);
        now_s = until_s;
        if (enters_s < next_s) {
            enter_some(world, network, now_s);
            enters_s = now_s + 2 * uniform();
            n++;
            continue;
        }
        Way *way = &world->ways[network_leave(network, now_s)];
        assert_true(way->is_crossing);
        assert_near(way->left, 0, 1e-9 * (1 + now_s));
        way->is_crossing = false;
        fill(world);
    }
}

static void messages_share_links_as_the_oracle_says(void **state)
{
    for (unsigned number = 0; number < CASES; number++) {
        static World world;
        Arena *arena = arena_new();
        random_state = 88172645463325252u + 7919 * number;
        for (int i = 0; i < 10; i++)
            uniform();
        make_world(&world, arena);
        Network *network = network_new(&world.platform, CHANNELS, arena);
        check_course(&world, network);
        for (uint32_t i = 0; i < CHANNELS; i++) /* what is on links now is forgotten */
            world.ways[i].is_crossing = false;
        check_course(&world, network);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_share_links_as_the_oracle_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
