#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Learns the laws of calibrations (src/cost/predict/scale.c) from the numbers of cost_calibration.py: the constants under which
the times of kernels that may be learnt from are most probable, if each is predicted from three smaller sizes, from one, or
from other runs of the same size. Prints them, and how well the intervals hold: of those kernels with laws that were
learnt from others, and of kernels kept aside. Needs numpy and scipy. See README.md."""

import argparse
import json
import math
import re
import os

import numpy
from scipy.optimize import minimize
from scipy.stats import norm

SOURCES = [os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "cost", "predict", name)
           for name in ("scale.c", "scale.h")]
ASIDE = "kept aside"
TARGETS = range(3)
# How many halvings from the predicted size; and, for the last, other runs of the same size.
CASES = {"8 × largest": (5, 4, 3), "8 × smallest": (3, 2, 1), "one size": (3,), "same size": (0,)}
LEAST_S = 2e-5  # of a time that says something
STEPS = 25
FOLDS = 3  # a third of the kernels is predicted with laws that the others taught
FIRST_STEP, LAST_STEP = 0.5, 0.1  # of a constant's logarithm
LEAST_SHARE = 0.001
NOISE = ("NOISE_LEAST", "NOISE_FACTOR")
STARTUP, COMPUTATION, ORDERED, SCATTERED, TREND, GROWTH = range(6)


def constants():
    """Reads those of the source, so that both are the same."""
    text = ""
    for source in SOURCES:
        with open(source, encoding="utf-8") as file:
            text += file.read()
    found = {name: float(value) for name, value in re.findall(r"\b([A-Z]+(?:_[A-Z]+)*)(?: =)? ([\d.e+-]*\d[\d.e+-]*)[;,\n ]", text)}
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
        self.noise = numpy.hypot(constant["NOISE_LEAST"], constant["NOISE_FACTOR"] * known[..., 5].mean(1))
        total = known[..., :3].sum(2)
        self.expected = numpy.stack([self.least.min(1) + math.log(constant["STARTUP_SHARE"]),
                                     (self.least - numpy.log(total)).mean(1),
                                     *(numpy.full(len(known), math.log(constant[name])) for name in
                                       ("ORDERED_FACTOR", "SCATTERED_FACTOR")),
                                     numpy.zeros(len(known)), numpy.full(len(known), constant["GROWTH_POWER"])], 1)
        distance = abs(doublings(total, target[:, :3].sum(1)))
        self.beyond, self.nearest = distance.min(1), distance.argmin(1)
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
        """Returns evidence, middle and deviation of each question by a law (Levenberg and Marquardt). The law's share
        isn't part of the evidence."""
        constant = self.constant
        model, doubling, trend = law[2:]
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
        evidence = (-squares / 2 - numpy.linalg.slogdet(matrix)[1] / 2 - numpy.log(prior).sum() -
                    self.known.shape[1] * numpy.log(deviation[:, 0, 0]))
        middle, slopes = (each[:, 0] for each in self.times(unknowns, self.target))
        memory, likeness = slopes[:, ORDERED] + slopes[:, SCATTERED], numpy.maximum(0, 1 - self.beyond)
        variance = (model**2 + (doubling * self.beyond)**2 + (memory * constant["DATA_DEVIATION"] * self.data_beyond)**2 +
                    numpy.einsum("qi,qij,qj->q", slopes, numpy.linalg.inv(matrix), slopes))
        middle = middle - likeness * (residuals * deviation[..., 0])[numpy.arange(len(middle)), self.nearest]
        variance = (1 - likeness**2) * variance + (1 + likeness**2) * self.noise**2
        return evidence, middle, numpy.sqrt(variance * numpy.maximum(1, squares / self.known.shape[1]))


def outcomes(groups, constant):
    """Returns the evidence, middle and deviation of each question and law; and the logarithms of the measured times."""
    found = [[numpy.stack(each, 1) for each in zip(*(Fit(known, target, constant).outcome(law) for law in constant["laws"]))]
             for _, known, target in groups]
    evidence, middle, deviation = (numpy.concatenate(each) for each in zip(*found))
    return (numpy.exp(evidence - evidence.max(1)[:, None]), middle, deviation,
            numpy.concatenate([target[:, 4] for *_, target in groups]))


def are_fresh(groups, constant):
    return numpy.concatenate([target[:, 3] for *_, target in groups]) > constant["SCALE_REUSED_BYTES"]


def mixed(evidence, shares):
    weight = evidence * shares
    return weight / weight.sum(1)[:, None]


def densities(middle, deviation, measured):
    return norm.pdf((measured[:, None] - middle) / deviation) / deviation + 1e-30


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


def shares_of(evidence, density):
    """The shares of laws under which the measured times are most probable."""
    n = evidence.shape[1]

    def objective(values):
        shares = numpy.exp(values - values.max())
        shares /= shares.sum()
        before, after = evidence * shares, evidence * density * shares
        before_sum, after_sum = before.sum(1), after.sum(1)
        slopes = (after / after_sum[:, None] - before / before_sum[:, None]).sum(0)
        # Each law has two kernels more, so that none has the share 0.
        return (-numpy.log(after_sum / before_sum).sum() - 2 / n * numpy.log(shares).sum(),
                -slopes + 2 / n * (n * shares - 1))

    found = minimize(objective, numpy.zeros(n), jac=True, method="L-BFGS-B", bounds=[(-7, 7)] * n)
    shares = numpy.maximum(numpy.exp(found.x) / numpy.exp(found.x).sum(), LEAST_SHARE)
    return shares / shares.sum()


