/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a Java source with the JDK's compiler:
 *
 *     java FirmaSource.java OWN CLASSES OUTPUT SOURCE OPTION…
 *
 * firma runs this file as a source, so that firma's build needs no JDK. A build that has one compiles
 * the files beside this file to OWN/classes-VERSION.jar, which is read if this JDK has that version.
 * Otherwise, they are compiled into the folder CLASSES. Then Program converts SOURCE to a program, and
 * writes that to the file OUTPUT. */

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

public class FirmaSource {
    private static final List<String> INTERNAL = List.of("--add-exports",
        "jdk.compiler/com.sun.tools.javac.code=ALL-UNNAMED", "--add-exports",
        "jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED");

    public static void main(String[] arguments) throws Exception {
        File own = new File(arguments[0]);
        File compiled = new File(own, "classes-" + Runtime.version().feature() + ".jar");
        URL[] classes = {(compiled.exists() ? compiled : compile(own, new File(arguments[1]))).toURI().toURL()};
        new URLClassLoader(classes).loadClass("Program").getMethod("main", String[].class).invoke(null,
            (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
    }

    private static File compile(File own, File classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            System.err.println("no compiler");
            System.exit(3);
        }
        List<String> words = new ArrayList<>(INTERNAL);
        words.addAll(List.of("-proc:none", "-nowarn", "-d", classes.getPath()));
        for (String name : List.of("Calls", "Expressions", "Functions", "Json", "Nodes", "Program", "Sources",
            "Statements", "Trees", "Types")) {
            words.add(new File(own, name + ".java").getPath());
        }
        if (compiler.run(null, null, null, words.toArray(new String[0])) != 0)
            System.exit(2);
        return classes;
    }
}
