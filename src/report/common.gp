# SPDX-License-Identifier: BSD-3-Clause
# What all pictures share. The picture's data come before this text, its own commands after it.
terminal(width, height) = sprintf("set terminal svg standalone size %d,%d dynamic noenhanced background rgb 'white' font 'sans-serif,12'", width, height)
# A line of a data block holds numbers, then a text that may contain blanks. behind() removes the
# first word.
number(line, i) = real(word(line, i))
behind(line) = line[strstrt(line, ' ') + 1:]
set encoding utf8
# The colours of report/palette.css: of activities, and of what isn't one.
computation = '#0072b2'
transfer = '#e69f00'
waiting = '#d55e00'
other = '#b3b3b3'
array series[8] = ['#009e73', '#cc79a7', '#56b4e9', '#c9bb00', '#1a1a1a', '#0072b2', '#e69f00', '#d55e00']
do for [i=1:8] { set linetype i lc rgb series[i] }
set linetype cycle 8
set style line 100 lc rgb '#888888' lw 0.7
set border ls 100
set tics nomirror out textcolor rgb 'black'
set style fill solid noborder
