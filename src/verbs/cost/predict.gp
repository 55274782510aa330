# SPDX-License-Identifier: BSD-3-Clause
# firma cost predict: intervals of the run time on each choice of machines, as in figures 5 to 7 of the
# paper, and the times of real runs.
#   name, has_runs
#   $machines    number from 0 on, choice of machines
#   $predicted   number, middle, least and largest time
#   $measured    number, time
n = |$machines|
eval terminal(900, 560)
set title name
set xlabel 'machines'
set ylabel 'time (s)'
set yrange [0:*]
set xrange [-0.5:n-0.5]
set grid y lc rgb '#dddddd'
set xtics ()
do for [i=1:n] { set xtics add (behind($machines[i]) i-1) }
if (n > 8) { set xtics rotate by -40 }
plot $predicted using 1:2:3:4 with yerrorbars lc 1 lw 2 pt 2 ps 0.6 title 'predicted', \
     for [i=1:has_runs] $measured using ($1 + 0.12):2 with points lc 2 pt 7 ps 0.6 title 'measured'
