# SPDX-License-Identifier: BSD-3-Clause
# Predicted against actual run times, with 95 % intervals: `make docs/accuracy.svg` draws docs/accuracy.csv, which
# bench/accuracy.py --csv wrote.
set terminal svg standalone size 760,430 dynamic noenhanced background rgb 'white' font 'sans-serif,13'
set datafile separator ','
set encoding utf8
set border 3 lc rgb '#888888'
set tics nomirror out textcolor rgb 'black'
set grid lc rgb '#e4e4e4'
set xlabel 'actual run time, in seconds'
set ylabel 'predicted run time, in seconds'
set key left top Left reverse samplen 1.5

csv = 'docs/accuracy.csv'
stats csv using 3:6 every ::1 nooutput
set xrange [0:1.08 * STATS_max_x]
set yrange [0:1.05 * STATS_max_y]

# The rows of one configuration; the others' rows draw nothing.
of(name, value) = strcol(2) eq name ? value : NaN
alone = 'one rank a core'
shared = 'two ranks a core'

plot x with lines lc rgb '#888888' dt 2 title 'predicted = actual', \
     csv every ::1 using (of(alone, $3)):4:5:6 with yerrorbars pt 7 ps 0.6 lw 1.4 lc rgb '#2166ac' \
         title 'one rank a core, as in the traced run', \
     csv every ::1 using (of(shared, $3)):4:5:6 with yerrorbars pt 5 ps 0.6 lw 1.4 lc rgb '#d6604d' \
         title 'two ranks a core'
