# SPDX-License-Identifier: BSD-3-Clause
# firma show --matrix: what each process, or block of processes, sends to each. Also tasks of firma
# graph.
#   name              of the application
#   one, several      "process", "processes"
#   are_messages      instead of bytes
#   n, block          processes, in all and in a block
#   least, most       decades that hold all values
#   $cells            receiver, sender, value
what = are_messages ? 'messages' : 'bytes'
eval terminal(760, 660)
set title name.': '.what.' between '.(block == 1 ? several : sprintf('blocks of %d %s', block, several)) font ',14'
set size ratio 1
set xlabel 'to '.one
set ylabel 'from '.one
set logscale cb
set format cb are_messages ? '%.0s%c' : '%.0s %cB'
set palette defined (0 '#e5f1f8', 0.5 '#56b4e9', 0.8 '#0072b2', 1 '#00263c')
set xrange [-0.5:n-0.5]
set yrange [n-0.5:-0.5]
set cbrange [least:most]
if (n <= 24) { set xtics 1; set ytics 1 }
plot $cells using 1:2:(block/2.0):(block/2.0):3 with boxxyerror lc palette notitle
