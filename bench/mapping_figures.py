# SPDX-License-Identifier: BSD-3-Clause
"""Tables of mapping_effect.py."""

import statistics

from programs import print_table

LEAST_GAIN = 0.01  # the threshold of `firma map`: a smaller gain counts as none
MAPPERS = ("search", "grow", "ttig", "list", "scotch", "round-robin")


def predicted_gain(result):
    return 1 - result["predicted_s"] / result["default_predicted_s"]


def actual_gain(result):
    return 1 - result["actual_s"] / result["default_s"]


def error_of(result):
    return abs(predicted_gain(result) - actual_gain(result))


def percent(share, digits=0):
    return f"{100 * share:.{digits}f} %"


def share(part, whole):
    return f"{percent(part / whole)} of {whole}" if whole else "-"


def quantile_90(values):
    return statistics.quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


def is_default(result):
    return "block" in result["mappers"]


def cases_in(results):
    """One result of each case: all of a case hold the default's times."""
    return list({(result["set"], result["program"], result["bytes"], result["order"], result["cluster"]): result
                 for result in results}.values())


def signs(others, gain):
    """How many gain or lose LEAST_GAIN or more, by this function, and in how many of them both signs agree."""
    beyond = [result for result in others if abs(gain(result)) >= LEAST_GAIN]
    return share(sum(predicted_gain(result) * actual_gain(result) > 0 for result in beyond), len(beyond))


def opposite(others):
    return sum(predicted_gain(result) * actual_gain(result) < 0 and
               min(abs(predicted_gain(result)), abs(actual_gain(result))) >= LEAST_GAIN for result in others)


def prediction_row(members):
    others = [result for result in members if not is_default(result)]
    defaults = [case["default_predicted_s"] / case["default_s"] - 1 for case in cases_in(members)]
    if not others:
        return [str(len(defaults)), "0", *"-------"]
    errors = [error_of(result) for result in others]
    inside = sum(result["gain_low"] <= actual_gain(result) <= result["gain_high"] for result in others)
    widths = [result["gain_high"] - result["gain_low"] for result in others]
    return [str(len(defaults)), str(len(others)), signs(others, predicted_gain), signs(others, actual_gain),
            str(opposite(others)), f"{100 * statistics.median(errors):.1f}", f"{100 * quantile_90(errors):.1f}",
            share(inside, len(others)), f"{100 * statistics.median(widths):.1f}",
            percent(statistics.median(abs(error) for error in defaults), 1),
            f"{100 * min(defaults):+.0f} to {100 * max(defaults):+.0f} %"]


PREDICTION_HEADER = ["cases", "mappings", "sign right where predicted ≥ 1 %", "where real ≥ 1 %", "opposite",
                     "error of the gain, points: median", "90 %", "real gain in the interval",
                     "width, points: median", "error of the default's time: median", "extremes"]


def advice_row(members):
    advised = [result for result in members if result["recommended"]]
    kept = sum(actual_gain(result) >= LEAST_GAIN for result in advised)
    slower = sum(actual_gain(result) <= -LEAST_GAIN for result in advised)
    beyond = sum(actual_gain(result) < min(0, result["gain_low"]) for result in advised)
    inside = sum(result["gain_low"] <= actual_gain(result) <= result["gain_high"] for result in advised)
    missed = sum(not any(result["recommended"] for result in case) and max(actual_gain(result) for result in case) >= LEAST_GAIN
                 for case in by(members, lambda result: (result["program"], result["bytes"], result["order"],
                                                         result["cluster"])).values())
    gains = [actual_gain(result) for result in advised]
    return [str(len(advised)), share(kept, len(advised)), share(slower, len(advised)),
            percent(min(gains), 1) if gains else "-", share(beyond, len(advised)), share(inside, len(advised)),
            str(missed)]


ADVICE_HEADER = ["recommended", "really faster by ≥ 1 %", "really slower by ≥ 1 %", "worst real gain",
                 "slower, and below the interval", "real gain in the interval", "none recommended, but one gains ≥ 1 %"]


def by(results, key):
    groups = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return groups


def size_of(result):
    return f"{result['bytes']:,} B" if result["bytes"] else "own"


DIVISIONS = (("cluster", lambda result: result["cluster"]), ("size", size_of), ("order", lambda result: result["order"]),
             ("program", lambda result: result["program"]))


