/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements. Exceptions are assumed not to be thrown by calls; code behind a `throw` isn't
 * reached. Notes name the blocks that aren't counted. A jump out of several loops isn't possible in
 * firma's programs: it is listed as not understood, and ends the innermost loop. */

import com.sun.source.tree.*;
import com.sun.source.util.SimpleTreeVisitor;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

final class Statements extends SimpleTreeVisitor<Statement, Void> {
    private final Program program;

    Statements(Program program) {
        this.program = program;
    }

    Statement make(String kind, Tree tree) {
        return new Statement(kind, program.trees.place(program.functions.unit(), tree));
    }

    Statement of(Tree tree, Expression expression) {
        return make("expression", tree).with(expression);
    }

    Statement read(StatementTree tree) {
        return visit(tree, null);
    }

    /** Adds a statement. A declaration may become several statements, a class none. */
    void add(StatementTree tree, List<Statement> statements) {
        if (tree instanceof VariableTree variable) {
            declare(variable, statements);
        } else if (tree instanceof ClassTree type) {
            program.functions.readInnerClass(type);
        } else if (!(tree instanceof EmptyStatementTree)) {
            statements.add(read(tree));
        }
    }

    @Override
    protected Statement defaultAction(Tree tree, Void none) {
        Statement statement = make("not understood", tree);
        statement.text = tree.getKind().name().toLowerCase().replace('_', ' ');
        return statement;
    }

    @Override
    public Statement visitEmptyStatement(EmptyStatementTree tree, Void none) {
        return make("block", tree);
    }

    @Override
    public Statement visitBlock(BlockTree tree, Void none) {
        Statement block = make("block", tree);
        program.functions.frame().label = null;
        tree.getStatements().forEach(statement -> add(statement, block.children));
        return block;
    }

    @Override
    public Statement visitExpressionStatement(ExpressionStatementTree tree, Void none) {
        Expression value = program.expressions.read(tree.getExpression());
        program.types.settle(value, program.types.voidType);
        return of(tree, value);
    }

    @Override
    public Statement visitVariable(VariableTree tree, Void none) {
        return declarations(tree, List.of(tree));
    }

    @Override
    public Statement visitClass(ClassTree tree, Void none) {
        program.functions.readInnerClass(tree);
        return make("block", tree);
    }

    @Override
    public Statement visitIf(IfTree tree, Void none) {
        Statement statement = make("if", tree).with(condition(tree.getCondition()));
        StatementTree otherwise = tree.getElseStatement();
        statement.with(read(tree.getThenStatement()));
        return statement.with(otherwise == null ? null : read(otherwise));
    }

    @Override
    public Statement visitReturn(ReturnTree tree, Void none) {
        Statement statement = make("return", tree);
        return tree.getExpression() == null ? statement : statement.with(result(tree.getExpression()));
    }

    @Override
    public Statement visitYield(YieldTree tree, Void none) {
        return make("return", tree).with(result(tree.getValue()));
    }

    private Expression result(ExpressionTree tree) {
        Expression value = program.expressions.read(tree);
        TypeMirror type = program.functions.frame().result;
        return type == null ? value : program.types.to(value, type);
    }

    private Expression condition(ExpressionTree tree) {
        return program.types.to(program.expressions.read(tree), program.types.booleanType);
    }

    /* ---- declarations ------------------------------------------------------------------------ */

    private void declare(VariableTree tree, List<Statement> statements) {
        VariableElement element = (VariableElement) program.trees.element(program.functions.unit(), tree);
        ExpressionTree value = tree.getInitializer();
        boolean isList = value instanceof NewArrayTree array && array.getType() == null;
        List<Expression> assignments = new ArrayList<>();
        Expression first = null;
        if (isList) {
            Expression use = program.make("variable", value, element.asType());
            use.variable = program.variable(element);
            first = program.expressions.arrayParts((NewArrayTree) value, element.asType(), use, assignments);
        } else if (value != null) {
            first = program.types.to(program.expressions.read(value), element.asType());
        }
        program.functions.declare(element);
        statements.add(declaration(tree, element, first));
        assignments.forEach(assignment -> statements.add(of(value, assignment)));
    }

    private Statement declaration(Tree tree, VariableElement element, Expression value) {
        Statement statement = make("declare", tree).with(value);
        statement.variable = program.variable(element);
        return statement;
    }

    /* A single declaration is the statement itself, as in the header of a for. */
    private Statement declarations(Tree tree, List<? extends StatementTree> trees) {
        Statement block = make("block", tree);
        trees.forEach(one -> add(one, block.children));
        return block.children.size() == 1 ? block.children.get(0) : block;
    }

    /* ---- loops, and jumps out of them -------------------------------------------------------- */

