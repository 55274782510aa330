// SPDX-License-Identifier: BSD-3-Clause
// Says what the pieces of a process's row are that the pointer is at.
const activity = JSON.parse(document.getElementById("data").textContent).activity;
for (const area of document.querySelectorAll(".pointer"))
  area.addEventListener("mousemove", event => {
    const box = area.getBoundingClientRect(), rows = activity.rows, n = rows[0].computation.length;
    const at = (share, count) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    const i = at((event.clientY - box.top) / box.height, rows.length), j = at((event.clientX - box.left) / box.width, n);
    const first = i * activity.processes_per_row, last = Math.min(first + activity.processes_per_row, activity.processes) - 1;
    const parts = Object.entries(rows[i]).map(([name, percents]) => `${name} ${percents[j]} %`);
    area.closest("figure").querySelector("output").textContent =
      `process ${last > first ? first + " to " + last : first}, from ${(activity.length_s * j / n).toPrecision(3)} s: ${parts.join(", ")}`;
  });
