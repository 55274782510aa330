# SPDX-License-Identifier: BSD-3-Clause
"""What holds for all documents: each is tested (document_commands.py), its links lead somewhere, its numbers have an origin."""

import re

from document_commands import DOCUMENTS, EXAMPLES, NOT_RUN, ROOT, commands_of
from harness import check, check_equal, main, test

NOT_RUN_LIMIT = 10  # over all documents


@test("Meson runs the commands of each document and each example")
def topics_are_complete():
    listed = re.search(r"foreach topic : \[(.*?)\]", (ROOT / "tests/e2e/meson.build").read_text(encoding="utf-8"), re.DOTALL)
    wanted = {document.stem for document in DOCUMENTS} | {folder.name for folder in EXAMPLES}
    check_equal(sorted(re.findall(r"'(.+?)'", listed[1])), sorted(wanted), "topics in tests/e2e/meson.build")


@test("few commands of documents aren't run")
def few_are_left_out():
    left_out = [command.text for document in DOCUMENTS for command in commands_of(document)
                if any(re.search(pattern, command.text) for pattern, _ in NOT_RUN)]
    check(len(left_out) <= NOT_RUN_LIMIT, f"{len(left_out)} aren't: {left_out}")
    unused = [pattern for pattern, _ in NOT_RUN if not any(re.search(pattern, text) for text in left_out)]
    check(not unused, f"rules that no command needs: {unused}")


@test("no command of a document hides in an indented block")
def all_are_fenced():
    for document in DOCUMENTS:
        for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
            check(not re.match(r" {4,}(?:\$ )?(?:firma|make|mpirun|mpicc) ", line),
                  f"{document.name}:{number}: in no ```sh or ```console block")


@test("links between documents lead somewhere")
def links_resolve():
    for document in [*DOCUMENTS, *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]:
        text = re.sub(r"`[^`]*`", "", document.read_text(encoding="utf-8"))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            path, _, anchor = target.partition("#")
            if "://" in target:
                continue
            file = document.parent / path if path else document
            check(file.exists(), f"{document.name}: there is no {target}")
            if anchor and file.suffix == ".md":
                anchors = {re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
                           for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("#")}
                check(anchor in anchors, f"{document.name}: {path or 'the page itself'} has no #{anchor}")


@test("each section of docs/RESULTS.md says by which command, when, where and of which commit it was measured")
def results_say_their_origin():
    sections = (ROOT / "docs/RESULTS.md").read_text(encoding="utf-8").split("\n## ")[1:]
    for section in sections:
        title, origin = section.split("\n", 1)[0], " ".join(section.split("\n\n")[1].split())
        for what, pattern in (("command", r"\*Command:\* `[^`]+`"), ("date", r"\*Measured:\* 2\d{3}-\d\d-\d\d"),
                              ("commit", r"\bcommit [0-9a-f]{7}\b"), ("machine", r"\bcores of ")):
            check(re.search(pattern, origin), f"{title}: it doesn't say its {what}: {origin}")


@test("README.md is one page: at most 150 lines of at most 100 columns")
def is_one_page():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    check(len(lines) <= 150, f"{len(lines)} lines")
    wide = [number for number, line in enumerate(lines, 1) if len(line) > 100]
    check(not wide, f"wider than 100 columns: lines {wide}")


main()
