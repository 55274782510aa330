/* SPDX-License-Identifier: BSD-3-Clause */
/* The compiler's knowledge of a tree: element, type, constant value, place and text. */

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.tools.javac.code.Type;
import com.sun.tools.javac.tree.JCTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;

final class Trees {
    private static final int TEXT_LIMIT = 60, LOOKED_AT = 1000;

    private final com.sun.source.util.Trees trees;
    private final SourcePositions positions;
    private final Map<CompilationUnitTree, String> texts = new HashMap<>();

    Trees(JavacTask task) {
        trees = com.sun.source.util.Trees.instance(task);
        positions = trees.getSourcePositions();
    }

    Element element(TreePath path) {
        return trees.getElement(path);
    }

    Element element(CompilationUnitTree unit, Tree tree) {
        return trees.getElement(new TreePath(new TreePath(unit), unparenthesized(tree)));
    }

    static Tree unparenthesized(Tree tree) {
        while (tree instanceof ParenthesizedTree parenthesized)
            tree = parenthesized.getExpression();
        return tree;
    }

    static TypeMirror type(Tree tree) {
        return ((JCTree) tree).type;
    }

    /** The value, if the compiler computes it (JLS 15.29): a Number or a String; an Integer for
     * booleans and chars. */
    static Object constant(ExpressionTree tree) {
        Type type = ((JCTree) tree).type;
        return type == null || tree.getKind() == Tree.Kind.NULL_LITERAL ? null : type.constValue();
    }

    static boolean isStatic(VariableTree field) {
        Element element = ((JCTree.JCVariableDecl) field).sym;
        return element != null ? isStatic(element) : field.getModifiers().getFlags().contains(Modifier.STATIC);
    }

    static boolean isStatic(Element element) {
        return element.getModifiers().contains(Modifier.STATIC);
    }

    static boolean isField(Element element) {
        return element instanceof VariableElement && (element.getKind() == ElementKind.FIELD
            || element.getKind() == ElementKind.ENUM_CONSTANT);
    }

    /** The place where the tree begins, and its text on one line; a longer text ends with dots. */
    Place place(CompilationUnitTree unit, Tree tree) {
        String text = text(unit, tree);
        String line = text.substring(0, Math.min(text.length(), LOOKED_AT)).strip().replaceAll("\\s+", " ");
        String shortened = line.length() > TEXT_LIMIT ? line.substring(0, TEXT_LIMIT - 3) + "..." : line;
        return place(unit, positions.getStartPosition(unit, tree), shortened);
    }

    Place place(CompilationUnitTree unit, long position, String text) {
        long line = position < 0 ? 1 : unit.getLineMap().getLineNumber(position);
        long column = position < 0 ? 1 : position - unit.getLineMap().getStartPosition(line) + 1;
        return new Place(unit.getSourceFile().getName(), line, column, text);
    }

    String text(CompilationUnitTree unit, Tree tree) {
        long start = positions.getStartPosition(unit, tree), end = positions.getEndPosition(unit, tree);
        return start < 0 || end < start ? "" : source(unit).substring((int) start, (int) end);
    }

    /** The text from the start of `tree` to just before `end`. */
    String textBefore(CompilationUnitTree unit, Tree tree, Tree end) {
        return source(unit).substring((int) positions.getStartPosition(unit, tree),
            (int) positions.getStartPosition(unit, end));
    }

    private String source(CompilationUnitTree unit) {
        return texts.computeIfAbsent(unit, key -> {
            try {
                return key.getSourceFile().getCharContent(true).toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
