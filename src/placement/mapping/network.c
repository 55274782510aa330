/* SPDX-License-Identifier: BSD-3-Clause */
/* Max-min fair sharing of links (network.h).
 *
 * Messages of one route always have the same speed. So they are kept together, in a trunk. `served_s`
 * says how far a message would have come by now that entered the empty trunk first, in seconds of a
 * message that is alone. A message leaves when `served_s` has grown by its length. So when the speed
 * changes, the trunk changes, not each message.
 *
 * When a message comes or goes, only those trunks change their speed that share a busy link with its
 * trunk, directly or through others. A link is busy if its messages could use more than its rate.
 * Speeds are set once for all that happens at one time. */
#include "placement/mapping/network.h"

#include "base/heap.h"
#include <math.h>
#include <string.h>

#define NO_TRUNK UINT32_MAX
/* A link is busy from this demand on, over its rate. The margin is for rounding. */
#define BUSY_DEMAND (1 + 1e-9)

typedef struct Message {
    double leaves_at_s; /* of served_s */
    uint32_t channel;
} Message;

typedef struct Trunk {
    const Route *route;
    const uint32_t *links; /* of the route */
    uint32_t n_links;
    double rate;              /* bytes/s of a message that is alone */
    double speed;             /* share of this rate that each message has */
    double served_s, since_s; /* served_s is of the time since_s */
    double next_s;            /* when the next message leaves */
    uint32_t n_messages;
    uint32_t n_before;       /* messages, when its speed was set */
    Message *messages;       /* a heap: the next one that leaves is the first */
    uint32_t place;          /* in the heap of trunks */
    bool has_changed;        /* messages have come or gone since speeds were set */
    bool is_met, is_settled; /* while speeds are set */
} Trunk;

typedef struct Link {
    uint32_t n_trunks, *trunks; /* those that have messages */
    double demand;              /* bytes/s that its messages could use */
    bool is_busy;               /* when speeds were set */
    bool is_met;                /* while speeds are set */
    uint32_t n_messages_left;   /* those that have no speed yet */
    double rate_left;           /* for these */
    double share;               /* of each of these */
} Link;

/* Numbers in an array that has room for all. */
typedef struct Numbers {
    uint32_t n, *items;
} Numbers;

struct Network {
    const Platform *platform;
    uint32_t n_channels, n_trunks;
    uint32_t *trunk_of_route;   /* [n_routes] */
    uint32_t *trunk_of_channel; /* [n_channels] */
    Trunk *trunks;              /* [n_channels] */
    Message *messages;          /* [n_channels] of all trunks */
    Link *links;                /* [n_links] */
    uint32_t *link_trunks;      /* of all links */
    uint32_t link_trunks_room;
    Numbers heap;    /* trunks with messages: that whose message leaves first is the first */
    Numbers changed; /* trunks whose number of messages has changed since speeds were set */
    Numbers met, met_links;
    Arena *arena;
};

static Numbers numbers_new(uint32_t room, Arena *arena)
{
    return (Numbers){0, arena_new_array(arena, uint32_t, room)};
}

static void add(Numbers *numbers, uint32_t item)
{
    numbers->items[numbers->n++] = item;
}

Network *network_new(const Platform *platform, uint32_t n_channels, Arena *arena)
{
    Network *network = arena_new_array(arena, Network, 1);
    *network = (Network){.platform = platform,
                         .n_channels = n_channels,
                         .trunk_of_route = arena_new_array(arena, uint32_t, platform->n_routes),
                         .trunk_of_channel = arena_new_array(arena, uint32_t, n_channels),
                         .trunks = arena_new_array(arena, Trunk, n_channels),
                         .messages = arena_new_array(arena, Message, n_channels),
                         .links = arena_new_array(arena, Link, platform->n_links),
                         .heap = numbers_new(n_channels, arena),
                         .changed = numbers_new(n_channels, arena),
                         .met = numbers_new(n_channels, arena),
                         .met_links = numbers_new(platform->n_links, arena),
                         .arena = arena};
    memset(network->trunk_of_route, 0xff, sizeof(uint32_t) * platform->n_routes);
    return network;
}

