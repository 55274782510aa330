#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Learns the laws of calibrations (src/cost/predict/scale.c) from the numbers of cost_calibration.py: the constants under which
the times of kernels that may be learnt from are most probable, if each is predicted from three smaller sizes, from one, or
from other runs of the same size. Prints them, and how well the intervals hold. Needs numpy and scipy. See README.md."""

import argparse
import json
import math
import re
import os

import numpy
from scipy.optimize import minimize
from scipy.stats import norm

SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "cost", "predict", "scale.c")
TARGETS = range(3)
# How many halvings from the predicted size; and, for the last, other runs of the same size.
CASES = {"8 × largest": (5, 4, 3), "8 × smallest": (3, 2, 1), "one size": (3,), "same size": (0,)}
LEAST_S = 2e-5  # of a time that says something
STEPS = 40
STARTUP, COMPUTATION, ORDERED, SCATTERED, TREND, GROWTH = range(6)


def constants():
    """Reads those of the source, so that both are the same."""
    with open(SOURCE, encoding="utf-8") as file:
        text = file.read()
    found = {name: float(value) for name, value in re.findall(r"\b([A-Z]+(?:_[A-Z]+)+) = ([\d.e+-]+)", text)}
    table = re.search(r"laws\[\] = \{(.*?)\};", text, re.S)[1]
    found["laws"] = numpy.array([[float(each) for each in line.split(",")] for line in re.findall(r"\{(.*?)\}", table)])
    return found


def sample(run, times_s):
    times_s = sorted(times_s)
    return [run["computation_s"], run["ordered_s"], run["scattered_s"], run["data_bytes"], math.log(times_s[0]),
            math.log(times_s[1] / times_s[0])]


def questions(records):
    """Returns (case, calibrated samples, the predicted one) of each kernel, size and case; from each half of the runs."""
    found = []
    for record in records:
        if record["case"] != next(iter(CASES)):
            continue  # the same kernel
        for case, halvings in CASES.items():
            for target in TARGETS:
                sizes = [target + each for each in halvings]
                if sizes[0] < len(record["sizes"]) and min(record["sizes"][sizes[0]]["measured_s"]) > LEAST_S:
                    known = [sample(record["sizes"][each], record["sizes"][each]["measured_s"]) for each in sizes]
                    other = record["others"][target]
                    found.append((record, case, numpy.array(known), numpy.array(sample(other, other["measured_s"]))))
    return found


def doublings(sizes, of):
    with numpy.errstate(divide="ignore", invalid="ignore"):
        number = numpy.log2(sizes / of[:, None])
    return numpy.where(numpy.isfinite(number), number, 0)


class Fit:
    """Questions with equally many samples, all at once; as in scale.c."""

    def __init__(self, known, target, constant):
        self.constant, self.known, self.target = constant, known, target[:, None]
        computation, data = known[..., 0], known[..., 3]
        self.largest = computation.max(1)
        self.least = known[..., 4]
        self.noise = constant["NOISE_FACTOR"] * known[..., 5].mean(1)
        total = known[..., :3].sum(2)
        self.expected = numpy.stack([self.least.min(1) + math.log(constant["STARTUP_SHARE"]),
                                     (self.least - numpy.log(total)).mean(1),
                                     *(numpy.full(len(known), math.log(constant[name])) for name in
                                       ("ORDERED_FACTOR", "SCATTERED_FACTOR")),
                                     numpy.zeros(len(known)), numpy.full(len(known), constant["GROWTH_POWER"])], 1)
        self.beyond = abs(doublings(total, target[:, :3].sum(1))).min(1)
        self.data_beyond = abs(doublings(data, target[:, 3])).min(1)

    def times(self, unknowns, samples):
        """Returns logarithms, and their derivatives."""
        constant, unknowns = self.constant, unknowns[:, None]
        beyond = numpy.log2(samples[..., 0] / self.largest[:, None])
        growing = numpy.log2(numpy.clip(samples[..., 3], 1, constant["MOST_BYTES"]) / constant["EXPECTED_BYTES"])
        price = numpy.exp(unknowns[..., GROWTH] * growing)
        f = numpy.exp(unknowns[..., COMPUTATION] + unknowns[..., TREND] * beyond)
        parts = numpy.stack([numpy.exp(unknowns[..., STARTUP]) + 0 * f, f * samples[..., 0],
                             f * numpy.exp(unknowns[..., ORDERED]) * price * samples[..., 1],
                             f * numpy.exp(unknowns[..., SCATTERED]) * price * samples[..., 2]], -1)
        time_s = parts.sum(-1)
        share = parts / time_s[..., None]
        scaled = 1 - share[..., STARTUP]
        return numpy.log(time_s), numpy.stack([share[..., STARTUP], scaled, share[..., ORDERED], share[..., SCATTERED],
                                               scaled * beyond, (share[..., ORDERED] + share[..., SCATTERED]) * growing], -1)

    def outcome(self, law):
        """Returns evidence, middle and deviation of each question by a law (Levenberg and Marquardt)."""
        constant = self.constant
        weight, model, doubling, trend = law
        prior = numpy.array([*(constant[f"{name}_DEVIATION"] for name in ("STARTUP", "COMPUTATION", "ORDERED", "SCATTERED")),
                             trend, constant["GROWTH_DEVIATION"]])
        deviation = numpy.hypot(model, self.noise)[:, None, None]
        unknowns, damping = self.expected.copy(), numpy.full(len(self.known), 1e-3)

        def off(values):
            middle, slopes = self.times(values, self.known)
            residuals = (middle - self.least) / deviation[..., 0]
            return (residuals**2).sum(1) + (((values - self.expected) / prior)**2).sum(1), residuals, slopes / deviation

        squares, residuals, slopes = off(unknowns)
        for _ in range(STEPS):
            matrix = numpy.einsum("qij,qik->qjk", slopes, slopes) + numpy.diag(prior**-2)
            gradient = numpy.einsum("qij,qi->qj", slopes, residuals) + (unknowns - self.expected) / prior**2
            damped = matrix + damping[:, None, None] * matrix * numpy.eye(len(prior))
            tried = numpy.clip(unknowns - numpy.linalg.solve(damped, gradient[..., None])[..., 0], -60, 60)
            new_squares, new_residuals, new_slopes = off(tried)
            better = new_squares <= squares
            is_done = (better & (squares - new_squares < 1e-6 * (1 + squares))).all()
            for old, new in ((unknowns, tried), (residuals, new_residuals), (slopes, new_slopes), (squares, new_squares)):
                old[better] = new[better]
            damping = numpy.where(better, damping / 5, damping * 8)
            if is_done:
                break
        matrix = numpy.einsum("qij,qik->qjk", slopes, slopes) + numpy.diag(prior**-2)
        evidence = (math.log(weight) - squares / 2 - numpy.linalg.slogdet(matrix)[1] / 2 - numpy.log(prior).sum() -
                    self.known.shape[1] * numpy.log(deviation[:, 0, 0]))
        middle, slopes = (each[:, 0] for each in self.times(unknowns, self.target))
        memory = slopes[:, ORDERED] + slopes[:, SCATTERED]
        variance = (model**2 + (doubling * self.beyond)**2 + (memory * constant["DATA_DEVIATION"] * self.data_beyond)**2 +
                    self.noise**2 + numpy.einsum("qi,qij,qj->q", slopes, numpy.linalg.inv(matrix), slopes))
        return evidence, middle, numpy.sqrt(variance * numpy.maximum(1, squares / self.known.shape[1]))


def mixture(known, target, constant):
    """Returns each law's share, middle and deviation for each question."""
    outcomes = [Fit(known, target, constant).outcome(law) for law in constant["laws"]]
    evidence, middle, deviation = (numpy.stack(each, 1) for each in zip(*outcomes))
    share = numpy.exp(evidence - evidence.max(1)[:, None])
    return share / share.sum(1)[:, None], middle, deviation


