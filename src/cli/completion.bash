# SPDX-License-Identifier: BSD-3-Clause
# The part of the completion that is the same for any program. It needs nothing but bash. The functions _firma_words,
# _firma_options, _firma_files_of and _firma_values before it are printed from the table of verbs (completion.c).

# Files with one of these extensions, and directories. "/": directories alone; "*": all files.
_firma_offer_files()
{
    local extension extensions IFS=$' \n'
    read -ra extensions <<<"$1"
    IFS=$'\n'
    compopt -o filenames 2>/dev/null
    if [[ $1 == '*' ]]; then
        COMPREPLY+=($(compgen -f -- "$cur"))
        return
    fi
    COMPREPLY+=($(compgen -d -- "$cur"))
    for extension in "${extensions[@]}"; do
        [[ $extension == / ]] || COMPREPLY+=($(compgen -f -X "!*.$extension" -- "$cur"))
    done
}

# Words of the line from $1 on are a launcher's command line.
_firma_offer_launcher()
{
    local function
    for function in _comp_command_offset _command_offset; do
        if declare -F $function >/dev/null; then
            $function "$1"
            return
        fi
    done
    if ((COMP_CWORD == $1)); then
        COMPREPLY=($(compgen -c -- "$cur"))
    else
        _firma_offer_files '*'
    fi
}

# The line up to the cursor as firma takes it apart: bash splits words at = and : too. Sets line and cur.
_firma_read_line()
{
    local i word joins=
    line=() cur=
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == = ]]; then
            word= joins=
            ((i < COMP_CWORD)) && continue
        fi
        if [[ $word == :* || $joins ]] && ((${#line[@]})); then
            line[${#line[@]} - 1]+=$word
        else
            line+=("$word")
        fi
        joins=
        [[ $word == *: ]] && joins=1
    done
    cur=${line[${#line[@]} - 1]}
}

# What follows the option that stands before the cursor.
_firma_offer_values()
{
    local before=${cur%"${cur##*,}"} colons
    [[ $names ]] && COMPREPLY=($(compgen -W "$names" -- "$cur"))
    [[ $list ]] && COMPREPLY=($(compgen -P "$before" -W "$list" -- "${cur##*,}"))
    [[ $files ]] && _firma_offer_files "$files"
    if [[ $list && $cur == *:* ]]; then
        colons=${cur%"${cur##*:}"}
        COMPREPLY=("${COMPREPLY[@]#"$colons"}")
    fi
}

_firma()
{
    local i word verb= helps= has_operand= needs_value= line cur words options names list files
    COMPREPLY=()
    _firma_read_line
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            _firma_offer_launcher $((i + 1))
            return
        fi
    done
    for ((i = 0; i < ${#line[@]} - 1; i++)); do
        word=${line[i]}
        _firma_words "$verb"
        if [[ $needs_value ]]; then
            needs_value=
        elif [[ $word == -* ]]; then
            _firma_values "$verb" "$word" && needs_value=1
        elif [[ ! $verb && ! $helps && $word == help ]]; then
            helps=1
        elif [[ ! $has_operand && " $words " == *" $word "* ]]; then
            verb+=${verb:+ }$word
        else
            has_operand=1
        fi
    done

    if [[ $needs_value ]]; then
        _firma_offer_values
    elif [[ $cur == -* ]]; then
        _firma_options "$verb"
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
        [[ ${COMPREPLY-} == *= ]] && compopt -o nospace 2>/dev/null
    else
        _firma_words "$verb"
        [[ $helps && ! $verb ]] && words=${words% help}
        [[ $has_operand ]] || COMPREPLY=($(compgen -W "$words" -- "$cur"))
        _firma_files_of "$verb"
        [[ $helps || ! $files ]] || _firma_offer_files "$files"
    fi
}
complete -F _firma firma
