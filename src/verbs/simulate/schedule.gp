# SPDX-License-Identifier: BSD-3-Clause
# firma simulate --svg: what each process does over simulated time. A phase has a colour: full while a process computes,
# pale while messages are transferred. Waiting is a thin grey line.
#   name         of the picture
#   note         below it
#   n            number of processes
#   begin, end   of the drawn time
#   phases       number of phases that have a colour
#   $phases      colour, title
#   $boxes       from, process, to, half height, colour; the first row draws nothing
#   $gaps        where occurrences are left out, and how many
#   n_gaps       their number
#   has_numbers  whether numbers of left out occurrences are written
row = n <= 8 ? 34 : n <= 16 ? 24 : n <= 32 ? 17 : 12
height = 150 + row * n
eval terminal(1200, height < 300 ? 300 : height)
step = 1
while (step * row < 12) { step = step * 2 }
set title name font ',14' offset 0,has_numbers ? 1 : 0
set label 1 note at graph 0, screen 0.0 left offset 0,0.8 font ',10' tc rgb '#555555'
set xlabel 'simulated time'
set format x '%.1s %cs'
set ylabel 'process'
set yrange [n-0.5:-0.5]
set ytics 0,step,n-1 font ',10' scale 0
set format y '%.0f'
set xrange [begin:end]
set bmargin 5
set key outside right top Left reverse samplen 1.5 font ',11'
set style fill solid 1 noborder
plot $boxes using 1:2:1:3:($2-$4):($2+$4):5 with boxxyerror lc rgb variable notitle, \
     for [i=1:n_gaps > 0] $gaps using 1:(-0.5):(0):(n) with vectors nohead dt 2 lw 0.8 lc rgb '#555555' notitle, \
     for [i=1:has_numbers] $gaps using 1:(-0.5):2 with labels offset 0,0.6 font ',9' tc rgb '#555555' notitle, \
     for [i=1:phases] NaN with boxes lc rgb number($phases[i], 1) title behind($phases[i]), \
     NaN with boxes lc rgb '#ffffff' title ' ', \
     NaN with boxes lc rgb '#636363' title 'full: computation', \
     NaN with boxes lc rgb '#c8c8c8' title 'pale: transfer', \
     NaN with lines lw 2 lc rgb '#9a9a9a' title 'line: waiting', \
     for [i=1:n_gaps > 0] NaN with lines dt 2 lw 0.8 lc rgb '#555555' title (has_numbers ? 'left out here, how many' : 'some are left out here')