/* Gives each link room for all trunks that may cross it. */
static void make_room_at_links(Network *network)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < network->platform->n_links; i++)
        network->links[i] = (Link){0};
    for (uint32_t i = 0; i < network->n_trunks; i++)
        for (uint32_t k = 0; k < network->trunks[i].route->n_links; k++, sum++)
            network->links[network->trunks[i].route->links[k]].n_trunks++;
    if (sum > network->link_trunks_room) {
        network->link_trunks = arena_new_array(network->arena, uint32_t, 2 * (size_t)sum);
        network->link_trunks_room = 2 * sum;
    }
    for (uint32_t i = 0, at = 0; i < network->platform->n_links; i++) {
        network->links[i].trunks = network->link_trunks + at;
        at += network->links[i].n_trunks;
        network->links[i].n_trunks = 0;
    }
}

static uint32_t trunk_of(Network *network, const Route *route)
{
    uint32_t *number = &network->trunk_of_route[route - network->platform->routes];
    if (*number == NO_TRUNK) {
        *number = network->n_trunks++;
        network->trunks[*number] = (Trunk){
            .route = route, .links = route->links, .n_links = route->n_links, .rate = machine_path_rate(route->path)};
    }
    return *number;
}

void network_place(Network *network, const Route *const *routes)
{
    for (uint32_t i = 0; i < network->n_trunks; i++)
        network->trunk_of_route[network->trunks[i].route - network->platform->routes] = NO_TRUNK;
    network->n_trunks = network->heap.n = network->changed.n = 0;
    for (uint32_t i = 0; i < network->n_channels; i++) {
        network->trunk_of_channel[i] = NO_TRUNK;
        if (routes[i] && routes[i]->n_links) {
            network->trunk_of_channel[i] = trunk_of(network, routes[i]);
            network->trunks[network->trunk_of_channel[i]].n_messages++;
        }
    }
    for (uint32_t i = 0, at = 0; i < network->n_trunks; i++) {
        network->trunks[i].messages = network->messages + at;
        at += network->trunks[i].n_messages;
        network->trunks[i].n_messages = 0;
    }
    make_room_at_links(network);
}

static bool leaves_before(const void *left, const void *right)
{
    const Message *a = left, *b = right;
    return a->leaves_at_s < b->leaves_at_s || (a->leaves_at_s == b->leaves_at_s && a->channel < b->channel);
}

/* Equal times: by channel, so that the order doesn't depend on the platform's numbering. */
static bool is_first(const Network *network, uint32_t left, uint32_t right)
{
    const Trunk *a = &network->trunks[left], *b = &network->trunks[right];
    return a->next_s < b->next_s || (a->next_s == b->next_s && a->messages[0].channel < b->messages[0].channel);
}

static void put_at(Network *network, uint32_t place, uint32_t trunk)
{
    network->heap.items[place] = trunk;
    network->trunks[trunk].place = place;
}

/* Moves a trunk to where it belongs in the heap, after its time has changed. */
static void sift(Network *network, uint32_t trunk)
{
    const uint32_t *items = network->heap.items;
    uint32_t at = network->trunks[trunk].place;
    for (; at && is_first(network, trunk, items[(at - 1) / 2]); at = (at - 1) / 2)
        put_at(network, at, items[(at - 1) / 2]);
    for (uint32_t child; (child = 2 * at + 1) < network->heap.n; at = child) {
        if (child + 1 < network->heap.n && is_first(network, items[child + 1], items[child]))
            child++;
        if (!is_first(network, items[child], trunk))
            break;
        put_at(network, at, items[child]);
    }
    put_at(network, at, trunk);
}

static void open_trunk(Network *network, uint32_t trunk)
{
    const Route *route = network->trunks[trunk].route;
    for (uint32_t i = 0; i < route->n_links; i++) {
        Link *link = &network->links[route->links[i]];
        if (!link->n_trunks)
            link->demand = 0;
        link->trunks[link->n_trunks++] = trunk;
    }
    network->trunks[trunk].next_s = HUGE_VAL;
    network->trunks[trunk].place = network->heap.n;
    add(&network->heap, trunk);
}

