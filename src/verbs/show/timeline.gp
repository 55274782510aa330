# SPDX-License-Identifier: BSD-3-Clause
# firma show of a signature: phases along the run, one above the other. The phases
# with the most time have a colour each; the others are grey.
#   name      of the picture
#   time      of the run, in seconds
#   $phases   number, title
#   $shares   a part for each phase: from, to, share below the phase, share with the phase
color(i) = i > 8 ? other : series[i]
eval terminal(1000, 420)
set title name font ',14'
set xlabel 'time since MPI_Init (white: startup, shutdown)'
set ylabel 'share of the time'
set format x '%.1s %cs'
set format y '%.0f %%'
set yrange [0:100]
set xrange [0:time]
set key outside right top Left reverse samplen 1
plot for [i=1:|$phases|] $shares index i-1 using 1:(100*$3):1:2:(100*$3):(100*$4) with boxxyerror lc rgb color(i) title behind($phases[i]), \
     NaN notitle
