/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations of the sources: classes with names and members, methods with bodies, and variables
 * that are assigned after their initial value. */

import com.sun.source.tree.*;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.Elements;

/** A class of the sources. `name`: "Outer.Inner", or "Outer.1" if it is anonymous. */
final class SourceClass {
    final String name;
    final SourceClass outer; // null: none
    final TypeElement element;
    final ClassTree tree;
    final CompilationUnitTree unit;
    final boolean isMember; // member of a file or of another member, not of a method's body
    final List<SourceMethod> methods = new ArrayList<>();
    int anonymous; // number of anonymous classes directly inside
    boolean isRead;

    SourceClass(String name, SourceClass outer, TypeElement element, ClassTree tree, CompilationUnitTree unit) {
        this.name = name;
        this.outer = outer;
        this.element = element;
        this.tree = tree;
        this.unit = unit;
        this.isMember = element.getNestingKind().ordinal() <= 1 && (outer == null || outer.isMember);
    }

    String lastName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    boolean hasInitialisers() {
        return tree.getMembers().stream().anyMatch(member -> Sources.initialises(member, false));
    }
}

/** A method or constructor of the sources. `name`: "Pi.f", or "Pi.f(int,double)" if there are
 * several. */
final class SourceMethod {
    final SourceClass owner;
    final ExecutableElement element;
    final MethodTree tree;
    final boolean isGenerated; // by the compiler
    String name;
    boolean isRequested;

    SourceMethod(SourceClass owner, ExecutableElement element, MethodTree tree, boolean isGenerated) {
        this.owner = owner;
        this.element = element;
        this.tree = tree;
        this.isGenerated = isGenerated;
    }

    boolean isConstructor() {
        return element.getKind() == ElementKind.CONSTRUCTOR;
    }

    boolean isStatic() {
        return element.getModifiers().contains(Modifier.STATIC);
    }

    boolean hasBody() {
        return tree.getBody() != null;
    }
}

final class Sources extends TreePathScanner<Void, SourceClass> {
    final Map<TypeElement, SourceClass> classes = new LinkedHashMap<>();
    final Map<ExecutableElement, SourceMethod> methods = new HashMap<>();
    final Map<VariableElement, ExpressionTree> initialValues = new HashMap<>();
    final Set<Element> assigned = new HashSet<>();
    private final Trees trees;
    private final Elements elements;

    Sources(Trees trees, Elements elements) {
        this.trees = trees;
        this.elements = elements;
    }

    /** Whether the member gives fields their initial values: of each object, or static ones. */
    static boolean initialises(Tree member, boolean isStatic) {
        if (member instanceof VariableTree field)
            return field.getInitializer() != null && isStatic == Trees.isStatic(field);
        return member instanceof com.sun.source.tree.BlockTree block && block.isStatic() == isStatic;
    }

    SourceClass classOf(Element element) {
        return element instanceof TypeElement ? classes.get(element) : null;
    }

    @Override
    public Void visitClass(ClassTree tree, SourceClass outer) {
        if (!(trees.element(getCurrentPath()) instanceof TypeElement element) || classes.containsKey(element))
            return null;
        String simple = tree.getSimpleName().length() > 0 ? tree.getSimpleName().toString() : anonymousName(outer);
        String name = outer == null ? simple : outer.name + "." + simple;
        SourceClass made = new SourceClass(name, outer, element, tree, getCurrentPath().getCompilationUnit());
        classes.put(element, made);
        super.visitClass(tree, made);
        made.methods.sort((a, b) -> Boolean.compare(a.isGenerated, b.isGenerated));
        made.methods.forEach(method -> method.name = name + "." + nameOf(method));
        return null;
    }

    /* The class of an enum constant has the constant's name. */
    private String anonymousName(SourceClass outer) {
        Tree above = getCurrentPath().getParentPath().getParentPath().getLeaf();
        boolean isConstants = above instanceof VariableTree variable
            && variable.getInitializer() instanceof NewClassTree
            && trees.element(getCurrentPath().getParentPath().getParentPath()).getKind() == ElementKind.ENUM_CONSTANT;
        return isConstants ? ((VariableTree) above).getName().toString() : Integer.toString(++outer.anonymous);
    }

    private static String nameOf(SourceMethod method) {
        String name = plainName(method);
        long n = method.owner.methods.stream().filter(other -> plainName(other).equals(name)).count();
        List<String> types = new ArrayList<>();
        method.element.getParameters().forEach(parameter -> types.add(Types.nameOf(parameter.asType())));
        return n > 1 ? name + "(" + String.join(",", types) + ")" : name;
    }

    private static String plainName(SourceMethod method) {
        return method.isConstructor() ? method.owner.lastName() : method.tree.getName().toString();
    }

    /* Of generated methods, only constructors that initialise something are kept. */
    @Override
    public Void visitMethod(MethodTree tree, SourceClass owner) {
        if (trees.element(getCurrentPath()) instanceof ExecutableElement element) {
            boolean isGenerated = elements.getOrigin(element) != Elements.Origin.EXPLICIT;
            SourceMethod method = new SourceMethod(owner, element, tree, isGenerated);
            boolean matters = !isGenerated || (method.isConstructor()
                && (owner.element.getKind() == ElementKind.RECORD || owner.hasInitialisers()));
            if (matters)
                owner.methods.add(method);
            if (matters || method.isConstructor())
                methods.put(element, method);
        }
        return super.visitMethod(tree, owner);
    }

    @Override
    public Void visitVariable(VariableTree tree, SourceClass owner) {
        if (tree.getInitializer() != null && trees.element(getCurrentPath()) instanceof VariableElement element)
            initialValues.put(element, tree.getInitializer());
        return super.visitVariable(tree, owner);
    }

    @Override
    public Void visitAssignment(AssignmentTree tree, SourceClass owner) {
        assign(tree.getVariable());
        return super.visitAssignment(tree, owner);
    }

    @Override
    public Void visitCompoundAssignment(CompoundAssignmentTree tree, SourceClass owner) {
        assign(tree.getVariable());
        return super.visitCompoundAssignment(tree, owner);
    }

    @Override
    public Void visitUnary(UnaryTree tree, SourceClass owner) {
        switch (tree.getKind()) {
            case PREFIX_INCREMENT, PREFIX_DECREMENT, POSTFIX_INCREMENT, POSTFIX_DECREMENT ->
                assign(tree.getExpression());
            default -> {
            }
        }
        return super.visitUnary(tree, owner);
    }

    private void assign(ExpressionTree target) {
        Element element = trees.element(getCurrentPath().getCompilationUnit(), target);
        if (element != null)
            assigned.add(element);
    }

    /* ---- bodies that a call may run ---------------------------------------------------------- */

    /** The methods with bodies that override `method`, in subtypes of `owner`. */
    List<SourceMethod> overriding(ExecutableElement method, javax.lang.model.type.TypeMirror owner,
        javax.lang.model.util.Types types) {
        List<SourceMethod> found = new ArrayList<>();
        for (SourceMethod other : methods.values()) {
            if (other.hasBody() && !other.isStatic() && !other.isConstructor() && other.element != method
                && other.element.getSimpleName().equals(method.getSimpleName())
                && types.isSubtype(types.erasure(other.owner.element.asType()), types.erasure(owner))
                && elements.overrides(other.element, method, other.owner.element)) {
                found.add(other);
            }
        }
        return found;
    }
}
