/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions, in the types in which Java computes them (JLS 15). A constant expression is a
 * number, because the compiler computes it. A comparison has the machine type of the compared
 * values. */

import com.sun.source.tree.*;
import com.sun.source.util.SimpleTreeVisitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.Element;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

final class Expressions extends SimpleTreeVisitor<Expression, Void> {
    private static final Map<Tree.Kind, String> OPERATORS = Map.ofEntries(Map.entry(Tree.Kind.MULTIPLY, "*"),
        Map.entry(Tree.Kind.DIVIDE, "/"), Map.entry(Tree.Kind.REMAINDER, "%"), Map.entry(Tree.Kind.PLUS, "+"),
        Map.entry(Tree.Kind.MINUS, "-"), Map.entry(Tree.Kind.LEFT_SHIFT, "<<"), Map.entry(Tree.Kind.RIGHT_SHIFT, ">>"),
        Map.entry(Tree.Kind.UNSIGNED_RIGHT_SHIFT, ">>>"), Map.entry(Tree.Kind.LESS_THAN, "<"),
        Map.entry(Tree.Kind.GREATER_THAN, ">"), Map.entry(Tree.Kind.LESS_THAN_EQUAL, "<="),
        Map.entry(Tree.Kind.GREATER_THAN_EQUAL, ">="), Map.entry(Tree.Kind.EQUAL_TO, "=="),
        Map.entry(Tree.Kind.NOT_EQUAL_TO, "!="), Map.entry(Tree.Kind.AND, "&"), Map.entry(Tree.Kind.XOR, "^"),
        Map.entry(Tree.Kind.OR, "|"), Map.entry(Tree.Kind.CONDITIONAL_AND, "&&"),
        Map.entry(Tree.Kind.CONDITIONAL_OR, "||"), Map.entry(Tree.Kind.UNARY_PLUS, "+"),
        Map.entry(Tree.Kind.UNARY_MINUS, "-"), Map.entry(Tree.Kind.BITWISE_COMPLEMENT, "~"),
        Map.entry(Tree.Kind.LOGICAL_COMPLEMENT, "!"), Map.entry(Tree.Kind.PREFIX_INCREMENT, "++"),
        Map.entry(Tree.Kind.POSTFIX_INCREMENT, "++"), Map.entry(Tree.Kind.PREFIX_DECREMENT, "--"),
        Map.entry(Tree.Kind.POSTFIX_DECREMENT, "--"));

    private final Program program;

    Expressions(Program program) {
        this.program = program;
    }

    Expression read(ExpressionTree tree) {
        ExpressionTree inner = (ExpressionTree) Trees.unparenthesized(tree);
        Object value = Trees.constant(inner);
        if (value == null)
            return visit(inner, null);
        Expression constant = program.make(value instanceof String ? "text" : "number", inner, Trees.type(inner));
        if (value instanceof Number number)
            constant.value = number.doubleValue();
        return constant;
    }

    /* The target of an assignment; not its constant value. */
    private Expression target(ExpressionTree tree) {
        return visit(Trees.unparenthesized(tree), null);
    }

    private Types types() {
        return program.types;
    }

    private Element element(Tree tree) {
        return program.trees.element(program.functions.unit(), tree);
    }

    @Override
    protected Expression defaultAction(Tree tree, Void none) {
        return unknown(tree, Trees.type(tree));
    }

    /* An expression that isn't understood, with its understood operands. */
    private Expression unknown(Tree tree, TypeMirror type, Expression... operands) {
        Expression expression = program.make("unknown", tree, type).with(operands);
        expression.name = expression.place.text();
        return expression;
    }

    @Override
    public Expression visitLiteral(LiteralTree tree, Void none) {
        Expression nothing = program.make("number", tree, types().object);
        nothing.value = 0;
        return nothing;
    }

    /* ---- names ------------------------------------------------------------------------------- */

    @Override
    public Expression visitIdentifier(IdentifierTree tree, Void none) {
        String name = tree.getName().toString();
        if (name.equals("this") || name.equals("super"))
            return self(tree);
        if (!(element(tree) instanceof VariableElement variable))
            return unknownVariable(tree, name);
        return Trees.isField(variable) ? fieldOf(variable, tree, null) : use(variable, tree);
    }

    private Expression unknownVariable(Tree tree, String name) {
        Expression use = program.make("variable", tree, Trees.type(tree));
        use.variable = program.unknownVariable(name, use.type);
        return use;
    }

