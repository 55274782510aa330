/* SPDX-License-Identifier: BSD-3-Clause */
/* A network between network namespaces, whose rate and delay are known exactly. Tests compare
 * measurements of communication with these values. hosts.py creates the namespaces.
 *
 *   link DELAY_US RATE_MBPS DEVICE NAMESPACE NAMESPACE …
 *
 * In each namespace (a file such as /proc/PID/ns/net), link creates a TAP device DEVICE (`eth0`) with the
 * hardware address 02:66:69:72:6d:INDEX, where INDEX counts from 1. Then it prints "ready", and
 * carries frames until its parent ends. The devices vanish with it. Each host is connected to a
 * switch by a cable of RATE, which passes on a frame while it comes in:
 *
 *   leaves the sender       u = max(arrival, sender's cable free) + wire       wire = (length + 24) * 8 / RATE
 *   is at the receiver      max(u, receiver's cable free + wire) + DELAY
 *
 * 24 bytes are preamble, checksum and the gap between Ethernet frames. For two hosts, the second
 * line is u + DELAY. The kernel's shapers can't replace this: the token bucket refills while nobody
 * sends, and netem is seldom installed.
 *
 * The program sleeps until shortly before a frame is due, and then watches the clock, under a
 * real-time policy if it is allowed to. */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    PORTS_MAX = 16,
    FRAME_BYTES = 1518,
    LEAST_FRAME_BYTES = 60,
    GAP_BYTES = 24,
    /* More than a TCP window, because losing a frame would be a matter of luck. */
    QUEUE_FRAMES = 8192,
    READ_AT_ONCE = 16,
    SPIN_NS = 60000
};

typedef struct Frame {
    int64_t due_ns;
    size_t bytes;
    unsigned char data[FRAME_BYTES];
} Frame;

/* A host's cable. The queue holds the frames on their way to the host, in the order in which they
 * are due. */
typedef struct Port {
    int device;
    int64_t from_host_free_ns, to_host_free_ns;
    uint64_t head, tail;
    Frame *queue;
} Port;

static Port ports[PORTS_MAX];
static int n_ports;
static int64_t delay_ns;
static double ns_per_byte;

