# SPDX-License-Identifier: BSD-3-Clause
# What all pictures share. The picture's data come before this text, its own commands after it.
terminal(width, height) = sprintf("set terminal svg standalone size %d,%d dynamic noenhanced background rgb 'white' font 'sans-serif,12'", width, height)
# A line of a data block holds numbers, then a text that may contain blanks. behind() removes the
# first word.
number(line, i) = real(word(line, i))
behind(line) = line[strstrt(line, ' ') + 1:]
set encoding utf8
set style line 100 lc rgb '#888888' lw 0.7
set border ls 100
set tics nomirror out textcolor rgb 'black'
set style fill solid noborder