    Expression self(Tree tree) {
        SourceClass owner = program.functions.frame().owner;
        Expression use = program.make("variable", tree, owner.element.asType());
        use.variable = program.variable(owner, "this");
        return use;
    }

    Expression use(VariableElement variable, Tree tree) {
        boolean isLocal = !Trees.isField(variable);
        Expression use = program.make("variable", tree, types().declared(variable.asType()));
        if (isLocal)
            program.functions.use(variable);
        use.variable = program.variable(variable);
        return use;
    }

    /** object null: `this`. */
    Expression fieldOf(VariableElement field, Tree tree, Expression object) {
        if (field.getConstantValue() instanceof Number constant) {
            Expression number = program.make("number", tree, field.asType());
            number.value = constant.doubleValue();
            return program.pair(object, number);
        }
        return storedField(field, tree, object);
    }

    /** The field itself, even if it is a constant. */
    Expression storedField(VariableElement field, Tree tree, Expression object) {
        Element owner = field.getEnclosingElement();
        if (Trees.isStatic(field)) {
            return program.pair(object,
                program.isSource(owner) ? use(field, tree) : unknownField(field, owner.getSimpleName(), tree));
        }
        TypeMirror type = tree instanceof ExpressionTree && !Types.isUnknown(Trees.type(tree)) ? Trees.type(tree)
            : types().declared(field.asType());
        Expression access = program.make("field", tree, type).with(object == null ? self(tree) : object);
        access.name = field.getSimpleName().toString();
        return access;
    }

    private Expression unknownField(VariableElement field, CharSequence owner, Tree tree) {
        Expression use = program.make("variable", tree, field.asType());
        use.variable = program.unknownVariable(owner + "." + field.getSimpleName(), field.asType());
        return use;
    }

    /** Whether the tree names a class or package. An unknown name is a class if it is written like
     * one. */
    boolean isType(Tree tree) {
        Element element = element(tree);
        if (element instanceof VariableElement)
            return false;
        boolean isName = tree instanceof IdentifierTree || tree instanceof MemberSelectTree;
        String name = Types.isUnknown(Trees.type(tree)) && isName ? tree.toString() : null;
        if (name != null && !(element instanceof PackageElement))
            return looksLikeClass(name.substring(name.lastIndexOf('.') + 1), tree instanceof MemberSelectTree);
        return !isName ? !(tree instanceof ExpressionTree) : element instanceof TypeElement
            || element instanceof PackageElement;
    }

    /* "Entry", but not "COMM_WORLD" of another class. */
    private static boolean looksLikeClass(String name, boolean isMember) {
        return Types.isClassName(name)
            && (!isMember || name.length() == 1 || name.chars().anyMatch(Character::isLowerCase));
    }

    @Override
    public Expression visitMemberSelect(MemberSelectTree tree, Void none) {
        String name = tree.getIdentifier().toString();
        ExpressionTree qualifier = tree.getExpression();
        boolean isStatic = isType(qualifier);
        if (isStatic && (name.equals("this") || name.equals("super")))
            return self(tree);
        if (isStatic && name.equals("class"))
            return program.make("text", tree, Trees.type(tree));
        Expression object = isStatic ? null : read(qualifier);
        if (object != null && object.type instanceof ArrayType && name.equals("length"))
            return program.make("length", tree, types().intType).with(object);
        if (element(tree) instanceof VariableElement field)
            return fieldOf(field, tree, object);
        if (object == null)
            return unknownVariable(tree, qualifier + "." + name);
        types().settle(object, types().object);
        Expression access = program.make("field", tree, Trees.type(tree)).with(object);
        access.name = name;
        return access;
    }

    @Override
    public Expression visitArrayAccess(ArrayAccessTree tree, Void none) {
        Expression array = read(tree.getExpression());
        Expression index = types().to(read(tree.getIndex()), types().intType);
        return program.make("element", tree, Trees.type(tree)).with(array, index);
    }

    /* ---- operators --------------------------------------------------------------------------- */

