# SPDX-License-Identifier: BSD-3-Clause
# firma show --occurrence: what each process does in one occurrence of a phase, one lane for each process.
#   name      of the picture
#   $lanes    number, process
#   $computation, $sends, $receives, $collectives, $others   begin, end, lane; the first row draws nothing
#   $arrows   of messages: from, lane, to minus from, lane minus lane
n = |$lanes|
eval terminal(1100, 150 + (n <= 16 ? 34 : n <= 48 ? 18 : 8) * n)
set title name font ',14'
set xlabel 'since the beginning of the occurrence'
set format x '%.3s %cs'
set ylabel 'process'
set yrange [n+0.5:0.5]
set autoscale xfix
set rmargin 8
set key outside bottom center horizontal maxrows 1 samplen 1 spacing 1
set ytics ()
step = ceil(n / 32.0)
do for [i=1:n:step] { set ytics add (behind($lanes[i]) i) }
plot $computation using 1:3:1:2:($3-0.35):($3+0.35) with boxxyerror lc rgb computation title 'computation', \
     $sends using 1:3:1:2:($3-0.35):($3+0.35) with boxxyerror lc rgb series[1] title 'send', \
     $receives using 1:3:1:2:($3-0.35):($3+0.35) with boxxyerror lc rgb transfer title 'receive', \
     $collectives using 1:3:1:2:($3-0.35):($3+0.35) with boxxyerror lc rgb series[2] title 'collective', \
     $others using 1:3:1:2:($3-0.35):($3+0.35) with boxxyerror lc rgb series[4] title 'one-sided', \
     $arrows using 1:2:3:4 with vectors head size screen 0.006,15 lc rgb '#444444' lw 0.7 title 'message'