def quantile(share, middle, deviation, probability):
    low, high = (middle - 9 * deviation).min(1), (middle + 9 * deviation).max(1)
    for _ in range(STEPS):
        between = (low + high) / 2
        is_below = (share * norm.cdf((between[:, None] - middle) / deviation)).sum(1) < probability
        low, high = numpy.where(is_below, between, low), numpy.where(is_below, high, between)
    return low


def grouped(asked):
    """Questions by number of samples."""
    for number in sorted({len(known) for _, _, known, _ in asked}):
        same = [each for each in asked if len(each[2]) == number]
        yield same, numpy.stack([known for _, _, known, _ in same]), numpy.stack([target for *_, target in same])


def surprise(groups, constant):
    """How improbable the times are: the mean logarithm."""
    sums = []
    for _, known, target in groups:
        share, middle, deviation = mixture(known, target, constant)
        z = (target[:, 4:5] - middle) / deviation
        sums.append(-numpy.log(numpy.maximum((share * norm.pdf(z) / deviation).sum(1), 1e-30)))
    return numpy.concatenate(sums).mean()


def with_values(constant, values):
    """The last law, of tasks that follow none, stays as it is."""
    laws = constant["laws"].copy()
    laws[:-1] = numpy.exp(values[1:]).reshape(laws[:-1].shape)
    laws[:-1, 0] *= (1 - laws[-1, 0]) / laws[:-1, 0].sum()
    return {**constant, "NOISE_FACTOR": math.exp(values[0]), "laws": laws}