static void fail(const char *what)
{
    fprintf(stderr, "link: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- devices ---- */

static void set_hardware_address(int device, int index)
{
    struct ifreq request = {.ifr_hwaddr.sa_family = ARPHRD_ETHER};
    memcpy(request.ifr_hwaddr.sa_data, "\x02\x66\x69\x72\x6d", 5);
    request.ifr_hwaddr.sa_data[5] = (char)(index + 1);
    if (ioctl(device, SIOCSIFHWADDR, &request) != 0)
        fail("setting the device's address");
}

static void open_port(Port *port, int index, const char *name, const char *namespace)
{
    int space = open(namespace, O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) != 0)
        fail(namespace);
    close(space);
    port->device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (port->device < 0 || ioctl(port->device, TUNSETIFF, &request) != 0)
        fail("making a TAP device");
    set_hardware_address(port->device, index);
    port->queue = calloc(QUEUE_FRAMES, sizeof *port->queue);
    if (!port->queue)
        fail("making a queue");
}

/* ---- frames ---- */

static void enqueue(Port *to, const unsigned char *data, size_t bytes, int64_t left_ns, int64_t wire_ns)
{
    int64_t through_ns = later(left_ns, to->to_host_free_ns + wire_ns);
    if (to->tail - to->head == QUEUE_FRAMES) {
        fprintf(stderr, "link: lost a frame: %d are on their way already\n", QUEUE_FRAMES);
        return;
    }
    Frame *frame = &to->queue[to->tail++ % QUEUE_FRAMES];
    to->to_host_free_ns = through_ns;
    frame->due_ns = through_ns + delay_ns;
    frame->bytes = bytes;
    memcpy(frame->data, data, bytes);
}

/* The last byte of a hardware address is the port. Frames to other addresses, and to groups, go to
 * all ports. */
static void switch_frame(Port *from, const unsigned char *data, size_t bytes, int64_t arrival_ns)
{
    size_t wire_bytes = (bytes > LEAST_FRAME_BYTES ? bytes : LEAST_FRAME_BYTES) + GAP_BYTES;
    int64_t wire_ns = (int64_t)((double)wire_bytes * ns_per_byte + 0.5);
    from->from_host_free_ns = later(arrival_ns, from->from_host_free_ns) + wire_ns;
    bool is_for_one = data[0] == 0x02 && data[5] >= 1 && data[5] <= n_ports;
    for (int i = 0; i < n_ports; i++)
        if (&ports[i] != from && (!is_for_one || data[5] == i + 1))
            enqueue(&ports[i], data, bytes, from->from_host_free_ns, wire_ns);
}

static void take_from(Port *port)
{
    unsigned char data[FRAME_BYTES];
    for (int i = 0; i < READ_AT_ONCE; i++) {
        ssize_t bytes = read(port->device, data, sizeof data);
        if (bytes < 14)
            return;
        switch_frame(port, data, (size_t)bytes, now_ns());
    }
}

static void deliver_due(Port *port)
{
    while (port->head != port->tail && port->queue[port->head % QUEUE_FRAMES].due_ns <= now_ns()) {
        Frame *frame = &port->queue[port->head++ % QUEUE_FRAMES];
        ssize_t written = write(port->device, frame->data, frame->bytes);
        if (written < 0 && errno != EIO) /* EIO: the interface isn't up, so nobody waits for the frame */
            fail("delivering a frame");
    }
}

/* The time at which the next frame is due; INT64_MAX if none is on its way. */
static int64_t next_due_ns(void)
{
    int64_t next_ns = INT64_MAX;
    for (int i = 0; i < n_ports; i++) {
        const Port *port = &ports[i];
        if (port->head != port->tail && port->queue[port->head % QUEUE_FRAMES].due_ns < next_ns)
            next_ns = port->queue[port->head % QUEUE_FRAMES].due_ns;
    }
    return next_ns;
}

/* Sleeps until a host sends, or a frame is nearly due. */
static void sleep_until_near(int64_t due_ns)
{
    struct pollfd devices[PORTS_MAX];
    for (int i = 0; i < n_ports; i++)
        devices[i] = (struct pollfd){.fd = ports[i].device, .events = POLLIN};
    int64_t rest_ns = due_ns == INT64_MAX ? 0 : due_ns - SPIN_NS - now_ns();
    struct timespec rest = {.tv_sec = rest_ns / 1000000000, .tv_nsec = rest_ns % 1000000000};
    if (due_ns == INT64_MAX || rest_ns > 0)
        ppoll(devices, (nfds_t)n_ports, due_ns == INT64_MAX ? NULL : &rest, NULL);
}

static void carry(void)
{
    for (;;) {
        for (int i = 0; i < n_ports; i++) {
            take_from(&ports[i]);
            deliver_due(&ports[i]);
        }
        sleep_until_near(next_due_ns());
    }
}

/* ---- the program ---- */

static void ask_for_punctuality(void)
{
    struct sched_param priority = {.sched_priority = 10};
    if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0)
        fprintf(stderr, "link: no real-time policy (%s): frames may come late\n", strerror(errno));
    prctl(PR_SET_TIMERSLACK, 1UL);
}

int main(int argc, char **argv)
{
    if (argc < 6 || argc > 4 + PORTS_MAX || !(atof(argv[1]) >= 0) || !(atof(argv[2]) > 0)) {
        fprintf(stderr, "usage: link DELAY_US RATE_MBPS DEVICE NAMESPACE NAMESPACE … (at most %d)\n", PORTS_MAX);
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    delay_ns = (int64_t)(atof(argv[1]) * 1e3);
    ns_per_byte = 8e3 / atof(argv[2]);
    n_ports = argc - 4;
    for (int i = 0; i < n_ports; i++)
        open_port(&ports[i], i, argv[3], argv[4 + i]);
    ask_for_punctuality();
    printf("ready\n");
    fflush(stdout);
    carry();
}
