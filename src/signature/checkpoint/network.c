/* SPDX-License-Identifier: BSD-3-Clause */
/* A network for a restored job (network.h). A job on one host communicates with itself, over any of
 * the host's addresses. So in the job's own network, the loopback device has all of them. */
#include "signature/checkpoint/network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOPBACK_INDEX = 1 };

/* Writes the address as text. False for addresses that every network has, and for those that mean
 * nothing without their device. */
static bool write_address(const struct sockaddr *address, char text[INET6_ADDRSTRLEN])
{
    if (address && address->sa_family == AF_INET) {
        const struct in_addr *in = &((const struct sockaddr_in *)address)->sin_addr;
        return ntohl(in->s_addr) >> 24 != IN_LOOPBACKNET && inet_ntop(AF_INET, in, text, INET6_ADDRSTRLEN);
    }
    if (address && address->sa_family == AF_INET6) {
        const struct in6_addr *in = &((const struct sockaddr_in6 *)address)->sin6_addr;
        return !IN6_IS_ADDR_LOOPBACK(in) && !IN6_IS_ADDR_LINKLOCAL(in) &&
               inet_ntop(AF_INET6, in, text, INET6_ADDRSTRLEN);
    }
    return false;
}

void network_addresses(Arena *arena, NetworkAddresses *addresses)
{
    struct ifaddrs *all;
    char text[INET6_ADDRSTRLEN];
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        if (write_address(one->ifa_addr, text))
            *vec_push(addresses) = arena_strdup(arena, text);
    }
    freeifaddrs(all);
}

static bool take_up(int control)
{
    struct ifreq request = {.ifr_name = "lo"};
    if (ioctl(control, SIOCGIFFLAGS, &request) != 0)
        return false;
    request.ifr_flags |= IFF_UP;
    return ioctl(control, SIOCSIFFLAGS, &request) == 0;
}

typedef struct AddressRequest {
    struct nlmsghdr header;
    struct ifaddrmsg message;
    char attributes[2 * RTA_SPACE(sizeof(struct in6_addr))];
} AddressRequest;

static void add_attribute(AddressRequest *request, unsigned short type, const void *data, size_t size_bytes)
{
    struct rtattr *attribute = (struct rtattr *)(void *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));
    attribute->rta_type = type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(size_bytes);
    memcpy(RTA_DATA(attribute), data, size_bytes);
    request->header.nlmsg_len = (uint32_t)(NLMSG_ALIGN(request->header.nlmsg_len) + RTA_SPACE(size_bytes));
}

/* Sends the request. The kernel answers with 0 or an errno. */
static bool ask(int netlink, const AddressRequest *request)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[256];
    } answer;
    if (send(netlink, request, request->header.nlmsg_len, 0) < 0 || recv(netlink, &answer, sizeof answer, 0) < 0)
        return false;
    errno = answer.header.nlmsg_type == NLMSG_ERROR ? -answer.error.error : EPROTO;
    return errno == 0 || errno == EEXIST;
}

static bool add_address(int netlink, const char *text)
{
    struct in6_addr bytes;
    bool is_v6 = strchr(text, ':') != NULL;
    size_t size_bytes = is_v6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
    AddressRequest request = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifaddrmsg)),
                   .nlmsg_type = RTM_NEWADDR,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL},
        .message = {.ifa_family = is_v6 ? AF_INET6 : AF_INET,
                    .ifa_prefixlen = (unsigned char)(8 * size_bytes),
                    .ifa_flags = is_v6 ? IFA_F_NODAD : 0,
                    .ifa_index = LOOPBACK_INDEX},
    };
    if (inet_pton(request.message.ifa_family, text, &bytes) != 1) {
        errno = EINVAL;
        return false;
    }
    add_attribute(&request, IFA_LOCAL, &bytes, size_bytes);
    add_attribute(&request, IFA_ADDRESS, &bytes, size_bytes);
    return ask(netlink, &request);
}

bool network_make_loopback(const NetworkAddresses *addresses, Err *err)
{
    int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    bool ok = (control >= 0 && netlink >= 0 && take_up(control)) ||
              err_set(err, ERR_ENVIRONMENT, "cannot make a network for the restored job: %s", strerror(errno));
    for (size_t i = 0; ok && i < addresses->count; i++) {
        const char *text = addresses->items[i];
        ok = add_address(netlink, text) ||
             err_set(err, ERR_ENVIRONMENT, "cannot give address %s to the restored job: %s", text, strerror(errno));
    }
    if (control >= 0)
        close(control);
    if (netlink >= 0)
        close(netlink);
    return ok;
}