def with_shares(groups, constant):
    """Returns the constants with the most probable shares, and how improbable the times are then: the mean logarithm."""
    evidence, middle, deviation, measured = outcomes(groups, constant)
    density, fresh = densities(middle, deviation, measured), are_fresh(groups, constant)
    laws, logarithms = constant["laws"].copy(), numpy.zeros(len(fresh))
    for column, those in enumerate((~fresh, fresh)):
        if those.any():
            laws[:, column] = shares_of(evidence[those], density[those])
            logarithms[those] = -numpy.log((mixed(evidence[those], laws[:, column]) * density[those]).sum(1))
    return {**constant, "laws": laws}, logarithms.mean()


def with_values(constant, values):
    laws = constant["laws"].copy()
    laws[:, 2:] = numpy.exp(values[len(NOISE):]).reshape(laws[:, 2:].shape)
    return {**constant, **dict(zip(NOISE, numpy.exp(values))), "laws": laws}


def learn(asked, constant, evaluations):
    """Moves one constant after the other, by steps that become smaller."""
    groups = list(grouped(asked))
    first = numpy.log([*(constant[name] for name in NOISE), *constant["laws"][:, 2:].ravel()])
    steps = numpy.full(len(first), FIRST_STEP)
    values, (best, least), n = first, with_shares(groups, constant), 1
    while n < evaluations and steps.max() > LAST_STEP:
        for i in range(len(values)):
            for side in (1, -1):
                tried = values.copy()
                tried[i] += side * steps[i]
                found, surprise = with_shares(groups, with_values(constant, tried))
                surprise += 0.005 * ((tried - first)**2).mean()  # where little is known, what was known before stays
                n += 1
                if surprise < least:
                    values, best, least = tried, found, surprise
                    steps[i] *= 1.3
                    break
            else:
                steps[i] /= 2
    return best


def predicted(asked, constant):
    """Returns the intervals of questions beside them."""
    groups = list(grouped(asked))
    evidence, middle, deviation, _ = outcomes(groups, constant)
    shares = numpy.where(are_fresh(groups, constant)[:, None], constant["laws"][:, 1], constant["laws"][:, 0])
    ends = [quantile(mixed(evidence, shares), middle, deviation, (1 + side * constant["CONFIDENCE"]) / 2) for side in (-1, 1)]
    return list(zip([each for same, *_ in groups for each in same], *ends))


def report(answers, what):
    for case in CASES:
        for level in sorted({record["options"] for (record, *_), *_ in answers}):
            these = numpy.array([(low, high, target[4], target[3] > 0) for (record, own, _, target), low, high in answers
                                 if (own, record["options"]) == (case, level)])
            low, high, measured, _ = these.T
            inside = (low <= measured) & (measured <= high)
            width = 2 * (numpy.exp(high) - numpy.exp(low)) / (numpy.exp(high) + numpy.exp(low))
            error = (low + high) / 2 - measured
            print(f"| {what} | {level} | {case} | {len(these)} | {100 * inside.mean():.0f} % | {100 * numpy.median(width):.0f} % | "
                  f"{(width <= 0.2).sum()} | {inside[width <= 0.2].sum()} | {100 * numpy.median(error):+.0f} % | "
                  f"{100 * numpy.median(abs(error)):.0f} % |")


def leave_out(asked, constant, evaluations):
    """Predicts each third of the kernels with what the others teach."""
    names = sorted({each[0]["name"] for each in asked})
    answers = []
    for fold in range(FOLDS):
        out = set(names[fold::FOLDS])
        own = learn([each for each in asked if each[0]["name"] not in out], constant, evaluations)
        answers += predicted([each for each in asked if each[0]["name"] in out], own)
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", help="the JSON of cost_calibration.py --compare sizes")
    parser.add_argument("--evaluations", type=int, default=300, help="0: the laws of the source as they are (300)")
    options = parser.parse_args()
    with open(options.numbers, encoding="utf-8") as file:
        asked = questions(json.load(file)["runs"])
    learnt = [each for each in asked if each[0]["kernels"] != ASIDE]
    constant = constants()
    answers = leave_out(learnt, constant, options.evaluations) if options.evaluations else predicted(learnt, constant)
    if options.evaluations:
        constant = learn(learnt, constant, options.evaluations)
    print(", ".join(f"{name} = {constant[name]:.2g}" for name in NOISE))
    for law in constant["laws"]:
        print("{" + ", ".join(f"{each:.2g}" for each in law) + "}")
    print("| kernels | options | predicted | how many | inside | width, median | at most 20 % wide | of these inside | "
          "bias | error, median |")
    print("|" + " --- |" * 10)
    report(answers, "left out" if options.evaluations else "learnt from")
    report(predicted([each for each in asked if each[0]["kernels"] == ASIDE], constant), ASIDE)


if __name__ == "__main__":
    main()
