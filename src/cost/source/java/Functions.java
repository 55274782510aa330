/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of methods, of constructors with their fields' initial values, and of lambdas. */

import com.sun.source.tree.*;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** The function that is being read. */
final class Frame {
    final Frame outer; // around a lambda, or a class in a method's body; null: none
    final SourceClass owner;
    final String name;
    final boolean isLambda;
    final TypeMirror result; // null: not known
    final Set<Element> declared = new HashSet<>(); // its own variables
    /* Variables of outer functions that a lambda uses. */
    final Set<VariableElement> captured = new LinkedHashSet<>();
    /* Statements that `break` can leave, innermost first. */
    final Deque<Target> targets = new ArrayDeque<>();
    final int[] made; // lambdas so far in the whole method
    String label; // label of the next statement

    Frame(Frame outer, SourceClass owner, String name, boolean isLambda, TypeMirror result, int[] made) {
        this.outer = outer;
        this.owner = owner;
        this.name = name;
        this.isLambda = isLambda;
        this.result = result;
        this.made = made;
    }
}

record Target(String label, Kind kind) {
    enum Kind { LOOP, SWITCH, LABELLED }
}

final class Functions {
    private final Program program;
    private final List<Function> functions = new ArrayList<>();
    private final Deque<SourceMethod> requested = new ArrayDeque<>();
    private final Set<VariableElement> parameters = new HashSet<>();
    private Frame frame;

    Functions(Program program) {
        this.program = program;
    }

    Frame frame() {
        return frame;
    }

    CompilationUnitTree unit() {
        return frame.owner.unit;
    }

    boolean isParameter(VariableElement element) {
        return parameters.contains(element);
    }

    /** Reads the source's own methods. Calls add further methods. Classes inside methods are read
     * with them. */
    List<Function> read(CompilationUnitTree unit) {
        List<SourceClass> own = new ArrayList<>(program.sources.classes.values());
        own.removeIf(one -> one.unit != unit || !one.isMember);
        own.forEach(one -> one.methods.forEach(this::request));
        own.forEach(this::readStatic);
        while (!requested.isEmpty())
            readMethod(requested.remove(), null);
        return functions;
    }

    /** Requests that a method is read. Methods of a class inside a method are read there, where the
     * outer names are known. */
    void request(SourceMethod method) {
        if (!method.isRequested && method.owner.isMember) {
            method.isRequested = true;
            requested.add(method);
        }
    }

    private void readMethod(SourceMethod method, Frame outer) {
        if (!method.hasBody())
            return;
        boolean isVoid = method.isConstructor() || method.element.getReturnType().getKind() == TypeKind.VOID;
        TypeMirror result = isVoid ? program.types.voidType : method.element.getReturnType();
        Frame before = frame;
        frame = new Frame(outer, method.owner, method.name, false, result, new int[1]);
        List<Variable> variables = new ArrayList<>();
        for (VariableElement parameter : method.element.getParameters()) {
            parameters.add(parameter);
            frame.declared.add(parameter);
            variables.add(program.variable(parameter));
        }
        Statement body = method.isConstructor() ? constructorBody(method) : methodBody(method);
        add(method.isGenerated ? method.owner.tree : method.tree, variables, body);
        frame = before;
    }

    private void add(Tree tree, List<Variable> variables, Statement body) {
        boolean returns = frame.result != null && frame.result.getKind() != TypeKind.VOID;
        String type = Types.machineType(frame.result == null ? program.types.voidType : frame.result);
        functions.add(new Function(frame.name, program.trees.place(unit(), tree), returns, type, variables, body));
    }

    private Statement methodBody(SourceMethod method) {
        Statement body = program.statements.read(method.tree.getBody());
        if (!method.element.getModifiers().contains(Modifier.SYNCHRONIZED))
            return body;
        Expression call = program.make("call", method.tree, program.types.intType);
        call.name = "synchronized";
        return program.statements.make("block", method.tree).with(program.statements.of(method.tree, call)).with(body);
    }

    /* ---- initial values of fields ------------------------------------------------------------ */

