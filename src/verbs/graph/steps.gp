# SPDX-License-Identifier: BSD-3-Clause
# firma graph --picture steps: the steps of each task in a column, from the top, with its loops.
#   n_columns, n_rows
#   heading, note     lines above the picture
#   $names            column, name of the task
#   $boxes            column, row of computation; of sends; of receives
#   $labels           column, row, what the step does;  $arrows: column and row of a send, of its receive
#   $loops            column, first and last row, depth, row of the label, iterations
eval terminal(n_columns * 190 + 40 < 620 ? 620 : n_columns * 190 + 40, n_rows * 22 + 140)
set title heading.(strlen(note) ? "\n".note : '') font ',13'
set xrange [-0.55:n_columns-0.45]
set yrange [n_rows:-1.4]
unset border
unset tics
set lmargin 1
set rmargin 1
do for [i=1:|$names|] {
    set label behind($names[i]) at first number($names[i], 1) + 0.05, first -0.6 center font ',12'
}
do for [i=1:|$labels|] {
    set label behind(behind($labels[i])) at first number($labels[i], 1) + 0.05, first number($labels[i], 2) + 0.5 center front font ',10'
}
do for [i=1:|$arrows|] {
    right = number($arrows[i], 3) > number($arrows[i], 1)
    set arrow from first number($arrows[i], 1) + (right ? 0.37 : -0.27), first number($arrows[i], 2) + 0.5 to first number($arrows[i], 3) + (right ? -0.27 : 0.37), first number($arrows[i], 4) + 0.5 head filled size screen 0.006,20 back lc rgb '#555555' lw 0.9
}
set style textbox opaque noborder margins 0.3, 0
side(depth) = -0.31 - 0.035 * (depth < 0 ? 0 : depth)
do for [i=1:|$loops|] {
    x = number($loops[i], 1) + side(3 - number($loops[i], 4))
    set arrow from first number($loops[i], 1) - 0.27, first number($loops[i], 2) + 0.12 to first x, first number($loops[i], 2) + 0.12 nohead lc rgb '#888888'
    set arrow from first x, first number($loops[i], 2) + 0.12 to first x, first number($loops[i], 3) + 0.88 nohead lc rgb '#888888'
    set arrow from first x, first number($loops[i], 3) + 0.88 to first number($loops[i], 1) - 0.27, first number($loops[i], 3) + 0.88 nohead lc rgb '#888888'
    set label word($loops[i], 6).' ×' at first x - 0.01, first number($loops[i], 5) + 0.5 right front boxed font ',9' textcolor rgb '#555555'
}
set key outside bottom center horizontal maxrows 1 samplen 2
plot for [kind=0:2] $boxes index kind using 1:2:($1-0.27):($1+0.37):($2+0.08):($2+0.92) with boxxyerror lc rgb word('#99c7e0 #99d8c7 #f5d999', kind + 1) title word('computes sends receives', kind + 1), \
     NaN with lines lc rgb '#555555' lw 0.9 title 'message', \
     NaN with lines lc rgb '#888888' title 'loop, with iterations'
