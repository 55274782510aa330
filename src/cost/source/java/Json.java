/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a program as JSON, for src/cost/source/java/read.c. Empty members are omitted. Numbers are
 * strings, because JSON has no infinity. */

import java.util.List;
import java.util.Map;

final class Json {
    /* Jansson's limit is 2048 nested objects and arrays. */
    private static final int DEPTH_LIMIT = 2000;

    private final StringBuilder text = new StringBuilder();
    private int depth;

    static String error(Failure failure) {
        Json json = new Json();
        json.begin().string("format", "firma java source").plain("version", 1).open("error", '{');
        if (failure.place != null)
            json.string("file", failure.place.file()).place(failure.place);
        json.string("message", failure.getMessage()).flag("bug", failure.others == Failure.BUG);
        json.plain("others", Math.max(failure.others, 0)).close('}').close('}');
        return json.text.append('\n').toString();
    }

    static String program(List<Variable> variables, List<Function> functions, Map<Place, List<String>> notes) {
        Json json = new Json();
        json.begin().string("format", "firma java source").plain("version", 1).open("variables", '[');
        variables.forEach(json::variable);
        json.close(']').open("functions", '[');
        functions.forEach(json::function);
        json.close(']').open("notes", '[');
        notes.forEach((place, messages) -> messages.forEach(message -> json.note(place, message)));
        json.close(']').close('}');
        return json.text.append('\n').toString();
    }

    private void variable(Variable variable) {
        begin().string("name", variable.name()).string("type", variable.type());
        flag("parameter", variable.isParameter()).flag("global", variable.isGlobal());
        flag("constant", variable.isConstant());
        if (!Double.isNaN(variable.value()))
            string("value", Double.toString(variable.value()));
        close('}').line();
    }

    private void note(Place place, String message) {
        begin().string("file", place.file()).place(place).string("message", message).close('}').line();
    }

    private void function(Function function) {
        begin().string("name", function.name()).string("file", function.place().file()).place(function.place());
        flag("returns", function.returnsValue()).string("type", function.returnType()).open("parameters", '[');
        function.parameters().forEach(variable -> item().append(variable.number()));
        close(']').line().key("body");
        statement(function.body());
        close('}').line();
    }

    private void statement(Statement statement) {
        if (statement == null) {
            item().append("null");
            return;
        }
        begin().string("kind", statement.kind).place(statement.place).string("text", statement.text);
        use(statement.variable).flag("rule", statement.isRule);
        if (!statement.expressions.isEmpty())
            expressions("expressions", statement.expressions, statement.place);
        if (!statement.children.isEmpty()) {
            check(statement.place).line().open("children", '[');
            statement.children.forEach(this::statement);
            close(']');
        }
        close('}');
    }

    private void expressions(String key, List<Expression> list, Place place) {
        check(place).open(key, '[');
        list.forEach(this::expression);
        close(']');
    }

    private void expression(Expression expression) {
        if (expression == null) {
            item().append("null");
            return;
        }
        begin().string("kind", expression.kind).string("type", expression.machineType).place(expression.place);
        string("text", expression.place.text()).string("operator", expression.operator);
        string("name", expression.name).string("targets", expression.targets).use(expression.variable);
        if (!Double.isNaN(expression.value) || expression.kind.equals("number"))
            string("value", Double.toString(expression.value));
        if (expression.bytes > 0)
            plain("bytes", expression.bytes);
        if (!expression.operands.isEmpty())
            expressions("operands", expression.operands, expression.place);
        close('}');
    }

    private Json use(Variable variable) {
        return variable == null ? this : plain("variable", variable.number());
    }

    private Json place(Place place) {
        return plain("line", place.line()).plain("column", place.column());
    }

    private Json check(Place place) {
        if (depth > DEPTH_LIMIT)
            throw Program.tooDeep(place);
        return this;
    }

    private Json flag(String key, boolean value) {
        return value ? key(key).add("true") : this;
    }

    private Json plain(String key, long value) {
        return key(key).add(Long.toString(value));
    }

    private Json string(String key, String value) {
        return value == null ? this : key(key).quoted(value);
    }

    private Json open(String key, char bracket) {
        depth++;
        return key(key).add(String.valueOf(bracket));
    }

    private Json close(char bracket) {
        depth--;
        text.append(bracket);
        return this;
    }

    private Json begin() {
        depth++;
        item().append('{');
        return this;
    }

    private Json line() {
        text.append('\n');
        return this;
    }

    private Json key(String key) {
        item();
        return quoted(key).add(":");
    }

    private Json add(String word) {
        text.append(word);
        return this;
    }

    /* Adds a comma, except behind an opening bracket. */
    private StringBuilder item() {
        int last = text.length() - 1;
        while (last >= 0 && text.charAt(last) == '\n')
            last--;
        return last < 0 || "{[:".indexOf(text.charAt(last)) >= 0 ? text : text.append(',');
    }

    private Json quoted(String value) {
        text.append('"');
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                text.append(String.format("\\u%04x", (int) (c < ' ' ? c : '?')));
            } else {
                text.append(c);
            }
        }
        text.append('"');
        return this;
    }
}