def learn(groups, constant, evaluations):
    """Near the constants that there are: within a factor of 3."""
    first = numpy.log([constant["NOISE_FACTOR"], *constant["laws"][:-1].ravel()])
    bound = math.log(3)

    def objective(values):
        near = numpy.clip(values, first - bound, first + bound)
        return surprise(groups, with_values(constant, near)) + 0.03 * ((values - first)**2).mean()

    found = minimize(objective, first, method="Powell", options={"maxfev": evaluations, "xtol": 0.03, "ftol": 2e-4})
    return with_values(constant, numpy.clip(found.x, first - bound, first + bound))


def report(records, constant):
    print("| kernels | options | predicted | how many | inside | width, median | at most 20 % wide | of these inside |")
    print("|" + " --- |" * 8)
    for part, level in dict.fromkeys((each["kernels"], each["options"]) for each in records):
        asked = questions([each for each in records if (each["kernels"], each["options"]) == (part, level)])
        for case in CASES:
            inside, width = [], []
            for _, known, target in grouped([each for each in asked if each[1] == case]):
                mixed = mixture(known, target, constant)
                low, high = (quantile(*mixed, probability) for probability in (0.025, 0.975))
                inside.extend((low <= target[:, 4]) & (target[:, 4] <= high))
                width.extend(numpy.exp(high - target[:, 4]) - numpy.exp(low - target[:, 4]))
            inside, narrow = numpy.array(inside), numpy.array(width) <= 0.2
            print(f"| {part} | {level} | {case} | {len(inside)} | {100 * inside.mean():.0f} % | {100 * numpy.median(width):.0f} % "
                  f"| {narrow.sum()} | {inside[narrow].sum()} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", help="the JSON of cost_calibration.py --compare sizes")
    parser.add_argument("--evaluations", type=int, default=500, help="0: those of the source as they are (500)")
    options = parser.parse_args()
    with open(options.numbers, encoding="utf-8") as file:
        records = json.load(file)["runs"]
    constant = constants()
    if options.evaluations:
        groups = list(grouped(questions([each for each in records if each["kernels"] == "learnt from"])))
        constant = learn(groups, constant, options.evaluations)
    print(f"NOISE_FACTOR {constant['NOISE_FACTOR']:.2g}")
    for law in constant["laws"]:
        print("{" + ", ".join(f"{each:.2g}" for each in law) + "}")
    report(records, constant)


if __name__ == "__main__":
    main()
