# SPDX-License-Identifier: BSD-3-Clause
# firma show --rank: a process's calls over time, one lane for each kind, and the computation in the top lane.
#   name     of the picture
#   $lanes   number, kind of call
#   $calls   begin, lane (0: computation), end; the first row draws nothing
n = |$lanes|
eval terminal(1100, 130 + 28 * (n + 1))
set title name font ',14'
set xlabel 'time since MPI_Init'
set format x '%.3s %cs'
set yrange [n+0.5:-0.5]
set autoscale xfix
set rmargin 8
set ytics ('computation' 0)
do for [i=1:n] { set ytics add (behind($lanes[i]) i) }
if (|$calls| == 1) { set xrange [0:1] }
plot $calls using 1:2:1:3:($2-0.35):($2+0.35):($2 == 0 ? 0x0072b2 : 0xe69f00) with boxxyerror lc rgb variable notitle, \
     NaN notitle
