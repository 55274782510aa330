#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The first process of the hosts that hosts.py makes. Everything on the hosts is its child, in its process namespace, and ends
# with it. It ends when its standard input ends.
#
#   hosts.sh DIRECTORY LINK SHAPER DELAY_US RATE_MBPS NETWORKS NAME[:SECONDS] …
#
# The hosts have a device in each network: eth0 in the first one, 10.66.0.0/24, eth1 in 10.67.0.0/24 ….
# SECONDS set a host's monotonic clock ahead of the others'. SHAPER is "link" (the program of link.c) or "tbf" (two hosts on a
# veth pair with the kernel's token bucket, as an example of a link that isn't linear). Prints "ready". Removes DIRECTORY at its
# end.
set -eu

# A host has its own network, name, interprocess communication, mounts, and perhaps clock. A
# sleeping process keeps it alive. Libraries use shared memory and the boot id to detect processes
# of the same machine, so each host has its own.
if [ "$1" = host ]; then
    directory=$2 name=$3
    hostname "$name"
    mount --bind "$directory/hosts" /etc/hosts
    mount -t sysfs sysfs /sys
    mount -t tmpfs tmpfs /dev/shm
    cat /proc/sys/kernel/random/uuid >"$directory/$name.boot"
    mount --bind "$directory/$name.boot" /proc/sys/kernel/random/boot_id
    ip link set lo up
    cd /proc/sys/net
    echo reno >ipv4/tcp_congestion_control # bbr would pace by its own estimate of the link
    echo 0 >ipv4/tcp_slow_start_after_idle
    echo 1 >ipv4/tcp_no_metrics_save
    [ ! -e ipv6 ] || echo 1 >ipv6/conf/all/disable_ipv6 # IPv6's own messages would take time on the link
    echo $$ >"$directory/$name.new"
    mv "$directory/$name.new" "$directory/$name.pid"
    exec sleep infinity
fi

directory=$1 link=$2 shaper=$3 delay_us=$4 rate_mbps=$5 networks=$6
shift 6
names=()
trap 'rm -rf "$directory"' EXIT

for host; do
    name=${host%%:*}
    clock=()
    [ "$name" = "$host" ] || clock=(--time --monotonic "${host#*:}" --boottime "${host#*:}" --fork)
    unshare --net --uts --ipc --mount "${clock[@]}" "$0" host "$directory" "$name" </dev/null &
    names+=("$name")
done

namespaces=()
for name in "${names[@]}"; do
    for ((tries = 0; ; tries++)); do
        [ ! -s "$directory/$name.pid" ] || break
        [ $tries -lt 500 ] || { echo "host $name didn't start" >&2; exit 1; }
        sleep 0.02
    done
    namespaces+=("/proc/$(cat "$directory/$name.pid")/ns/net")
done

in_network() { # INDEX WORDS…
    nsenter --net="${namespaces[$1]}" "${@:2}"
}

case $shaper in
link)
    for ((network = 0; network < networks; network++)); do
        exec {said}< <(exec "$link" "$delay_us" "$rate_mbps" "eth$network" "${namespaces[@]}" </dev/null)
        read -r -u "$said" answer && [ "$answer" = ready ]
    done
    ;;
tbf)
    in_network 0 ip link add eth0 type veth peer name eth1
    in_network 0 ip link set eth1 netns "$(cat "$directory/${names[1]}.pid")" name eth0
    for i in 0 1; do
        in_network $i ip link set eth0 address "02:66:69:72:6d:0$((i + 1))"
        in_network $i tc qdisc add dev eth0 root tbf rate "${rate_mbps}mbit" burst 32kb latency 400ms
    done
    ;;
esac

for ((network = 0; network < networks; network++)); do
    device=eth$network prefix=10.$((66 + network)).0
    for i in "${!names[@]}"; do
        in_network "$i" ip address add "$prefix.$((i + 1))/24" dev "$device"
        in_network "$i" ip link set "$device" txqueuelen 10000 up
        for j in "${!names[@]}"; do
            [ "$i" = "$j" ] || in_network "$i" ip neighbour add "$prefix.$((j + 1))" dev "$device" nud permanent \
                lladdr "$(printf 02:66:69:72:6d:%02x $((j + 1)))"
        done
    done
done

echo ready
read -r _ || true