static void close_trunk(Network *network, uint32_t trunk)
{
    const Route *route = network->trunks[trunk].route;
    for (uint32_t i = 0; i < route->n_links; i++) {
        Link *link = &network->links[route->links[i]];
        uint32_t at = 0;
        while (link->trunks[at] != trunk)
            at++;
        link->trunks[at] = link->trunks[--link->n_trunks];
    }
    uint32_t place = network->trunks[trunk].place, last = network->heap.items[--network->heap.n];
    if (last != trunk) {
        network->trunks[last].place = place;
        sift(network, last);
    }
}

static void serve(Trunk *trunk, double now_s)
{
    trunk->served_s += (now_s - trunk->since_s) * trunk->speed;
    trunk->since_s = now_s;
}

/* Notes that a message has come (1) or gone (-1). */
static void note_change(Network *network, uint32_t number, int change)
{
    Trunk *trunk = &network->trunks[number];
    for (uint32_t i = 0; i < trunk->n_links; i++)
        network->links[trunk->links[i]].demand += change * trunk->rate;
    if (!trunk->has_changed)
        add(&network->changed, number);
    trunk->has_changed = true;
}

void network_enter(Network *network, uint32_t channel, double seconds, double now_s)
{
    uint32_t number = network->trunk_of_channel[channel];
    Trunk *trunk = &network->trunks[number];
    serve(trunk, now_s);
    bool was_empty = !trunk->n_messages;
    if (was_empty)
        trunk->served_s = 0;
    const Message message = {trunk->served_s + seconds, channel};
    heap_put(trunk->messages, trunk->n_messages++, sizeof message, &message, leaves_before);
    if (was_empty)
        open_trunk(network, number);
    note_change(network, number, 1);
}

static void set_share(Link *link)
{
    link->share = link->n_messages_left ? link->rate_left / link->n_messages_left : HUGE_VAL;
}

/* Links that aren't busy, and weren't, slow down nobody. */
static void meet_link(Network *network, uint32_t number)
{
    Link *link = &network->links[number];
    double rate = network->platform->link_rates[number];
    bool is_busy = link->n_trunks && link->demand > rate * BUSY_DEMAND;
    if (link->is_met || !(is_busy || link->is_busy))
        return;
    link->is_met = true;
    link->is_busy = is_busy;
    link->rate_left = rate;
    link->n_messages_left = 0;
    add(&network->met_links, number);
}

static void meet_trunk(Network *network, uint32_t number)
{
    Trunk *trunk = &network->trunks[number];
    if (trunk->is_met || !trunk->n_messages)
        return;
    trunk->is_met = true;
    trunk->is_settled = false;
    add(&network->met, number);
    for (uint32_t i = 0; i < trunk->n_links; i++) {
        Link *link = &network->links[trunk->links[i]];
        meet_link(network, trunk->links[i]);
        if (link->is_busy)
            link->n_messages_left += trunk->n_messages;
    }
}

/* Finds all trunks whose speed may differ from now on, with their busy links. */
static void meet_all(Network *network)
{
    network->met.n = network->met_links.n = 0;
    for (uint32_t i = 0; i < network->changed.n; i++) {
        const Trunk *trunk = &network->trunks[network->changed.items[i]];
        if (trunk->n_messages == trunk->n_before)
            continue;
        for (uint32_t k = 0; k < trunk->n_links; k++)
            meet_link(network, trunk->links[k]);
        meet_trunk(network, network->changed.items[i]);
    }
    for (uint32_t i = 0; i < network->met_links.n; i++) {
        Link *link = &network->links[network->met_links.items[i]];
        for (uint32_t k = 0; k < link->n_trunks; k++)
            meet_trunk(network, link->trunks[k]);
    }
    for (uint32_t i = 0; i < network->met_links.n; i++)
        set_share(&network->links[network->met_links.items[i]]);
}

