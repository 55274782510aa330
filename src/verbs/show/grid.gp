# SPDX-License-Identifier: BSD-3-Clause
# firma show --ticks and --phase: processes × ticks. Sends, receives and collectives have
# colours, and types as labels if there is room. Arrows lead from sends to receives. At the right
# there may be a bar for each process. One unit of the x axis is a pixel, so that columns are as
# wide as their labels.
#   name                        of the picture
#   cells_width, cells_height   in pixels
#   first_row, last_row         processes
#   is_labelled                 whether boxes have types as labels
#   families                    kinds of events that occur
#   bars_title                  of the bars
#   $ticks, $times              place, number; of ticks, below, and of logical times, above
#   $boxes                      a part for each family: middle, process, half-width, half-height, type
#   $arrows                     from, process, distance, distance in processes
#   $bars                       process, seconds
left = 80.0
bottom = 64.0
bars = 240.0
has_bars = |$bars| > 0
has_times = |$times| > 0
top = has_times ? 84.0 : 62.0
n = last_row - first_row + 1
width = left + cells_width + 30 + (has_bars ? bars + 60 : 0)
height = top + cells_height + bottom
# Pale, under the labels: the colours that occurrences in time have.
color(family) = family eq 'send' ? '#99d8c7' : family eq 'receive' ? '#f5d999' : family eq 'collective' ? '#ebc9dc' : '#e9e399'
if (has_bars) { stats $bars using 2 name 'SECONDS' nooutput }
step = 1
while (step * cells_height / n < 13) { step = step * 2 }
eval terminal(width, height)
if (has_bars) { set multiplot }
set lmargin at screen left / width
set rmargin at screen (left + cells_width) / width
set tmargin at screen 1 - top / height
set bmargin at screen bottom / height
set label 1 name at screen left / width, screen 1 - 16 / height font ',14'
set key at screen left / width, screen 1 - 26 / height left top horizontal Left reverse samplen 1 font ',11'
set xrange [0:cells_width]
set x2range [0:cells_width]
set yrange [last_row+0.5:first_row-0.5]
set xlabel 'tick' offset 0,0.4
set ylabel 'process'
set xtics () font ',10' offset 0,0.4 scale 0.4
do for [i=1:|$ticks|] { set xtics add (behind($ticks[i]) number($ticks[i], 1)) }
set ytics first_row,step,last_row font ',10' scale 0.4
set format y '%.0f'
if (has_times) {
    set label 2 'LT' at screen (left - 8) / width, screen 1 - (top - 18) / height right font ',10'
    set x2tics () font ',10' offset 0,-0.4 scale 0.4
    do for [i=1:|$times|] { set x2tics add (behind($times[i]) number($times[i], 1)) }
}
plot for [i=1:words(families)] $boxes index i-1 using 1:2:3:4 with boxxyerror lc rgb color(word(families, i)) title word(families, i), \
     $arrows using 1:2:3:4 with vectors head size 5,20 filled lw 0.6 lc rgb '#777777' notitle, \
     for [i=1:is_labelled * words(families)] $boxes index i-1 using 1:2:5 with labels font ',10' notitle, \
     NaN axes x2y1 notitle
if (has_bars) {
    most = SECONDS_max > 0 ? SECONDS_max : 1.0
    set lmargin at screen (left + cells_width + 60) / width
    set rmargin at screen (left + cells_width + 60 + bars) / width
    unset label
    unset x2tics
    unset key
    unset ylabel
    set xlabel bars_title
    set xrange [0:1.05*most]
    set yrange [last_row+0.5:first_row-0.5]
    set xtics autofreq most/2 format '%.1s %cs'
    plot $bars using ($2/2):1:($2/2):(n > 200 ? 0.5 : 0.4) with boxxyerror lc rgb series[3]
    unset multiplot
}