    @Override
    public Expression visitBinary(BinaryTree tree, Void none) {
        Expression left = read(tree.getLeftOperand()), right = read(tree.getRightOperand());
        if (tree.getKind() == Tree.Kind.PLUS && (types().isString(left.type) || types().isString(right.type))) {
            types().settle(left, types().object);
            types().settle(right, types().object);
            return concatenated(program.make("text", tree, types().string), left, right);
        }
        switch (tree.getKind()) {
            case CONDITIONAL_AND, CONDITIONAL_OR -> {
                return binary(tree, types().booleanType, "int32", types().to(left, types().booleanType),
                    types().to(right, types().booleanType));
            }
            case LESS_THAN, GREATER_THAN, LESS_THAN_EQUAL, GREATER_THAN_EQUAL, EQUAL_TO, NOT_EQUAL_TO -> {
                return comparison(tree, left, right);
            }
            case LEFT_SHIFT, RIGHT_SHIFT, UNSIGNED_RIGHT_SHIFT -> {
                return shift(tree, types().number(left), types().number(right));
            }
            default -> {
                return arithmetic(tree, types().number(left), types().number(right));
            }
        }
    }

    private Expression binary(Tree tree, TypeMirror type, String machineType, Expression left, Expression right) {
        Expression expression = program.make("binary", tree, type).with(left, right);
        expression.operator = OPERATORS.get(tree.getKind());
        expression.machineType = machineType;
        return expression;
    }

    private Expression comparison(Tree tree, Expression left, Expression right) {
        types().settle(left, right, types().intType);
        boolean isEquality = tree.getKind() == Tree.Kind.EQUAL_TO || tree.getKind() == Tree.Kind.NOT_EQUAL_TO;
        if (isEquality && !Types.isPrimitive(left.type) && !Types.isPrimitive(right.type))
            return binary(tree, types().booleanType, "reference", left, right);
        Expression a = types().number(left), b = types().number(right);
        TypeMirror type = types().promoted(a.type, b.type);
        return binary(tree, types().booleanType, Types.machineType(type), types().to(a, type), types().to(b, type));
    }

    private Expression shift(Tree tree, Expression left, Expression right) {
        types().settle(left, types().intType);
        types().settle(right, types().intType);
        TypeMirror type = types().promoted(left.type, types().intType);
        TypeMirror amount = types().promoted(right.type, types().intType);
        return binary(tree, type, Types.machineType(type), types().to(left, type), types().to(right, amount));
    }

    private Expression arithmetic(Tree tree, Expression left, Expression right) {
        types().settle(left, right, types().intType);
        boolean isLogical = left.type.getKind() == TypeKind.BOOLEAN && right.type.getKind() == TypeKind.BOOLEAN;
        TypeMirror type = types().promoted(left.type, right.type);
        TypeMirror operands = isLogical ? types().booleanType : type;
        return binary(tree, operands, Types.machineType(type), types().to(left, operands), types().to(right, operands));
    }

    /* Joins several concatenations to one call. */
    private Expression concatenated(Expression like, Expression left, Expression right) {
        boolean isJoined = left.kind.equals("call") && left.name.equals("String.concat");
        List<Expression> operands = new ArrayList<>(isJoined ? left.operands : List.of(left));
        Expression call = program.like(like, "call", types().string);
        operands.add(right);
        call.name = "String.concat";
        call.operands = operands;
        return call;
    }

    @Override
    public Expression visitUnary(UnaryTree tree, Void none) {
        switch (tree.getKind()) {
            case PREFIX_INCREMENT, POSTFIX_INCREMENT, PREFIX_DECREMENT, POSTFIX_DECREMENT -> {
                return step(tree);
            }
            default -> {
            }
        }
        Expression operand = types().number(read(tree.getExpression()));
        boolean isNot = tree.getKind() == Tree.Kind.LOGICAL_COMPLEMENT;
        types().settle(operand, isNot ? types().booleanType : types().intType);
        TypeMirror type = isNot ? types().booleanType : types().promoted(operand.type, types().intType);
        Expression expression = program.make("unary", tree, type).with(types().to(operand, type));
        expression.machineType = isNot ? "int32" : expression.machineType;
        expression.operator = OPERATORS.get(tree.getKind());
        return expression;
    }

    private Expression step(UnaryTree tree) {
        Expression target = target(tree.getExpression());
        String operator = OPERATORS.get(tree.getKind());
        if (types().isBox(target.type)) {
            Expression one = program.make("number", tree, types().intType);
            one.value = 1;
            return replaced(tree, target, operator.substring(1), one);
        }
        types().settle(target, types().intType);
        Expression expression = program.make("increment", tree, target.type).with(target);
        expression.operator = operator;
        return expression;
    }

    @Override
    public Expression visitAssignment(AssignmentTree tree, Void none) {
        Expression left = target(tree.getVariable()), right = read(tree.getExpression());
        types().settle(left, Types.isPrimitive(right.type) ? right.type : types().object);
        return assignment(tree, "=", left, types().to(right, left.type));
    }