    private Statement body(StatementTree tree, String label, Target.Kind kind) {
        Frame frame = program.functions.frame();
        frame.targets.push(new Target(label, kind));
        frame.label = null;
        Statement statement = read(tree);
        frame.targets.pop();
        return statement;
    }

    private String takeLabel() {
        Frame frame = program.functions.frame();
        String label = frame.label;
        frame.label = null;
        return label;
    }

    @Override
    public Statement visitForLoop(ForLoopTree tree, Void none) {
        String label = takeLabel();
        Statement statement = make("for", tree);
        List<? extends StatementTree> first = tree.getInitializer();
        boolean declares = !first.isEmpty() && first.get(0) instanceof VariableTree;
        statement.with(first.isEmpty() ? null : declares ? declarations(first.get(0), first)
            : of(first.get(0), joined(first)));
        statement.with(tree.getCondition() == null ? null : condition(tree.getCondition()));
        statement.with(joined(tree.getUpdate()));
        return statement.with(body(tree.getStatement(), label, Target.Kind.LOOP));
    }

    private Expression joined(List<? extends StatementTree> trees) {
        List<Expression> operands = new ArrayList<>();
        for (StatementTree tree : trees)
            operands.add(read(tree).expressions.get(0));
        if (operands.size() < 2)
            return operands.isEmpty() ? null : operands.get(0);
        Expression last = operands.get(operands.size() - 1);
        Expression all = program.make("comma", trees.get(0), last.type);
        all.operands = operands;
        return all;
    }

    @Override
    public Statement visitEnhancedForLoop(EnhancedForLoopTree tree, Void none) {
        String label = takeLabel();
        Expression all = program.expressions.read(tree.getExpression());
        program.types.settle(all, program.types.object);
        VariableElement element = (VariableElement) program.trees.element(program.functions.unit(), tree.getVariable());
        program.functions.declareAssigned(element);
        Statement statement = make("for each", tree).with(all);
        statement.variable = program.variable(element);
        return statement.with(body(tree.getStatement(), label, Target.Kind.LOOP));
    }

    @Override
    public Statement visitWhileLoop(WhileLoopTree tree, Void none) {
        String label = takeLabel();
        Statement statement = make("while", tree).with(condition(tree.getCondition()));
        return statement.with(body(tree.getStatement(), label, Target.Kind.LOOP));
    }

    @Override
    public Statement visitDoWhileLoop(DoWhileLoopTree tree, Void none) {
        String label = takeLabel();
        Statement statement = make("do", tree).with(condition(tree.getCondition()));
        return statement.with(body(tree.getStatement(), label, Target.Kind.LOOP));
    }

    @Override
    public Statement visitLabeledStatement(LabeledStatementTree tree, Void none) {
        String label = tree.getLabel().toString();
        switch (tree.getStatement().getKind()) {
            case FOR_LOOP, ENHANCED_FOR_LOOP, WHILE_LOOP, DO_WHILE_LOOP -> {
                program.functions.frame().label = label;
                return read(tree.getStatement());
            }
            default -> {
                return body(tree.getStatement(), label, Target.Kind.LABELLED);
            }
        }
    }

    @Override
    public Statement visitBreak(BreakTree tree, Void none) {
        return jump(tree, tree.getLabel(), "break");
    }

    @Override
    public Statement visitContinue(ContinueTree tree, Void none) {
        return jump(tree, tree.getLabel(), "continue");
    }

    private Statement jump(Tree tree, CharSequence label, String kind) {
        if (label == null || isInnermost(label.toString(), kind.equals("break")))
            return make(kind, tree);
        Statement statement = make("not understood", tree);
        statement.text = kind + " " + label + ", which leaves more than the innermost loop or block";
        return leavesLoop(label.toString()) ? statement.with(make("break", tree)) : statement;
    }

    /* Whether the jump ends, or continues, the innermost loop or switch. */
    private boolean isInnermost(String label, boolean isBreak) {
        for (Target target : program.functions.frame().targets) {
            if (target.kind() == Target.Kind.LOOP || (isBreak && target.kind() == Target.Kind.SWITCH))
                return label.equals(target.label());
        }
        return false;
    }

    /* Whether there is a loop inside the statement that the jump leaves. */
    private boolean leavesLoop(String label) {
        for (Target target : program.functions.frame().targets) {
            if (label.equals(target.label()))
                return false;
            if (target.kind() == Target.Kind.LOOP)
                return true;
        }
        return false;
    }

    /* ---- switch ------------------------------------------------------------------------------ */

    @Override
    public Statement visitSwitch(SwitchTree tree, Void none) {
        return switchOf(tree, tree.getExpression(), tree.getCases(), false);
    }