    private void readStatic(SourceClass owner) {
        frame = new Frame(null, owner, owner.name + ".static", false, program.types.voidType, new int[1]);
        Statement body = program.statements.make("block", owner.tree);
        addInitialisers(owner, true, body);
        if (!body.children.isEmpty())
            add(owner.tree, List.of(), body);
        frame = null;
    }

    /* Initial values and initialiser blocks, in the order of the source. */
    private void addInitialisers(SourceClass owner, boolean isStatic, Statement body) {
        for (Tree member : owner.tree.getMembers()) {
            if (!Sources.initialises(member, isStatic))
                continue;
            if (member instanceof VariableTree field) {
                addInitialValue(owner, field, isStatic, body);
            } else {
                body.with(program.statements.read((BlockTree) member));
            }
        }
    }

    private void addInitialValue(SourceClass owner, VariableTree field, boolean isStatic, Statement body) {
        if (!(program.trees.element(owner.unit, field) instanceof VariableElement element)
            || (isStatic && element.getConstantValue() != null)) {
            return; // the compiler inserts the constant where it is used
        }
        if (element.getKind() == ElementKind.ENUM_CONSTANT) {
            program.sources.classes.values().stream().filter(one -> one.outer == owner
                && one.lastName().contentEquals(field.getName()) && !one.isMember).forEach(this::readInnerClass);
            return;
        }
        Expression value = program.expressions.initial(field.getInitializer(), element.asType());
        body.with(program.statements.of(field, assigned(field, element, value)));
    }

    /* `this.name = value`, or `name = value` for a static field. */
    private Expression assigned(Tree tree, VariableElement field, Expression value) {
        Expression place = program.expressions.storedField(field, tree, null);
        Expression assignment = program.make("assign", tree, field.asType()).with(place, value);
        assignment.operator = "=";
        return assignment;
    }

    /* ---- constructors ------------------------------------------------------------------------ */

    private Statement constructorBody(SourceMethod method) {
        Statement body = program.statements.make("block", method.isGenerated ? method.owner.tree : method.tree);
        List<? extends StatementTree> statements = method.tree.getBody().getStatements();
        MethodInvocationTree chained = statements.isEmpty() ? null : chained(statements.get(0));
        boolean isThis = chained != null
            && ((IdentifierTree) chained.getMethodSelect()).getName().contentEquals("this");
        if (chained != null)
            addChained(method.owner, chained, body);
        if (!isThis)
            addInitialisers(method.owner, false, body);
        for (StatementTree statement : statements.subList(chained == null ? 0 : 1, statements.size()))
            program.statements.add(statement, body.children);
        if (method.owner.element.getKind() == ElementKind.RECORD && isCompact(method))
            addComponents(method, body);
        return body;
    }

    private static MethodInvocationTree chained(StatementTree statement) {
        return statement instanceof ExpressionStatementTree expression
            && expression.getExpression() instanceof MethodInvocationTree call
            && call.getMethodSelect() instanceof IdentifierTree name
            && (name.getName().contentEquals("this") || name.getName().contentEquals("super")) ? call : null;
    }

    /* this(…) or super(…); the compiler adds it if it is absent. */
    private void addChained(SourceClass owner, MethodInvocationTree call, Statement body) {
        Element element = program.trees.element(owner.unit, call.getMethodSelect());
        SourceMethod constructor = program.calls.constructor(element);
        boolean isWritten = program.trees.text(owner.unit, call).startsWith("super");
        List<Expression> arguments = program.calls.arguments(call.getArguments());
        if (constructor != null) {
            body.with(program.statements.of(call,
                program.calls.callOf(call, (ExecutableElement) element, constructor, arguments)));
            return;
        }
        arguments.forEach(argument -> body.with(program.statements.of(call, argument)));
        boolean isSource = element != null && program.isSource(element.getEnclosingElement());
        if (isWritten && !isSource && owner.tree.getExtendsClause() != null) {
            program.note(program.trees.place(owner.unit, call),
                "the superclass's constructor isn't counted: its source isn't available");
        }
    }

