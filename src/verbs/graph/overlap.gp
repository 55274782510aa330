# SPDX-License-Identifier: BSD-3-Clause
# firma graph --pair: when two tasks compute, and which messages bind them.
#   until             seconds
#   heading, note     lines above the picture
#   first, second     the tasks' names
#   has_borders       intervals are few enough to see where one ends
#   $pieces           from, to, row of: intervals of computation; waits; both compute
#   $labels           place, row, length of an interval;  $messages: sent, received, row of the sender
eval terminal(1000, 350)
set title heading."\n".note font ',13'
set format x '%.1s %cs'
set xlabel 'time' offset 0,0.3
set xrange [0:until]
set yrange [3.2:-0.2]
set lmargin 20
set rmargin 4
set ytics ('task '.first 0.5, 'task '.second 2.5) scale 0
low(row) = row == 0 ? 0 : 2
do for [i=1:|$labels|] {
    set label behind(behind($labels[i])) at first number($labels[i], 1), first low(number($labels[i], 2)) + 0.5 center front textcolor rgb 'white' font ',10'
}
do for [i=1:|$messages|] {
    down = number($messages[i], 3) == 0
    set arrow from first number($messages[i], 1), first (down ? 1 : 2) to first number($messages[i], 2), first (down ? 2 : 1) head filled size screen 0.007,20 front lc rgb '#333333' lw 0.9
}
set key outside bottom center horizontal maxrows 1 samplen 2
plot $pieces index 2 using 1:(1.5):1:2:(0):(3) with boxxyerror lc rgb '#d9eaf4' title 'both compute', \
     $pieces index 0 using 1:(low($3)+0.5):1:2:(low($3)):(low($3)+1) with boxxyerror fs solid border lc rgb (has_borders ? '#ffffff' : computation) fc rgb computation title 'computes', \
     $pieces index 1 using 1:(low($3)+0.5):1:2:(low($3)+0.3):(low($3)+0.7) with boxxyerror lc rgb waiting title 'waits for a message', \
     NaN with lines lc rgb '#333333' lw 0.9 title (|$messages| > 0 ? 'message' : '')
