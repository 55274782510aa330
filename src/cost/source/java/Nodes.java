/* SPDX-License-Identifier: BSD-3-Clause */
/* The program for firma: expressions, statements, variables and functions. See
 * cost/source/program/program.h. */

import java.util.ArrayList;
import java.util.List;
import javax.lang.model.type.TypeMirror;

/** A place in the source, and its text, shortened to one line. */
record Place(String file, long line, long column, String text) {
}

/** A variable; `number` is its index in the program's list. */
record Variable(int number, String name, String type, boolean isParameter, boolean isGlobal, boolean isConstant,
    double value) {
}

final class Expression {
    final String kind;
    final Place place;
    TypeMirror type; // Java's type
    String machineType; // the type of costs: "int32", "double", "reference", …
    String operator;
    String name;
    String targets; // of a call: methods that may run, separated by |; null: the one that `name` names
    double value = Double.NaN;
    long bytes; // of an allocation: of each element, or of the object; 0: not counted
    Variable variable;
    List<Expression> operands = List.of();

    Expression(String kind, Place place, TypeMirror type) {
        this.kind = kind;
        this.place = place;
        this.type = type;
    }

    Expression with(Expression... operands) {
        this.operands = List.of(operands);
        return this;
    }
}

final class Statement {
    final String kind;
    final Place place;
    String text; // description of something that isn't understood
    Variable variable;
    boolean isRule; // a case with an arrow, which never falls through
    List<Expression> expressions = new ArrayList<>(); // null: an absent part of a loop
    List<Statement> children = new ArrayList<>(); // null: no else, no initialisation

    Statement(String kind, Place place) {
        this.kind = kind;
        this.place = place;
    }

    Statement with(Expression expression) {
        expressions.add(expression);
        return this;
    }

    Statement with(Statement child) {
        children.add(child);
        return this;
    }
}

record Function(String name, Place place, boolean returnsValue, String returnType, List<Variable> parameters,
    Statement body) {
}

/** The source can't be read; the message is for people. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;
    static final int BUG = -1; // instead of a number of errors: the fault isn't in the source
    final transient Place place; // null: the whole source
    final int others; // number of errors that aren't shown

    Failure(Place place, String message, int others) {
        super(message, null, false, false);
        this.place = place;
        this.others = others;
    }
}
