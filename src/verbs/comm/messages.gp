# SPDX-License-Identifier: BSD-3-Clause
# firma comm: time or bandwidth of messages over their size: measured points with the interval of
# the median, and the fitted line. Without a fit, dotted lines connect the points.
#   is_bandwidth
#   $series   dash type of the line, title
#   $points   a block for each series: bytes, time, lower and upper end
#   $lines    a block for each series: bytes, time
ordinate(bytes, time) = is_bandwidth ? bytes / time : time
dash(i) = int(number($series[i], 1))
eval terminal(1000, 640)
set logscale xy
set format x '%.0s %cB'
set format y is_bandwidth ? '%.0s %cB/s' : '%.0s %cs'
set xlabel 'message'
set ylabel is_bandwidth ? 'bandwidth' : 'time'
set grid lc rgb '#dddddd'
set key outside right top
set title 'Messages, one way: '.(is_bandwidth ? 'bandwidth' : 'time').' as measured (95 % interval of the median) and fitted'
plot for [i=1:|$series|] $points index i-1 using 1:(ordinate($1, $2)):(ordinate($1, $3)):(ordinate($1, $4)) with yerrorbars lc i pt 7 ps 0.5 title behind($series[i]), \
     for [i=1:|$series|] $lines index i-1 using 1:(ordinate($1, $2)) with lines lc i dt dash(i) notitle