def divided(results):
    """Yields set, label and members: all of a set, and by cluster, size, order and program."""
    for name, members in by(results, lambda result: result["set"]).items():
        yield name, "all", members
        for division, key in DIVISIONS:
            for value, part in by(members, key).items():
                yield name, f"{division} {value}", part


def print_by_division(results, header, row):
    print_table(["set", "part", *header], [[name, part, *row(members)] for name, part, members in divided(results)])


def ratio_of(case, mapper):
    """The really achieved time over the default's. `advice` is what firma recommends, or else the default; `best` the fastest
    of all mappings that were run."""
    if mapper == "advice":
        chosen = [result for result in case if result["recommended"]]
    elif mapper == "best":
        chosen = [min(case, key=lambda result: result["actual_s"])]
    else:
        chosen = [result for result in case if mapper in result["mappers"]]
    return chosen[0]["actual_s"] / chosen[0]["default_s"] if chosen else (1 if mapper == "advice" else None)


def achieved_row(members):
    cases = by(members, lambda result: (result["program"], result["bytes"], result["order"], result["cluster"])).values()
    row = [str(len(cases))]
    for mapper in ("advice", *MAPPERS, "best"):
        ratios = [ratio for ratio in (ratio_of(case, mapper) for case in cases) if ratio is not None]
        row.append(f"{statistics.geometric_mean(ratios):.3f}" if ratios else "-")
    return row


def print_floors(floors):
    rows = []
    for name, members in by(floors, lambda floor: floor["set"]).items():
        for cluster, part in [("all", members), *by(members, lambda floor: floor["cluster"]).items()]:
            times = [abs(floor["default_s"][1] / floor["default_s"][0] - 1) for floor in part]
            gains = [[1 - other / usual for usual, other in zip(floor["default_s"], floor["other_s"])] for floor in part]
            differences = [abs(first - second) for first, second in gains]
            differ = [gain for gain in gains if abs(gain[0]) >= LEAST_GAIN]
            rows.append([name, cluster, str(len(part)), percent(statistics.median(times), 2), percent(max(times), 1),
                         f"{100 * statistics.median(differences):.2f}", f"{100 * quantile_90(differences):.2f}",
                         share(sum(first * second > 0 for first, second in differ), len(differ))])
    print_table(["set", "cluster", "cases", "default's time differs by: median", "most", "gain differs by, points: median",
                 "90 %", "sign stays where real ≥ 1 %"], rows)


def print_speeds(speeds):
    print_table(["set", "program", "steps", "CPU time of a simulated step"],
                [[speed["set"], speed["program"], f"{speed['steps']:,}", f"{1e9 * speed['step_s']:.0f} ns"] for speed in speeds])


def print_refusals(refusals):
    rows = []
    for (name, program), members in by(refusals, lambda refusal: (refusal["set"], refusal["program"])).items():
        message = next((line for line in members[0]["lines"] if line.startswith("firma ")), members[0]["lines"][0])
        rows.append([name, program, str(len(members)), message.replace("|", "\\|")])
    print_table(["set", "program", "cases", "firma's message in the first"], rows)


def print_all(results, refusals, floors, speeds):
    print("What is predicted, and what happens:\n")
    print_by_division(results, PREDICTION_HEADER, prediction_row)
    print("\nWhat firma recommends:\n")
    print_by_division(results, ADVICE_HEADER, advice_row)
    print("\nReally achieved time over the default's (block), geometric means:\n")
    print_by_division(results, ["cases", "firma's advice", *MAPPERS, "best of all"], achieved_row)
    if refusals:
        print("\nCases that firma refuses, and that no other table contains:\n")
        print_refusals(refusals)
    if floors:
        print("\nFloor: two runs whose computations differ by up to 0.5 %; the gain is that of round-robin:\n")
        print_floors(floors)
    if speeds:
        print("\nSpeed of the simulation:\n")
        print_speeds(speeds)


def print_worst(results, n):
    print(f"\nThe {n} mappings with the largest errors:\n")
    worst = sorted((result for result in results if not is_default(result)), key=error_of, reverse=True)[:n]
    print_table(["set", "program", "size", "order", "cluster", "mapping", "predicted gain", "real gain", "default: predicted",
                 "real", "mapping: predicted", "real"],
                [[result["set"], result["program"], size_of(result), result["order"], result["cluster"],
                  ", ".join(result["mappers"]), percent(predicted_gain(result), 1), percent(actual_gain(result), 1),
                  *(f"{1e3 * result[field]:.1f} ms" for field in ("default_predicted_s", "default_s", "predicted_s", "actual_s"))]
                 for result in worst])
