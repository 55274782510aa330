# SPDX-License-Identifier: BSD-3-Clause
# firma show of a trace: where the time of each process goes, one bar above the other.
#   name       of the application
#   has_waits  whether waiting is told from transfer
#   $times     process, seconds of computation, of transfer, of waiting, of the rest
n = |$times|
eval terminal(n <= 64 ? 760 : 1100, 460)
set title name.': where the time of each process goes' font ',14'
set xlabel 'process'
set ylabel 'time'
set format y '%.1s %cs'
set yrange [0:*]
set xrange [-0.6:n-0.4]
set key outside right top Left reverse samplen 1 invert
set style data boxes
set boxwidth n <= 200 ? 0.8 : 1
if (n <= 24) { set xtics 1 }
plot $times using 1:($2+$3+$4+$5) lc rgb other title 'other', \
     for [i=1:has_waits] $times using 1:($2+$3+$4) lc rgb waiting title 'waiting', \
     $times using 1:($2+$3) lc rgb transfer title (has_waits ? 'transfer' : 'MPI'), \
     $times using 1:2 lc rgb computation title 'computation'
