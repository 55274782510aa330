/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls and new objects. A method with source is called by its full name, any other as "Math.sqrt".
 * If an object's class decides which method runs, this takes the method of the declared class, or
 * the only one that exists. */

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

final class Calls {
    /* Classes of the library whose constructors do little more than allocate. */
    private static final Set<String> PLAIN = Set.of("Object", "Random", "SplittableRandom", "ArrayList", "LinkedList",
        "ArrayDeque", "StringBuilder", "StringBuffer", "HashMap", "HashSet", "TreeMap", "TreeSet", "Vector", "Stack",
        "AtomicInteger", "AtomicLong", "Thread", "PriorityQueue", "LinkedHashMap", "LinkedHashSet");

    private final Program program;

    Calls(Program program) {
        this.program = program;
    }

    List<Expression> arguments(List<? extends ExpressionTree> trees) {
        List<Expression> arguments = new ArrayList<>();
        trees.forEach(tree -> arguments.add(program.expressions.read(tree)));
        return arguments;
    }

    Expression call(MethodInvocationTree tree) {
        ExpressionTree select = tree.getMethodSelect();
        ExpressionTree qualifier = select instanceof MemberSelectTree member ? member.getExpression() : null;
        boolean isSuper = qualifier != null && qualifier.toString().matches("(.*\\.)?super");
        boolean hasObject = qualifier != null && (isSuper || !program.expressions.isType(qualifier));
        Expression object = hasObject ? program.expressions.read(qualifier) : null;
        List<Expression> arguments = arguments(tree.getArguments());
        Element element = program.trees.element(program.functions.unit(), select);
        Expression call;
        if (element instanceof ExecutableElement method && !Types.isUnknown(Trees.type(select))) {
            call = callOf(tree, method, object, ownerName(method, qualifier, object), arguments, isSuper);
        } else {
            call = program.make("call", tree, Trees.type(tree));
            call.name = unknownOwner(qualifier) + "." + nameOf(select);
            call.operands = arguments;
        }
        if (object != null)
            program.types.settle(object, program.types.object);
        return call.kind.equals("field") || call.kind.equals("length") ? call : program.pair(object, call);
    }

    /* size() of a collection, and length() of a text: what it loads is its length, as an array's. */
    private boolean isLength(ExecutableElement method, Expression object) {
        String name = method.getSimpleName().toString();
        boolean isSize = name.equals("size") && (isA(object.type, "java.util.Collection")
            || isA(object.type, "java.util.Map"));
        return method.getParameters().isEmpty()
            && (isSize || name.equals("length") && isA(object.type, "java.lang.CharSequence"));
    }

    private boolean isA(TypeMirror type, String above) {
        TypeElement element = program.elements.getTypeElement(above);
        javax.lang.model.util.Types types = program.types.types;
        return element != null && type instanceof DeclaredType && !Types.isUnknown(type)
            && types.isSubtype(types.erasure(type), types.erasure(element.asType()));
    }

    private static String nameOf(ExpressionTree select) {
        return select instanceof MemberSelectTree member ? member.getIdentifier().toString() : select.toString();
    }

    /* ---- which class has the method ---------------------------------------------------------- */

    private String className(Element element) {
        SourceClass source = program.sources.classOf(element);
        return source != null ? source.name : element.getSimpleName().toString();
    }

    /* The declared type of an object; for a static method, the class that is named or that has the
     * method. */
    private String ownerName(ExecutableElement method, ExpressionTree qualifier, Expression object) {
        if (object != null) {
            TypeMirror type = object.type instanceof DeclaredType || object.type instanceof ArrayType
                || Types.isUnknown(object.type) ? object.type : program.types.types.erasure(object.type);
            return type instanceof ArrayType ? "array" : type instanceof DeclaredType declared && !Types.isUnknown(type)
                ? className(declared.asElement()) : className(method.getEnclosingElement());
        }
        if (qualifier != null)
            return className(program.trees.element(program.functions.unit(), qualifier));
        return Trees.isStatic(method) ? className(method.getEnclosingElement())
            : program.functions.frame().owner.name;
    }

