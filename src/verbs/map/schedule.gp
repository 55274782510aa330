# SPDX-License-Identifier: BSD-3-Clause
# firma map: what each task does when, in the default mapping and in another one, on one time axis. Rows
# are tasks, ordered by node, or nodes. A piece of a row with several kinds of time shows their
# shares, one above the other.
#   until       seconds
#   n_rows      of the panel with the most rows
#   $panels     rows, title
#   $names      panel, place, name at the left;  $nodes: the same at the right;  $borders: panel, place of a line
#   $pieces     a part for each panel and kind of time: from, to, upper and lower edge
color(doing) = word(computation.' '.transfer.' '.waiting.' '.other, doing)
title_of(doing) = doing == 1 ? 'computes' : doing == 2 ? 'waits for a message under way' : doing == 3 ? 'waits for a message not yet sent' : 'waits for its processor'
n = |$panels|
row_height = 640.0 / n_rows > 24 ? 24 : 640.0 / n_rows < 11 ? 11 : floor(640.0 / n_rows)
eval terminal(1100, n * (100 + row_height * n_rows))
set format x '%.1s %cs'
set xrange [0:until]
set rmargin 16
set lmargin 18
set multiplot layout n,1
do for [panel=1:n] {
    unset label
    unset arrow
    set ytics () scale 0 font ',9'
    do for [i=1:|$names|] {
        if (number($names[i], 1) == panel) { set ytics add (behind(behind($names[i])) number($names[i], 2)) }
    }
    do for [i=1:|$nodes|] {
        if (number($nodes[i], 1) == panel) { set label behind(behind($nodes[i])) at graph 1.005, first number($nodes[i], 2) font ',9' }
    }
    do for [i=1:|$borders|] {
        if (number($borders[i], 1) == panel) { set arrow from graph 0, first number($borders[i], 2) to graph 1, first number($borders[i], 2) nohead ls 100 }
    }
    set title behind($panels[panel]) font ',13'
    set yrange [number($panels[panel], 1):0]
    if (panel == n) {
        set xlabel 'predicted time'
        set key outside bottom center horizontal maxrows 1 samplen 1 spacing 1
    } else {
        unset xlabel
        set key off
    }
    plot for [doing=1:4] $pieces index 4*(panel-1)+doing-1 using 1:3:1:2:3:4 with boxxyerror lc rgb color(doing) title title_of(doing)
}
unset multiplot
