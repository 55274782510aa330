# SPDX-License-Identifier: BSD-3-Clause
# firma comm: time of collectives over the size of messages, one panel for each operation.
#   $panels   first and last series, operation
#   $series   0, title
#   $points   a block for each series: bytes, time, lower and upper end
first(panel) = int(number($panels[panel], 1))
last(panel) = int(number($panels[panel], 2))
n = |$panels|
columns = n < 2 ? n : 2
rows = (n + columns - 1) / columns
eval terminal(750 * columns, 360 * rows)
set logscale xy
set format x '%.0s %cB'
set format y '%.0s %cs'
set xlabel 'message'
set ylabel 'time'
set grid lc rgb '#dddddd'
set key outside right top
set multiplot layout rows,columns
do for [panel=1:n] {
    set title behind(behind($panels[panel]))
    plot for [i=first(panel):last(panel)] $points index i-1 using 1:2:3:4 with yerrorbars lc i-first(panel)+1 pt 7 ps 0.5 title behind($series[i]), \
         for [i=first(panel):last(panel)] $points index i-1 using 1:2 with lines lc i-first(panel)+1 dt 3 notitle
}
unset multiplot