    Statement switchOf(Tree tree, ExpressionTree selected, List<? extends CaseTree> cases, boolean returns) {
        Expression selector = program.types.number(program.expressions.read(selected));
        program.types.settle(selector, program.types.intType);
        Statement statement = make("switch", tree).with(selector);
        program.functions.frame().targets.push(new Target(null, Target.Kind.SWITCH));
        cases.forEach(one -> addCase(one, selector.type, returns, statement));
        program.functions.frame().targets.pop();
        return statement;
    }

    /* A case that shares its statements with `default` falls through to it. */
    private void addCase(CaseTree tree, TypeMirror selector, boolean returns, Statement statement) {
        Statement made = make("case", tree);
        addLabels(tree, selector, made.expressions);
        if (!made.expressions.isEmpty() && isDefault(tree)) {
            statement.with(made);
            made = make("case", tree);
        }
        made.isRule = tree.getCaseKind() == CaseTree.CaseKind.RULE;
        if (!made.isRule) {
            for (StatementTree one : tree.getStatements())
                add(one, made.children);
        } else if (returns && tree.getBody() instanceof ExpressionTree value) {
            made.with(make("return", value).with(result(value)));
        } else {
            add((StatementTree) tree.getBody(), made.children);
        }
        statement.with(made);
    }

    boolean isDefault(CaseTree tree) {
        return tree.getExpressions().isEmpty() ? labelText(tree).startsWith("default")
            : labelText(tree).matches("(?s).*,\\s*default\\s*");
    }

    /* A pattern isn't among a case's expressions. */
    boolean isPattern(CaseTree tree) {
        return tree.getExpressions().isEmpty() && !isDefault(tree);
    }

    private String labelText(CaseTree tree) {
        String text = program.trees.text(program.functions.unit(), tree);
        int arrow = text.indexOf("->"), colon = text.indexOf(':');
        boolean isRule = tree.getCaseKind() == CaseTree.CaseKind.RULE;
        int end = isRule ? arrow : colon;
        return (end < 0 ? text : text.substring(0, end)).strip();
    }

    void addLabels(CaseTree tree, TypeMirror selector, List<Expression> labels) {
        for (ExpressionTree label : tree.getExpressions()) {
            Element element = program.trees.element(program.functions.unit(), label);
            boolean isEnumConstant = element != null && element.getKind() == ElementKind.ENUM_CONSTANT;
            labels.add(isEnumConstant || Types.isUnknown(Trees.type(label)) ? named(label, selector)
                : program.types.to(program.expressions.read(label), selector));
        }
        if (isPattern(tree)) {
            labels.add(named(tree, selector));
            if (labelText(tree).matches("(?s).*\\bwhen\\b.*"))
                program.note(program.trees.place(program.functions.unit(), tree), "a case's guard isn't counted");
        }
    }

    /* An enum constant or a pattern, as a text: nothing computes with its value. */
    private Expression named(Tree tree, TypeMirror type) {
        Expression label = program.make("text", tree, type);
        label.name = label.place.text();
        return label;
    }

    /* ---- exceptions, locks, assertions ------- */

    @Override
    public Statement visitTry(TryTree tree, Void none) {
        Statement statement = make("block", tree);
        for (Tree resource : tree.getResources()) {
            if (resource instanceof VariableTree variable) {
                declare(variable, statement.children);
                program.note(program.trees.place(program.functions.unit(), variable.getInitializer()),
                    "closing a resource isn't counted");
            }
        }
        statement.with(read(tree.getBlock()));
        tree.getCatches().forEach(this::skip);
        return tree.getFinallyBlock() == null ? statement : statement.with(read(tree.getFinallyBlock()));
    }

    /* Reads a catch block for its notes; it isn't counted. */
    private void skip(CatchTree tree) {
        program.functions.declare(program.trees.element(program.functions.unit(), tree.getParameter()));
        read(tree.getBlock());
        program.note(program.trees.place(program.functions.unit(), tree),
            "a catch block isn't counted: exceptions are assumed not to be thrown");
    }

    @Override
    public Statement visitThrow(ThrowTree tree, Void none) {
        Expression value = program.expressions.read(tree.getExpression());
        program.types.settle(value, program.types.object);
        Expression call = program.make("call", tree, program.types.voidType).with(value);
        call.name = "throw";
        program.note(call.place, "throw counts as the end of the method, and the thrown object as an allocation");
        return of(tree, call);
    }

    @Override
    public Statement visitSynchronized(SynchronizedTree tree, Void none) {
        Expression lock = program.expressions.read(tree.getExpression());
        Expression call = program.make("call", tree, program.types.intType).with(lock);
        program.types.settle(lock, program.types.object);
        call.name = "synchronized";
        return make("block", tree).with(of(tree, call)).with(read(tree.getBlock()));
    }

    @Override
    public Statement visitAssert(AssertTree tree, Void none) {
        Statement statement = make("block", tree);
        program.note(statement.place, "assertions are assumed to be off");
        return statement;
    }
}