    /* Whether it is a compact constructor `Point { … }`, or the generated one. */
    private boolean isCompact(SourceMethod method) {
        return method.isGenerated
            || !program.trees.textBefore(method.owner.unit, method.tree, method.tree.getBody()).contains("(");
    }

    /* Assigns a record's components from the parameters of the same names. */
    private void addComponents(SourceMethod method, Statement body) {
        Tree tree = method.isGenerated ? method.owner.tree : method.tree;
        for (VariableElement parameter : method.element.getParameters()) {
            for (Element member : method.owner.element.getEnclosedElements()) {
                if (Trees.isField(member) && member.getSimpleName().equals(parameter.getSimpleName())) {
                    body.with(program.statements.of(tree, assigned(tree, (VariableElement) member,
                        program.expressions.use(parameter, tree))));
                }
            }
        }
    }

    /* ---- classes and functions within methods ------------------------------------------------ */

    void readInnerClass(ClassTree tree) {
        SourceClass owner = program.sources.classOf(program.trees.element(unit(), tree));
        if (owner != null)
            readInnerClass(owner);
    }

    private void readInnerClass(SourceClass owner) {
        if (owner.isRead)
            return;
        owner.isRead = true;
        for (SourceMethod method : owner.methods) {
            method.isRequested = true;
            readMethod(method, frame);
        }
        for (SourceClass inner : program.sources.classes.values()) {
            if (inner.outer == owner && inner.element.getNestingKind().ordinal() == 1)
                readInnerClass(inner);
        }
    }

    void declare(Element element) {
        frame.declared.add(element);
    }

    /** Declares a variable that gets another value in each iteration or call. */
    void declareAssigned(Element element) {
        program.sources.assigned.add(element);
        declare(element);
    }

    /** Passes a variable of an outer function to a lambda that uses it. */
    void use(VariableElement element) {
        Frame at = frame;
        while (at != null && !at.declared.contains(element))
            at = at.outer;
        for (Frame inner = frame; at != null && inner != at; inner = inner.outer) {
            if (inner.isLambda)
                inner.captured.add(element);
        }
    }

    /** The lambda's body as a function, and a call of it with the captured variables. */
    Expression lambda(LambdaExpressionTree tree) {
        begin("lambda", null);
        for (VariableTree parameter : tree.getParameters())
            declareAssigned(program.trees.element(unit(), parameter));
        Statement body;
        if (tree.getBody() instanceof BlockTree block) {
            body = program.statements.read(block);
        } else {
            Expression value = program.expressions.read((ExpressionTree) tree.getBody());
            program.types.settle(value, program.types.voidType);
            body = program.statements.of(tree.getBody(), value);
        }
        return end(tree, tree.getParameters(), body);
    }

    /** The same for a switch that is a value. */
    Expression switchValue(SwitchExpressionTree tree) {
        begin("switch", Trees.type(tree));
        Statement body = program.statements.make("block", tree).with(
            program.statements.switchOf(tree, tree.getExpression(), tree.getCases(), true));
        Expression call = end(tree, List.of(), body);
        program.note(call.place, "this switch counts as a call of a function");
        return call;
    }

    private void begin(String what, TypeMirror result) {
        String name = frame.name + "." + what + "_" + ++frame.made[0];
        frame = new Frame(frame, frame.owner, name, true, result, frame.made);
    }

    private Expression end(Tree tree, List<? extends VariableTree> own, Statement body) {
        TypeMirror type = frame.result == null ? program.types.voidType : frame.result;
        Expression call = program.make("call", tree, type);
        List<Variable> variables = new ArrayList<>();
        List<Expression> operands = new ArrayList<>();
        for (VariableElement captured : frame.captured) {
            variables.add(program.variable(captured));
            operands.add(program.expressions.use(captured, tree));
        }
        for (VariableTree parameter : own)
            variables.add(program.variable((VariableElement) program.trees.element(unit(), parameter)));
        call.name = frame.name;
        call.operands = operands;
        add(tree, variables, body);
        frame = frame.outer;
        return call;
    }
}