    /* An object that an element or a field keeps. Others may be garbage soon, whose memory is used again. */
    private void keep(Expression value) {
        if (value.kind.equals("new") && value.bytes == 0)
            value.bytes = types().objectBytes(value.type);
        if (value.kind.equals("comma"))
            value.operands.forEach(this::keep);
    }

    private Expression assignment(Tree tree, String operator, Expression left, Expression right) {
        if (left.kind.equals("element") || left.kind.equals("field"))
            keep(right);
        Expression expression = program.make("assign", tree, left.type).with(left, right);
        expression.operator = operator;
        return expression;
    }

    @Override
    public Expression visitCompoundAssignment(CompoundAssignmentTree tree, Void none) {
        Expression left = target(tree.getVariable()), right = read(tree.getExpression());
        String name = tree.getKind().name();
        String operator = OPERATORS.get(Tree.Kind.valueOf(name.substring(0, name.length() - "_ASSIGNMENT".length())));
        types().settle(left, right.type);
        if (types().isString(left.type) || types().isBox(left.type))
            return replaced(tree, left, operator, right);
        Expression number = types().number(right);
        types().settle(number, left.type);
        return assignment(tree, operator + "=", left, number);
    }

    /* x op= y and x++ as x = x op y, if x is boxed or a string. */
    private Expression replaced(Tree tree, Expression left, String operator, Expression right) {
        if (types().isString(left.type))
            return assignment(tree, "=", left, concatenated(program.make("text", tree, left.type), left, right));
        Expression a = types().number(left), b = types().number(right);
        types().settle(a, b, types().intType);
        TypeMirror type = types().promoted(a.type, b.type), inside = types().unboxed(left.type);
        Expression value = program.make("binary", tree, type).with(types().to(a, type), types().to(b, type));
        value.operator = operator;
        return assignment(tree, "=", left, types().to(types().to(value, inside), left.type));
    }

    @Override
    public Expression visitConditionalExpression(ConditionalExpressionTree tree, Void none) {
        Expression condition = types().to(read(tree.getCondition()), types().booleanType);
        return merged(tree, condition, read(tree.getTrueExpression()), read(tree.getFalseExpression()));
    }

    /* A type that the compiler doesn't know is the type of the other side. */
    private Expression merged(Tree tree, Expression condition, Expression yes, Expression no) {
        types().settle(yes, no, types().object);
        TypeMirror type = Types.isUnknown(Trees.type(tree)) ? yes.type : Trees.type(tree);
        return program.make("conditional", tree, type).with(condition, types().to(yes, type), types().to(no, type));
    }

    /* A cast of references checks a class, which costs almost nothing if it succeeds. */
    @Override
    public Expression visitTypeCast(TypeCastTree tree, Void none) {
        Expression value = read(tree.getExpression());
        TypeMirror type = Trees.type(tree);
        Expression converted = types().to(value, type);
        if (converted.kind.equals("cast") && converted != value)
            return program.make("cast", tree, type).with(converted.operands.get(0));
        if (!Types.isPrimitive(type) && !Types.isPrimitive(converted.type))
            converted.type = type;
        return converted;
    }

    /* A test of an object's class; its cost isn't in the machine model. */
    @Override
    public Expression visitInstanceOf(InstanceOfTree tree, Void none) {
        Expression object = read(tree.getExpression());
        types().settle(object, types().object);
        Expression call = program.make("call", tree, types().booleanType).with(object);
        call.name = "instanceof";
        if (tree.getPattern() != null && tree.getPattern().getKind().name().equals("DECONSTRUCTION_PATTERN"))
            program.note(call.place, "a record pattern's components count as part of instanceof");
        return call;
    }

    /* ---- switch as a value ------------------------------------------------------------------- */

    /* A switch whose arms are expressions becomes a chain of conditionals; any other becomes a
     * function. */
    @Override
    public Expression visitSwitchExpression(SwitchExpressionTree tree, Void none) {
        List<CaseTree> arms = new ArrayList<>(tree.getCases());
        boolean isSimple = Trees.unparenthesized(tree.getExpression()) instanceof IdentifierTree && !arms.isEmpty();
        for (CaseTree arm : arms)
            isSimple = isSimple && arm.getBody() instanceof ExpressionTree && !program.statements.isPattern(arm);
        if (!isSimple)
            return program.functions.switchValue(tree);
        arms.sort((a, b) -> Boolean.compare(program.statements.isDefault(a), program.statements.isDefault(b)));
        Expression selector = read(tree.getExpression());
        types().settle(selector, types().intType);
        return chain(tree, selector, arms);
    }

