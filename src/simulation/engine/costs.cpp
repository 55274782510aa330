// SPDX-License-Identifier: BSD-3-Clause
// See costs.h.
#include "simulation/engine/costs.h"
#include "simulation/link_costs.h"

#include <cstdlib>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Link.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <unordered_map>
#include <vector>

namespace
{

struct Factors {
    double from_bytes, latency, bandwidth;
};

using Steps = std::vector<Factors>;

std::unordered_map<const simgrid::s4u::Link *, Steps> steps_of_links;

Steps parse(const char *text)
{
    Steps steps;
    for (char *end = nullptr;; text = end) {
        Factors factors;
        factors.from_bytes = std::strtod(text, &end);
        if (end == text)
            return steps;
        factors.latency = std::strtod(end, &end);
        factors.bandwidth = std::strtod(end, &end);
        steps.push_back(factors);
    }
}

// Those of the first link on the way that has any.
Factors factors_of(double bytes, const std::vector<simgrid::s4u::Link *> &links)
{
    for (const auto *link : links) {
        const auto found = steps_of_links.find(link);
        if (found == steps_of_links.end())
            continue;
        const Steps &steps = found->second;
        size_t at = steps.size() - 1;
        while (at > 0 && steps[at].from_bytes > bytes)
            at--;
        return steps[at];
    }
    return {0, 1, 1};
}

} // namespace

void costs_install(double largest_bytes)
{
    auto *engine = simgrid::s4u::Engine::get_instance();
    for (auto *link : engine->get_all_links()) {
        if (const char *text = link->get_property(COSTS_PROPERTY))
            steps_of_links[link] = parse(text);
        const char *below = link->get_property(QUEUE_PROPERTY);
        if (below && largest_bytes < std::strtod(below, nullptr))
            link->set_concurrency_limit(1);
    }
    auto *network = engine->get_netzone_root()->get_network_model();
    network->set_lat_factor_cb([](double bytes, const auto *, const auto *, const auto &links, const auto &) {
        return factors_of(bytes, links).latency;
    });
    network->set_bw_factor_cb([](double bytes, const auto *, const auto *, const auto &links, const auto &) {
        return factors_of(bytes, links).bandwidth;
    });
}
