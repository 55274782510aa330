/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts a Java source, with the compiler's types, to a program: the methods of the source's
 * classes, and the methods of other sources that they call. Sources of other classes are found
 * beside the source and on the class path.
 *
 * A source that javac rejects is rejected with javac's message, with one exception. If a class or
 * package isn't found (a library that isn't installed), errors in types and names are ignored,
 * because javac can't tell which of them follow from the missing class. Unknown names stay in the
 * program, and notes tell their assumed types. */

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

public final class Program {
    private static final Pattern PACKAGE = Pattern.compile("^\\s*package\\s+([\\w.]+)\\s*;", Pattern.MULTILINE);
    private static final Pattern CLASS_MISSING = Pattern.compile("symbol:\\s+(class\\s|variable [A-Z]\\w*[a-z])");
    private static final Set<String> CLASS_PATHS = Set.of("-cp", "-classpath", "--class-path");
    private static final Set<String> SOURCE_PATHS = Set.of("-sourcepath", "--source-path");

    final Trees trees;
    final Types types;
    final Elements elements;
    final Sources sources;
    final Expressions expressions = new Expressions(this);
    final Calls calls = new Calls(this);
    final Statements statements = new Statements(this);
    final Functions functions = new Functions(this);
    private final List<Variable> variables = new ArrayList<>();
    private final Map<Object, Variable> variableOf = new HashMap<>();
    private final Set<String> noted = new HashSet<>();
    private final Map<Place, List<String>> notes = new TreeMap<>(
        Comparator.comparing(Place::file).thenComparing(Place::line).thenComparing(Place::column)
            .thenComparing(Place::text));

    private Program(JavacTask task) {
        elements = task.getElements();
        trees = new Trees(task);
        types = new Types(this, task.getTypes(), elements);
        sources = new Sources(trees, elements);
    }

    public static void main(String[] arguments) throws IOException {
        String output;
        try {
            output = read(arguments[1], List.of(arguments).subList(2, arguments.length));
        } catch (Failure failure) {
            output = Json.error(failure);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            output = Json.error(failureOf(e));
        }
        Files.write(Path.of(arguments[0]), output.getBytes(StandardCharsets.UTF_8));
    }