    /* a == selector ? value : others. The last arm, or `default`, is the rest. */
    private Expression chain(SwitchExpressionTree tree, Expression selector, List<CaseTree> arms) {
        List<Expression> values = new ArrayList<>();
        arms.forEach(arm -> values.add(read((ExpressionTree) arm.getBody())));
        Expression value = values.get(arms.size() - 1);
        for (int i = arms.size() - 2; i >= 0; i--)
            value = merged(tree, testOf(arms.get(i), selector), values.get(i), value);
        return value;
    }

    /* selector == a || selector == b. */
    private Expression testOf(CaseTree arm, Expression selector) {
        List<Expression> labels = new ArrayList<>();
        program.statements.addLabels(arm, selector.type, labels);
        Expression test = null;
        for (Expression label : labels) {
            Expression equal = program.like(label, "binary", types().booleanType).with(selector, label);
            equal.operator = "==";
            equal.machineType = selector.machineType;
            Expression before = test;
            test = before == null ? equal : program.like(equal, "binary", types().booleanType).with(before, equal);
            if (before != null) {
                test.operator = "||";
                test.machineType = "int32";
            }
        }
        return test;
    }

    /* ---- calls, new objects and arrays ------------------------------------------------------- */

    @Override
    public Expression visitMethodInvocation(MethodInvocationTree tree, Void none) {
        return program.calls.call(tree);
    }

    @Override
    public Expression visitNewClass(NewClassTree tree, Void none) {
        return program.calls.newObject(tree);
    }

    /** An initial value; it may be a list of an array's elements. */
    Expression initial(ExpressionTree tree, TypeMirror type) {
        boolean isList = tree instanceof NewArrayTree array && array.getType() == null;
        return isList ? arrayValues((NewArrayTree) tree, type) : types().to(read(tree), type);
    }

    /** `{a, b}` for the target `use`: new T[2], and the assignments use[0] = a, use[1] = b. */
    Expression arrayParts(NewArrayTree tree, TypeMirror type, Expression use, List<Expression> assignments) {
        TypeMirror elementType = type instanceof ArrayType array ? array.getComponentType() : Trees.type(tree);
        Expression made = program.make("new", tree, type);
        for (ExpressionTree one : tree.getInitializers()) {
            Expression value = initial(one, elementType);
            Expression index = program.number(value, assignments.size());
            Expression place = program.like(value, "element", elementType).with(use, index);
            Expression assignment = program.like(value, "assign", elementType).with(place, value);
            assignment.operator = "=";
            assignments.add(assignment);
        }
        made.bytes = Types.elementBytes(type, 1);
        return made.with(program.number(made, assignments.size()));
    }

    /* The same for a variable without a name, whose value is the result. */
    private Expression arrayValues(NewArrayTree tree, TypeMirror type) {
        Expression use = program.make("variable", tree, type);
        List<Expression> operands = new ArrayList<>();
        use.variable = program.variable(tree, "");
        Expression made = arrayParts(tree, type, use, operands);
        operands.add(0, assignment(tree, "=", use, made));
        operands.add(use);
        Expression all = program.make("comma", tree, type);
        all.operands = operands;
        return all;
    }

    @Override
    public Expression visitNewArray(NewArrayTree tree, Void none) {
        if (tree.getInitializers() != null)
            return arrayValues(tree, Trees.type(tree));
        List<Expression> sizes = new ArrayList<>();
        tree.getDimensions().forEach(size -> sizes.add(types().to(read(size), types().intType)));
        Expression made = program.make("new", tree, Trees.type(tree));
        made.operands = sizes;
        made.bytes = Types.elementBytes(made.type, sizes.size());
        return made;
    }

    /* The number of calls of a lambda is unknown, so its body counts once, as the understood
     * part. */
    @Override
    public Expression visitLambdaExpression(LambdaExpressionTree tree, Void none) {
        TypeMirror type = Types.isUnknown(Trees.type(tree)) ? types().object : Trees.type(tree);
        return unknown(tree, type, program.functions.lambda(tree));
    }

    /* `object::method`; only the object is computed. */
    @Override
    public Expression visitMemberReference(MemberReferenceTree tree, Void none) {
        TypeMirror type = Types.isUnknown(Trees.type(tree)) ? types().object : Trees.type(tree);
        ExpressionTree object = tree.getQualifierExpression();
        return isType(object) || object.toString().equals("super") ? unknown(tree, type)
            : unknown(tree, type, read(object));
    }
}