/* When the trunk's next message leaves, at this share of its rate. */
static void go_at(Network *network, uint32_t number, double speed, double now_s)
{
    Trunk *trunk = &network->trunks[number];
    serve(trunk, now_s);
    trunk->speed = speed;
    double left_s = trunk->messages[0].leaves_at_s - trunk->served_s;
    trunk->next_s = left_s > 0 ? now_s + left_s / speed : now_s;
    sift(network, number);
}

/* The trunk's messages get this many bytes/s each from now on. */
static void settle(Network *network, uint32_t number, double rate, double now_s)
{
    Trunk *trunk = &network->trunks[number];
    double speed = rate / trunk->rate;
    trunk->is_settled = true;
    for (uint32_t i = 0; i < trunk->n_links; i++) {
        Link *link = &network->links[trunk->links[i]];
        if (!link->is_busy)
            continue;
        double left = link->rate_left - trunk->n_messages * rate;
        link->rate_left = left > 0 ? left : 0;
        link->n_messages_left -= trunk->n_messages;
        set_share(link);
    }
    if (speed != trunk->speed || trunk->has_changed)
        go_at(network, number, speed, now_s);
}

/* The link that can give its messages the least. NULL: there is none. */
static const Link *narrowest(const Network *network)
{
    const Link *found = NULL;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < network->met_links.n; i++) {
        const Link *link = &network->links[network->met_links.items[i]];
        if (link->share < least) {
            least = link->share;
            found = link;
        }
    }
    return found;
}

/* Settles the trunks that can't use more than this anyway, and finds the least rate of the others.
 * False: there are none. */
static bool settle_slow(Network *network, double share, double *least_rate, double now_s)
{
    bool found = false;
    *least_rate = HUGE_VAL;
    for (uint32_t i = 0; i < network->met.n; i++) {
        const Trunk *trunk = &network->trunks[network->met.items[i]];
        if (trunk->is_settled)
            continue;
        if (trunk->rate <= share) {
            settle(network, network->met.items[i], trunk->rate, now_s);
            found = true;
        } else if (trunk->rate < *least_rate)
            *least_rate = trunk->rate;
    }
    return found;
}

/* Gives each trunk that was met its max-min fair speed. */
static void settle_all(Network *network, double now_s)
{
    double least_rate = 0;
    for (const Link *link; (link = narrowest(network));) {
        double share = link->share;
        if (share >= least_rate && settle_slow(network, share, &least_rate, now_s))
            continue;
        for (uint32_t i = 0; i < link->n_trunks; i++)
            if (!network->trunks[link->trunks[i]].is_settled)
                settle(network, link->trunks[i], share, now_s);
    }
    settle_slow(network, HUGE_VAL, &least_rate, now_s);
}

static void set_speeds(Network *network, double now_s)
{
    meet_all(network);
    settle_all(network, now_s);
    for (uint32_t i = 0; i < network->changed.n; i++) {
        Trunk *trunk = &network->trunks[network->changed.items[i]];
        if (trunk->n_messages && !trunk->is_met)
            go_at(network, network->changed.items[i], trunk->speed, now_s);
        trunk->n_before = trunk->n_messages;
        trunk->has_changed = false;
    }
    for (uint32_t i = 0; i < network->met.n; i++)
        network->trunks[network->met.items[i]].is_met = false;
    for (uint32_t i = 0; i < network->met_links.n; i++)
        network->links[network->met_links.items[i]].is_met = false;
    network->changed.n = 0;
}

double network_next_s(Network *network, double now_s)
{
    if (network->changed.n)
        set_speeds(network, now_s);
    return network->heap.n ? network->trunks[network->heap.items[0]].next_s : HUGE_VAL;
}

uint32_t network_leave(Network *network, double now_s)
{
    uint32_t number = network->heap.items[0];
    Trunk *trunk = &network->trunks[number];
    Message message;
    serve(trunk, now_s);
    heap_take(trunk->messages, trunk->n_messages--, sizeof message, &message, leaves_before);
    if (!trunk->n_messages)
        close_trunk(network, number);
    note_change(network, number, -1);
    return message.channel;
}