    /* The compiler wraps unexpected exceptions in its own. */
    private static Failure failureOf(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null)
            cause = cause.getCause();
        if (cause instanceof StackOverflowError)
            return tooDeep(null);
        if (cause instanceof OutOfMemoryError)
            return new Failure(null, "the source is too large for the compiler's memory", 0);
        Object where = cause.getStackTrace().length > 0 ? cause.getStackTrace()[0] : "";
        return new Failure(null, "the compiler failed: " + cause + " " + where, Failure.BUG);
    }

    static Failure tooDeep(Place place) {
        return new Failure(place, "expressions or blocks are nested deeper than firma follows", 0);
    }

    /* ---- the compiler ------------------------------------------------------------------------ */

    private static String read(String file, List<String> options) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        StandardJavaFileManager files = compiler.getStandardFileManager(said, Locale.ENGLISH, StandardCharsets.UTF_8);
        List<CompilationUnitTree> units = new ArrayList<>();
        JavacTask task;
        try {
            task = (JavacTask) compiler.getTask(new StringWriter(), files, said, compilerOptions(file, options), null,
                files.getJavaFileObjects(file));
        } catch (IllegalArgumentException e) {
            throw new Failure(null, e.getMessage().replaceFirst("^error: ", ""), 0);
        }
        task.addTaskListener(new TaskListener() {
            @Override
            public void finished(TaskEvent event) {
                if (event.getKind() == TaskEvent.Kind.PARSE)
                    units.add(event.getCompilationUnit());
            }
        });
        task.parse();
        refuse(said.getDiagnostics(), false);
        task.analyze();
        refuse(said.getDiagnostics(), true);
        return new Program(task).write(units);
    }

    /* Sources are searched where the file's packages begin, and on the class path. Type resolution
     * continues after errors. */
    private static List<String> compilerOptions(String file, List<String> options) throws IOException {
        Set<String> folders = new LinkedHashSet<>(List.of(rootFolder(file))), classPath = new LinkedHashSet<>();
        List<String> words = new ArrayList<>(List.of("-proc:none", "-nowarn", "-XDshould-stop.ifError=FLOW"));
        for (int i = 0; i < options.size(); i++) {
            String word = options.get(i);
            boolean isPath = CLASS_PATHS.contains(word) || SOURCE_PATHS.contains(word);
            if (isPath && i + 1 < options.size()) {
                Set<String> paths = CLASS_PATHS.contains(word) ? classPath : folders;
                paths.addAll(List.of(options.get(++i).split(File.pathSeparator)));
            } else if (!word.startsWith("-") && List.of(word.split(File.pathSeparator)).stream()
                .anyMatch(folder -> new File(folder).isDirectory())) {
                classPath.addAll(List.of(word.split(File.pathSeparator)));
            } else {
                words.add(word);
            }
        }
        folders.addAll(classPath);
        words.addAll(List.of("-sourcepath", String.join(File.pathSeparator, folders)));
        if (!classPath.isEmpty())
            words.addAll(List.of("-classpath", String.join(File.pathSeparator, classPath)));
        return words;
    }

    private static String rootFolder(String file) throws IOException {
        Path folder = Path.of(file).toAbsolutePath().normalize().getParent();
        Matcher matcher = PACKAGE.matcher(new String(Files.readAllBytes(Path.of(file)), StandardCharsets.UTF_8));
        Path below = matcher.find() ? Path.of(matcher.group(1).replace('.', '/')) : null;
        if (below != null && folder.endsWith(below)) {
            for (Path part : below)
                folder = folder.getParent();
        }
        return folder.toString();
    }

    private static void refuse(List<Diagnostic<? extends JavaFileObject>> said, boolean mayMiss) {
        List<Diagnostic<? extends JavaFileObject>> errors = new ArrayList<>(said);
        errors.removeIf(one -> one.getKind() != Diagnostic.Kind.ERROR);
        if (errors.isEmpty() || (mayMiss && errors.stream().anyMatch(Program::isMissingClass)))
            return;
        Diagnostic<? extends JavaFileObject> first = errors.get(0);
        String message = first.getMessage(Locale.ENGLISH).strip().replaceAll("\\s*\\R\\s*", "; ");
        throw new Failure(placeOf(first), message.replaceAll("\\s+", " "), errors.size() - 1);
    }

    private static boolean isMissingClass(Diagnostic<?> error) {
        return error.getCode().equals("compiler.err.doesnt.exist")
            || (error.getCode().startsWith("compiler.err.cant.resolve")
            && CLASS_MISSING.matcher(error.getMessage(Locale.ENGLISH)).find());
    }

    /* The compiler's own columns count a tab as up to eight columns. */
    private static Place placeOf(Diagnostic<? extends JavaFileObject> error) {
        if (error.getSource() == null || error.getPosition() == Diagnostic.NOPOS)
            return null;
        long column = error.getColumnNumber();
        try {
            CharSequence text = error.getSource().getCharContent(true);
            int start = (int) error.getPosition();
            while (start > 0 && text.charAt(start - 1) != '\n' && text.charAt(start - 1) != '\r')
                start--;
            column = error.getPosition() - start + 1;
        } catch (IOException e) {
            /* Fall back to the compiler's column. */
        }
        return new Place(error.getSource().getName(), error.getLineNumber(), column, "");
    }

    /* ---- the program ------------------------------------------------------------------------- */

    private String write(List<CompilationUnitTree> units) {
        units.forEach(unit -> sources.scan(unit, null));
        List<Function> read = functions.read(units.get(0));
        types.settleRest();
        return Json.program(variables, read, notes);
    }

    /** Adds a note, once for each line. */
    void note(Place place, String message) {
        if (noted.add(place.file() + ":" + place.line() + ":" + message))
            notes.computeIfAbsent(place, key -> new ArrayList<>()).add(message);
    }

    Expression make(String kind, Tree tree, TypeMirror type) {
        return make(kind, trees.place(functions.unit(), tree), type);
    }

    Expression like(Expression other, String kind, TypeMirror type) {
        return make(kind, other.place, type);
    }

    private Expression make(String kind, Place place, TypeMirror type) {
        Expression expression = new Expression(kind, place, type);
        expression.machineType = Types.machineType(type);
        types.remember(expression);
        return expression;
    }

    Expression number(Expression like, double value) {
        Expression number = like(like, "number", types.intType);
        number.value = value;
        return number;
    }

    /** The second expression's value, after the first has been computed. */
    Expression pair(Expression first, Expression second) {
        if (first == null || first.kind.equals("number") || first.kind.equals("text"))
            return second;
        Expression pair = like(second, "comma", second.type).with(first, second);
        pair.machineType = second.machineType;
        return pair;
    }

    /* ---- variables --------------------------------------------------------------------------- */

    /** The variable of a local, a parameter, or a static field of the sources. */
    Variable variable(VariableElement element) {
        Variable known = variableOf.get(element);
        return known != null ? known : add(element, newVariable(element));
    }

    private Variable newVariable(VariableElement element) {
        boolean isStatic = Trees.isField(element) && Trees.isStatic(element);
        boolean isFinal = element.getModifiers().contains(Modifier.FINAL);
        boolean isOpen = isStatic && !isFinal && !element.getModifiers().contains(Modifier.PRIVATE);
        boolean isGiven = element.getKind() == ElementKind.EXCEPTION_PARAMETER
            || element.getKind() == ElementKind.BINDING_VARIABLE;
        boolean isAssigned = isOpen || isGiven || sources.assigned.contains(element);
        Object value = sources.initialValues.containsKey(element)
            ? Trees.constant(sources.initialValues.get(element)) : null;
        boolean isNumber = !isAssigned && value instanceof Number && Types.isPrimitive(element.asType());
        return new Variable(variables.size(), element.getSimpleName().toString(), Types.machineType(element.asType()),
            functions.isParameter(element), isStatic, !isAssigned,
            isNumber ? ((Number) value).doubleValue() : Double.NaN);
    }

    /** A variable without a source, such as a class's `this`; `key` identifies it. */
    Variable variable(Object key, String name) {
        Variable known = variableOf.get(key);
        return known != null ? known
            : add(key, new Variable(variables.size(), name, "reference", false, false, true, Double.NaN));
    }

    /** A variable that no source declares: one for each name. Unseen code may assign it. */
    Variable unknownVariable(String name, TypeMirror type) {
        Variable known = variableOf.get(name);
        return known != null ? known
            : add(name, new Variable(variables.size(), name, Types.machineType(type), false, true, false, Double.NaN));
    }

    private Variable add(Object key, Variable variable) {
        variables.add(variable);
        variableOf.put(key, variable);
        return variable;
    }

    boolean isSource(Element element) {
        return sources.classOf(element) != null;
    }
}
