# SPDX-License-Identifier: BSD-3-Clause
# firma scale runs: time, speedup or efficiency (picture) over processes. Each problem size is a colour: its measured
# points with intervals, and its best law as a line, dashed beyond the measured points. A band shows
# the range of all plausible laws.
#   $sizes   p·T(p) at the fewest processes, largest p that was run, whether there is a law, title
#   $points, $laws   a block for each size: p, time, lower and upper end
base(i) = number($sizes[i], 1)
last(i) = number($sizes[i], 2)
has_law(i) = number($sizes[i], 3) > 0
title_of(i) = behind(behind(behind($sizes[i])))
ordinate(time, p, i) = picture eq 'time' ? time : base(i) / time / (picture eq 'efficiency' ? p : 1)
# Points that aren't drawn have no value, because gnuplot's axes would include them otherwise.
ideal(p) = picture eq 'speedup' ? p : picture eq 'efficiency' ? 1 : NaN
amdahl(p) = picture eq 'speedup' && bound > 0 ? bound : NaN
limit(p) = picture eq 'efficiency' ? kept : NaN
measured = ': as measured (95 % interval of the median), and by the best law (band: all plausible laws)'
n = |$sizes|
eval terminal(900, 600)
set logscale x 2
if (picture eq 'time') { set logscale y; set format y '%.0s %cs'; set title 'Time'.measured }
if (picture eq 'speedup') { set logscale y 2; set title 'Speedup'.measured }
if (picture eq 'efficiency') { set yrange [0:*]; set title 'Efficiency'.measured }
set autoscale xfix
set autoscale noextend
set offsets graph 0.02, graph 0.02, graph 0.02, graph 0.02
set xlabel 'processes'
set ylabel picture
set grid lc rgb '#dddddd'
set key outside right top
plot for [i=1:n] $laws index i-1 using 1:(ordinate($3, $1, i)):(ordinate($4, $1, i)) with filledcurves fc lt i fs transparent solid 0.15 notitle, \
     for [i=1:n] $laws index i-1 using ($1 <= last(i) ? $1 : NaN):(ordinate($2, $1, i)) with lines lc i lw 1.5 title has_law(i) ? title_of(i) : '', \
     for [i=1:n] $laws index i-1 using ($1 >= last(i) ? $1 : NaN):(ordinate($2, $1, i)) with lines lc i dt 2 notitle, \
     for [i=1:n] $points index i-1 using 1:(ordinate($2, $1, i)):(ordinate($3, $1, i)):(ordinate($4, $1, i)) with yerrorbars lc i pt 7 ps 0.6 title has_law(i) ? '' : title_of(i), \
     for [i=1:picture ne 'time'] ideal(x) with lines lc rgb '#888888' dt 4 title 'ideal', \
     for [i=1:picture eq 'speedup' && bound > 0] amdahl(x) with lines lc rgb '#bb4444' dt 3 title sprintf('Amdahl: 1/s = %.3g', bound), \
     for [i=1:picture eq 'efficiency'] limit(x) with lines lc rgb '#bb4444' dt 3 title sprintf('efficiency %.3g', kept)