    /* For an unknown method: the named class, or the class of a variable's object. */
    private String unknownOwner(ExpressionTree qualifier) {
        if (qualifier == null)
            return program.functions.frame().owner.name;
        if (program.expressions.isType(qualifier))
            return nameOf(qualifier);
        Element element = program.trees.element(program.functions.unit(), qualifier);
        boolean isKnown = element instanceof VariableElement || !Types.isUnknown(Trees.type(qualifier));
        TypeMirror type = element instanceof VariableElement variable ? variable.asType() : Trees.type(qualifier);
        boolean isClass = isKnown && type instanceof DeclaredType && Types.isClassName(Types.nameOf(type));
        return isClass ? Types.nameOf(type) : "object";
    }

    /* ---- methods ----------------------------------------------------------------------------- */

    private Expression callOf(Tree tree, ExecutableElement method, Expression object, String owner,
        List<Expression> arguments, boolean isExact) {
        SourceMethod source = program.sources.methods.get(method);
        if (source == null && program.isSource(method.getEnclosingElement())
            && method.getEnclosingElement().getKind() == ElementKind.RECORD && arguments.isEmpty()) {
            return component(tree, method, object);
        }
        List<SourceMethod> bodies = source == null || isExact ? List.of() : implementations(source);
        if (bodies.size() > 1)
            return callOfSeveral(tree, method, bodies, arguments);
        if (source != null)
            return callOf(tree, method, isExact ? source : body(tree, source), arguments);
        if (object != null && isLength(method, object))
            return program.make("length", tree, program.types.intType).with(object);
        Expression call = withArguments(tree, method, arguments);
        SourceMethod only = object == null || isExact ? null : implementation(method, object.type);
        call.name = owner + "." + method.getSimpleName();
        if (only != null) {
            program.note(new Place(call.place.file(), call.place.line(), 1, ""),
                call.name + " is taken as " + only.name);
            call.name = only.name;
            program.functions.request(only);
        }
        return call;
    }

    /* The object decides which of these methods is called. */
    private Expression callOfSeveral(Tree tree, ExecutableElement method, List<SourceMethod> bodies,
        List<Expression> arguments) {
        Expression call = withArguments(tree, method, arguments);
        List<String> names = new ArrayList<>();
        for (SourceMethod body : bodies) {
            names.add(body.name);
            program.functions.request(body);
        }
        names.sort(null);
        call.name = names.get(0);
        call.targets = String.join("|", names);
        return call;
    }

    /* Of a method without a body: all methods that override it. */
    private List<SourceMethod> implementations(SourceMethod method) {
        return method.hasBody() ? List.of() : program.sources.overriding(method.element,
            method.owner.element.asType(), program.types.types);
    }

    /** A call of a method whose body is known. */
    Expression callOf(Tree tree, ExecutableElement method, SourceMethod body, List<Expression> arguments) {
        Expression call = withArguments(tree, method, arguments);
        call.name = body.name;
        program.functions.request(body);
        return call;
    }

    /* A record's accessor x() without a body loads the component x. */
    private Expression component(Tree tree, ExecutableElement method, Expression object) {
        for (Element member : method.getEnclosingElement().getEnclosedElements()) {
            if (Trees.isField(member) && member.getSimpleName().equals(method.getSimpleName()))
                return program.expressions.fieldOf((VariableElement) member, tree, object);
        }
        Expression call = program.make("call", tree, Trees.type(tree));
        call.name = className(method.getEnclosingElement()) + "." + method.getSimpleName();
        return object == null ? call : program.pair(object, call);
    }

