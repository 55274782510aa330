/* SPDX-License-Identifier: BSD-3-Clause */
/* See network.h. */
#include "comm/network.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of an address, IPv4 or IPv6. */
typedef struct Bytes {
    int family;
    size_t n;
    unsigned char items[16];
} Bytes;

static Bytes bytes_of(const struct sockaddr *address)
{
    Bytes bytes = {.family = address ? address->sa_family : AF_UNSPEC};
    const void *from = bytes.family == AF_INET    ? (const void *)&((const struct sockaddr_in *)address)->sin_addr
                       : bytes.family == AF_INET6 ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
                                                  : NULL;
    bytes.n = bytes.family == AF_INET ? 4 : bytes.family == AF_INET6 ? 16 : 0;
    if (from)
        memcpy(bytes.items, from, bytes.n);
    return bytes;
}

static Bytes parse(const char *number)
{
    Bytes bytes = {.family = AF_UNSPEC};
    if (number && inet_pton(AF_INET, number, bytes.items) == 1)
        bytes = (Bytes){AF_INET, 4, {bytes.items[0], bytes.items[1], bytes.items[2], bytes.items[3]}};
    else if (number && inet_pton(AF_INET6, number, bytes.items) == 1) {
        bytes.family = AF_INET6;
        bytes.n = 16;
    }
    return bytes;
}

static bool are_same(const Bytes *one, const Bytes *other)
{
    return one->n && one->family == other->family && memcmp(one->items, other->items, one->n) == 0;
}

const char *network_number(const char *address, Arena *arena)
{
    static const int families[] = {AF_INET, AF_INET6};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const struct addrinfo wanted = {.ai_family = families[i], .ai_socktype = SOCK_STREAM};
        struct addrinfo *found;
        char number[NI_MAXHOST] = "";
        if (getaddrinfo(address, NULL, &wanted, &found) != 0)
            continue;
        getnameinfo(found->ai_addr, found->ai_addrlen, number, sizeof number, NULL, 0, NI_NUMERICHOST);
        freeaddrinfo(found);
        if (*number)
            return arena_strdup(arena, number);
    }
    return NULL;
}

static unsigned prefix_of(const Bytes *mask)
{
    unsigned n = 0;
    while (n < 8 * mask->n && (mask->items[n / 8] >> (7 - n % 8) & 1))
        n++;
    return n;
}

static void describe(const struct ifaddrs *device, const Bytes *own, Network *network)
{
    Bytes mask = bytes_of(device->ifa_netmask), subnet = *own;
    char number[INET6_ADDRSTRLEN] = "";
    for (size_t i = 0; i < own->n; i++)
        subnet.items[i] &= mask.n ? mask.items[i] : 0xff;
    inet_ntop(own->family, subnet.items, number, sizeof number);
    snprintf(network->interface, sizeof network->interface, "%s", device->ifa_name);
    snprintf(network->subnet, sizeof network->subnet, "%s/%u", number,
             mask.n ? prefix_of(&mask) : 8 * (unsigned)own->n);
}

bool network_find(const char *const *numbers, size_t n, Network *network)
{
    struct ifaddrs *devices;
    bool is_found = false;
    if (getifaddrs(&devices) != 0)
        return false;
    for (const struct ifaddrs *device = devices; device && !is_found; device = device->ifa_next) {
        Bytes own = bytes_of(device->ifa_addr);
        for (size_t i = 0; !is_found && !(device->ifa_flags & IFF_LOOPBACK) && i < n; i++) {
            Bytes asked = parse(numbers[i]);
            is_found = are_same(&own, &asked);
        }
        if (is_found)
            describe(device, &own, network);
    }
    freeifaddrs(devices);
    return is_found;
}

bool network_holds(const Network *network, const char *const *numbers, size_t n)
{
    char number[sizeof network->subnet];
    snprintf(number, sizeof number, "%s", network->subnet);
    char *slash = strchr(number, '/');
    if (!slash)
        return false;
    *slash = '\0';
    Bytes subnet = parse(number);
    unsigned prefix = (unsigned)strtoul(slash + 1, NULL, 10);
    for (size_t i = 0; i < n; i++) {
        Bytes asked = parse(numbers[i]);
        if (!asked.n || asked.family != subnet.family)
            return false;
        for (unsigned bit = 0; bit < prefix && bit < 8 * asked.n; bit++)
            if ((asked.items[bit / 8] ^ subnet.items[bit / 8]) >> (7 - bit % 8) & 1)
                return false;
    }
    return true;
}
