# SPDX-License-Identifier: BSD-3-Clause
# firma scale runs: the problem size that keeps the efficiency (kept), over processes.
#   $sizes   p, size, lower and upper end of the size
eval terminal(900, 600)
set logscale x 2
set logscale y
set autoscale xfix
set autoscale noextend
set offsets graph 0.02, graph 0.02, graph 0.02, graph 0.02
set xlabel 'processes'
set ylabel 'n'
set title 'Isoefficiency: the size that keeps the efficiency'
set grid lc rgb '#dddddd'
set key outside right top
plot $sizes using 1:2:3:4 with yerrorbars lc 1 pt 7 ps 0.6 notitle, \
     $sizes using 1:2 with lines lc 1 title sprintf('efficiency %.3g', kept)
