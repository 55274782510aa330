# SPDX-License-Identifier: BSD-3-Clause
# firma simulate --sweep: the predicted time over the factor of the first parameter, with a line for each combination of
# the others.
#   parameter   name of the first parameter
#   $titles     numbers and titles of the lines
#   $times      a block for each line: factor, time
eval terminal(900, 600)
set title 'Predicted time with another '.parameter
set logscale x 2
set autoscale xfix
set offsets graph 0.02, graph 0.02, 0, 0
set yrange [0:*]
set xlabel parameter.', as a multiple of the platform''s'
set ylabel 'predicted time'
set format y '%.1s %cs'
set key outside right
set grid lc rgb '#dddddd'
plot for [i=1:|$titles|] $times index i-1 using 1:2 with linespoints lw 1.5 pt 7 ps 0.5 title behind($titles[i])
