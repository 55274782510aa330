// SPDX-License-Identifier: BSD-3-Clause
// Says what the piece of a row is that the pointer is at: of processes, or of tasks, which have names.
const data = JSON.parse(document.getElementById("data").textContent);
const unit = s => s < 1e-3 ? [1e6, "µs"] : s < 1 ? [1e3, "ms"] : [1, "s"], time = (s, [factor, name] = unit(s)) => `${(s * factor).toPrecision(3)} ${name}`;
for (const area of document.querySelectorAll(".pointer"))
  area.addEventListener("mousemove", event => {
    const drawn = area.dataset.of.split(".").reduce((part, key) => part[key], data), rows = drawn.rows, n = rows[0].computation.length;
    const box = area.getBoundingClientRect(), at = (share, count) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    const i = at((event.clientY - box.top) / box.height, rows.length), j = at((event.clientX - box.left) / box.width, n);
    const first = i * drawn.processes_per_row, last = Math.min(first + drawn.processes_per_row, drawn.processes) - 1;
    const name = rows[i].name ? `${drawn.rows_are} ${rows[i].name}` : `process ${last > first ? first + " to " + last : first}`;
    const parts = Object.entries(rows[i]).filter(([, percents]) => Array.isArray(percents)).map(([key, percents]) => `${key} ${percents[j]} %`);
    area.closest("figure").querySelector("output").textContent = `${name}, from ${time(drawn.length_s * j / n)}: ${parts.join(", ")}`;
  });