    /* The method itself; if it has no body, the only method that overrides it. */
    private SourceMethod body(Tree tree, SourceMethod method) {
        if (method.isStatic() || method.isConstructor())
            return method;
        List<SourceMethod> others = program.sources.overriding(method.element, method.owner.element.asType(),
            program.types.types);
        SourceMethod body = method.hasBody() || others.size() != 1 ? method : others.get(0);
        if (!others.isEmpty() && body == method) {
            program.note(program.trees.place(program.functions.unit(), tree),
                "which of several methods is called depends on the object: taken as " + body.name);
        }
        return body;
    }

    /* The only method of the sources that implements a method of a library's interface. null: none,
     * or several. */
    private SourceMethod implementation(ExecutableElement method, TypeMirror type) {
        boolean isCommon = !(type instanceof DeclaredType) || Types.nameOf(type).equals("Object");
        List<SourceMethod> found = isCommon ? List.of()
            : program.sources.overriding(method, type, program.types.types);
        return found.size() == 1 ? found.get(0) : null;
    }

    /* Adds the arguments, converted to the parameters' types. The compiler puts variable arguments
     * into an array. */
    private Expression withArguments(Tree tree, ExecutableElement method, List<Expression> arguments) {
        List<? extends VariableElement> parameters = method.getParameters();
        Expression call = program.make("call", tree, method.getKind() == ElementKind.CONSTRUCTOR
            ? program.types.voidType : Trees.type(tree));
        List<Expression> operands = new ArrayList<>();
        boolean spreads = method.isVarArgs() && spreads(parameters, arguments);
        int fixed = spreads ? parameters.size() - 1 : parameters.size();
        for (int i = 0; i < fixed && i < arguments.size(); i++)
            operands.add(program.types.to(arguments.get(i), parameters.get(i).asType()));
        if (spreads) {
            operands.add(spread(call, (ArrayType) parameters.get(fixed).asType(),
                arguments.subList(fixed, arguments.size())));
        }
        call.operands = operands;
        return call;
    }

    private boolean spreads(List<? extends VariableElement> parameters, List<Expression> arguments) {
        if (arguments.size() != parameters.size())
            return true;
        TypeMirror last = arguments.get(arguments.size() - 1).type;
        boolean isNull = arguments.get(arguments.size() - 1).kind.equals("number") && !Types.isPrimitive(last);
        return !isNull && !Types.isUnknown(last) && !program.types.types.isAssignable(program.types.types.erasure(last),
            program.types.types.erasure(parameters.get(parameters.size() - 1).asType()));
    }

    private Expression spread(Expression like, ArrayType type, List<Expression> arguments) {
        Expression list = program.like(like, "new", type).with(program.number(like, arguments.size()));
        for (int i = arguments.size() - 1; i >= 0; i--)
            list = program.pair(program.types.to(arguments.get(i), type.getComponentType()), list);
        return list;
    }

    /* ---- objects ----------------------------------------------------------------------------- */

    /** The body that a constructor runs; an empty one runs the superclass's. null: no source. */
    SourceMethod constructor(Element element) {
        SourceMethod method = element == null ? null : program.sources.methods.get(element);
        while (method != null && !method.owner.methods.contains(method)) {
            SourceMethod above = null;
            Element superclass = program.types.types.asElement(method.owner.element.getSuperclass());
            for (SourceMethod other : program.sources.methods.values()) {
                if (other.isConstructor() && other.owner.element == superclass
                    && other.element.getParameters().isEmpty()) {
                    above = other;
                }
            }
            method = above;
        }
        return method;
    }

    Expression newObject(NewClassTree tree) {
        ExpressionTree outer = tree.getEnclosingExpression();
        Expression made = program.make("new", tree, Trees.type(tree));
        Element element = program.trees.element(program.functions.unit(), tree);
        TypeMirror named = Trees.type(tree.getIdentifier());
        List<Expression> arguments = arguments(tree.getArguments());
        made.type = Types.isUnknown(made.type) ? program.types.object : made.type;
        Expression object = tree.getClassBody() != null ? anonymous(tree, made, arguments)
            : constructed(tree, made, element, named, arguments);
        return outer == null ? object : program.pair(program.expressions.read(outer), object);
    }

