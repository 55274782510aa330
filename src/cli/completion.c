/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the bash completion from the option tables. It completes verbs, their options, and values
 * of options: names, directories (DIR), or files. After "--" it completes the launcher's own
 * command line. */
#include "cli/option_values.h"
#include "cli/verbs.h"

#include <errno.h>
#include <string.h>

static void print_verbs(const VerbTable *table, FILE *script)
{
    for (size_t i = 0; i < table->count; i++)
        fprintf(script, "%s%s", i ? " " : "", verb_last_name(table->verbs[i]));
}

static void print_option_words(const Verb *verb, FILE *script)
{
    const struct poptOption *options[OPTION_LIMIT];
    size_t count = verb_options(verb, options);
    for (size_t i = 0; i < count; i++) {
        if (options[i]->longName)
            fprintf(script, "%s--%s%s", i ? " " : "", options[i]->longName, option_takes_value(options[i]) ? "=" : "");
        if (options[i]->shortName)
            fprintf(script, "%s-%c", i || options[i]->longName ? " " : "", options[i]->shortName);
    }
}

/* Prints the verb's name as a shell pattern, with its blank escaped. */
static void print_name(const Verb *verb, FILE *script)
{
    const char *word = verb_last_name(verb);
    fprintf(script, "%.*s%s%s", (int)(word > verb->name ? word - verb->name - 1 : 0), verb->name,
            word > verb->name ? "\\ " : "", word);
}

/* Prints the case "trace:--mpi | trace:-m" of an option that takes a value. */
static void print_value_case(const Verb *verb, const struct poptOption *option, FILE *script)
{
    const char *value = option->argDescrip ? option->argDescrip : "";
    fprintf(script, "    ");
    if (option->longName) {
        print_name(verb, script);
        fprintf(script, ":--%s%s", option->longName, option->shortName ? " | " : "");
    }
    if (option->shortName) {
        print_name(verb, script);
        fprintf(script, ":-%c", option->shortName);
    }
    fputs(")\n        ", script);
    if (option_name_at(option, 0)) {
        fputs("COMPREPLY=($(compgen -W '", script);
        for (size_t i = 0; option_name_at(option, i); i++)
            fprintf(script, "%s%s", i ? " " : "", option_name_at(option, i));
        fputs("' -- \"$cur\"))", script);
    } else {
        fputs(strcmp(value, "DIR") == 0 ? "_filedir -d" : "_filedir", script);
    }
    fputs("\n        return\n        ;;\n", script);
}

static void print_value_cases(const VerbTable *table, FILE *script)
{
    for (size_t v = 0; v < table->count; v++) {
        const struct poptOption *options[OPTION_LIMIT];
        size_t count = verb_options(table->verbs[v], options);
        for (size_t i = 0; i < count; i++) {
            if (option_takes_value(options[i]))
                print_value_case(table->verbs[v], options[i], script);
        }
        print_value_cases(&table->verbs[v]->words, script);
    }
}

static void print_option_cases(const VerbTable *table, FILE *script)
{
    for (size_t v = 0; v < table->count; v++) {
        fputs("    ", script);
        print_name(table->verbs[v], script);
        fputs(") COMPREPLY=($(compgen -W '", script);
        print_option_words(table->verbs[v], script);
        fputs("' -- \"$cur\")) ;;\n", script);
        print_option_cases(&table->verbs[v]->words, script);
    }
}

/* Completes the words that follow a verb, and files if the verb has a default word. A word extends
 * the verb's name. */
static void print_words(const VerbTable *table, FILE *script)
{
    for (size_t v = 0; v < table->count; v++) {
        const Verb *verb = table->verbs[v];
        if (!verb->words.count)
            continue;
        fprintf(script, "    %s)\n        local names='", verb->name);
        print_verbs(&verb->words, script);
        fprintf(script,
                "'\n"
                "        if ((cword == at)) && [[ $cur != -* ]]; then\n"
                "            %sCOMPREPLY%s=($(compgen -W \"$names\" -- \"$cur\"))\n"
                "            return\n"
                "        fi\n"
                "        if [[ \" $names \" == *\" ${words[at]} \"* ]]; then\n"
                "            verb+=\" ${words[at]}\"\n"
                "        else\n"
                "            verb='%s'\n"
                "        fi\n"
                "        ;;\n",
                verb->default_word ? "_filedir; " : "", verb->default_word ? "+" : "",
                verb->default_word ? verb->default_word->name : verb->name);
    }
}

static void print_script(const VerbTable *table, FILE *script)
{
    fputs("# bash completion for firma; generated from its option tables\n"
          "_firma()\n{\n"
          "    local cur prev words cword split\n"
          "    _init_completion -s || return\n\n"
          "    local i at=2 verb=${words[1]}\n"
          "    if [[ $verb == help ]]; then\n"
          "        at=3 verb=${words[2]}\n"
          "    fi\n"
          "    if ((cword < at)); then\n"
          "        COMPREPLY=($(compgen -W '",
          script);
    print_verbs(table, script);
    fputs(" help --help --version' -- \"$cur\"))\n        return\n    fi\n"
          "    for ((i = 2; i < cword; i++)); do\n"
          "        if [[ ${words[i]} == -- ]]; then\n"
          "            _command_offset $((i + 1))\n"
          "            return\n"
          "        fi\n"
          "    done\n\n"
          "    case $verb in\n",
          script);
    print_words(table, script);
    fputs("    esac\n    case $verb:$prev in\n", script);
    print_value_cases(table, script);
    fputs("    esac\n    $split && return\n\n"
          "    if [[ $cur != -* ]]; then\n        _filedir\n        return\n    fi\n"
          "    case $verb in\n",
          script);
    print_option_cases(table, script);
    fputs("    esac\n"
          "    [[ ${COMPREPLY-} == *= ]] && compopt -o nospace\n"
          "} &&\n    complete -F _firma firma\n",
          script);
}

bool completion_write(const VerbTable *table, const char *path, Err *err)
{
    FILE *script = fopen(path, "w");
    if (!script)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    print_script(table, script);
    bool failed = ferror(script);
    failed |= fclose(script) != 0;
    return !failed || err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
}
