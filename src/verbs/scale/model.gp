# SPDX-License-Identifier: BSD-3-Clause
# firma scale model: a line for each formula and size, over processes.
#   picture, label   its kind, and the name of the y axis
#   $titles          numbers and titles of the lines
#   $curves          a block for each line: p, value
ideal(p) = picture eq 'speedup' ? p : picture eq 'efficiency' ? 1 : NaN
eval terminal(900, 600)
set logscale x 2
if (picture eq 'efficiency') { set yrange [0:*] } else { set logscale y }
set xlabel 'p'
set ylabel label
set key outside right
set grid
plot for [i=1:|$titles|] $curves index i-1 using 1:2 with lines lw 1.5 title behind($titles[i]), \
     for [i=1:picture eq 'speedup' || picture eq 'efficiency'] ideal(x) with lines lc rgb '#888888' dt 4 title 'ideal'