    /* An anonymous class has a constructor if its fields have initial values; otherwise the
     * superclass's constructor is called. */
    private Expression anonymous(NewClassTree tree, Expression made, List<Expression> arguments) {
        program.functions.readInnerClass(tree.getClassBody());
        Element element = program.trees.element(program.functions.unit(), tree.getClassBody());
        SourceClass own = program.sources.classOf(element);
        TypeMirror above = own == null ? null : own.element.getSuperclass();
        Element superclass = above == null ? null : program.types.types.asElement(above);
        boolean isOwn = own == null || own.hasInitialisers() || !program.isSource(superclass);
        Element constructor = isOwn ? null : superConstructor(own);
        Expression object = isOwn ? with(made, arguments) : constructed(tree, made, constructor, above, arguments);
        for (SourceMethod method : own == null ? List.<SourceMethod>of() : own.methods) {
            if (method.isConstructor()) {
                Expression call = program.like(made, "call", made.type);
                call.name = method.name;
                object = program.pair(object, call);
            }
        }
        return object;
    }

    /* The constructor that an anonymous class's generated constructor calls. */
    private Element superConstructor(SourceClass own) {
        for (SourceMethod method : program.sources.methods.values()) {
            if (method.owner == own && method.isConstructor() && method.hasBody()) {
                for (Tree statement : method.tree.getBody().getStatements()) {
                    if (statement instanceof com.sun.source.tree.ExpressionStatementTree expression
                        && expression.getExpression() instanceof MethodInvocationTree call
                        && call.getMethodSelect() instanceof IdentifierTree name) {
                        return program.trees.element(own.unit, name);
                    }
                }
            }
        }
        return null;
    }

    private Expression with(Expression object, List<Expression> arguments) {
        Expression all = object;
        for (int i = arguments.size() - 1; i >= 0; i--)
            all = program.pair(arguments.get(i), all);
        return all;
    }

    private Expression constructed(Tree tree, Expression made, Element element, TypeMirror type,
        List<Expression> arguments) {
        SourceMethod constructor = constructor(element);
        String name = Types.isUnknown(type) && tree instanceof NewClassTree creation ? writtenName(creation)
            : Types.nameOf(type);
        boolean isSource = element != null && program.isSource(element.getEnclosingElement());
        boolean isThrown = isThrowable(type, name);
        Expression call = null;
        if (constructor != null) {
            call = callOf(tree, (ExecutableElement) element, constructor, arguments);
        } else if (!isSource && !PLAIN.contains(name) && !isThrown) {
            call = element instanceof ExecutableElement known && !Types.isUnknown(type)
                ? withArguments(tree, known, arguments) : program.make("call", tree, program.types.object);
            call.operands = call.operands.isEmpty() ? arguments : call.operands;
            call.name = name + "." + name;
        } else if (!isSource && !isThrown) {
            program.note(made.place, "the constructor of " + name + " counts as an allocation");
        }
        if (call == null)
            return with(made, arguments);
        call.type = made.type;
        call.machineType = "reference";
        return program.pair(made, call);
    }

    /* The class as written: "List" for `new java.util.List<>()`. */
    private static String writtenName(NewClassTree tree) {
        String name = tree.getIdentifier().toString().replaceFirst("<.*", "");
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /* Whether the object can be thrown; `throw` counts its allocation. */
    private boolean isThrowable(TypeMirror type, String name) {
        TypeElement throwable = program.elements.getTypeElement("java.lang.Throwable");
        return Types.isUnknown(type) ? name.endsWith("Exception") || name.endsWith("Error")
            : type.getKind() == TypeKind.DECLARED && program.types.types.isSubtype(type, throwable.asType());
    }
}
