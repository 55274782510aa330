/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs tasks in Java for a worker of `firma cost run`; see cost/run/protocol.h. Its arguments are,
 * for each batch: an entry, such as "Pi.countPoints" or "Pi.f(int,double)"; the entry's number of
 * parameters; and the batch's place, for errors. */
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

public final class FirmaTasks {
    private FirmaTasks() {
    }

    /* An error for people. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        Refusal(String message) {
            super(message);
        }
    }

    public static void main(String[] words) throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, "US-ASCII"));
        PrintStream answers = System.out;
        System.setOut(System.err);
        System.setIn(new ByteArrayInputStream(new byte[0]));
        Method[] entries = new Method[words.length / 3];
        for (int i = 0; i < entries.length; i++)
            try {
                entries[i] = find(words[3 * i], Integer.parseInt(words[3 * i + 1]));
            } catch (Refusal refusal) {
                say(answers, "failed " + words[3 * i + 2] + ": " + refusal.getMessage());
                return;
            }
        say(answers, "ready");
        String order;
        while ((order = orders.readLine()) != null)
            say(answers, execute(order.split(" "), entries));
        System.exit(0);
    }

    private static void say(PrintStream answers, String line) {
        answers.print(line.replace('\n', ' ').replace('\r', ' ') + "\n");
        answers.flush();
    }

    private static String execute(String[] words, Method[] entries) {
        Method entry = entries[Integer.parseInt(words[0])];
        try {
            Object[] arguments = convert(words, entry);
            long start = System.nanoTime();
            Object value = entry.invoke(null, arguments);
            long time = System.nanoTime() - start;
            double number = value instanceof Number ? ((Number) value).doubleValue() : Double.NaN;
            return "done " + time + " " + Long.toHexString(Double.doubleToLongBits(number));
        } catch (Refusal refusal) {
            return "failed " + refusal.getMessage();
        } catch (InvocationTargetException wrapped) {
            return "failed threw " + describe(wrapped.getCause());
        } catch (Throwable other) {
            return "failed " + describe(other);
        }
    }

    private static String describe(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        String place = trace.length > 0 ? " at " + trace[0].getFileName() + ":" + trace[0].getLineNumber() : "";
        String whole = thrown + place;
        return whole.length() > 500 ? whole.substring(0, 500) : whole;
    }

    private static Object[] convert(String[] words, Method entry) throws Refusal {
        Class<?>[] types = entry.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            double value = Double.longBitsToDouble(Long.parseUnsignedLong(words[i + 1], 16));
            arguments[i] = convert(value, types[i]);
            if (arguments[i] == null)
                throw new Refusal("argument " + (i + 1) + " would be " + value + ", which isn't of the type " + types[i]);
        }
        return arguments;
    }

    /* Converts like a cast. null: out of the type's range. */
    private static Object convert(double value, Class<?> type) {
        if (type == double.class)
            return value;
        if (type == float.class)
            return (float) value;
        if (type == boolean.class)
            return value != 0;
        if (type == long.class)
            return value >= -0x1p63 && value < 0x1p63 ? (Long) (long) value : null;
        if (type == int.class)
            return (int) value == Math.rint(value < 0 ? Math.ceil(value) : Math.floor(value)) ? (Integer) (int) value : null;
        if (type == short.class)
            return value > Short.MIN_VALUE - 1.0 && value < Short.MAX_VALUE + 1.0 ? (Short) (short) value : null;
        if (type == byte.class)
            return value > Byte.MIN_VALUE - 1.0 && value < Byte.MAX_VALUE + 1.0 ? (Byte) (byte) value : null;
        return value > -1 && value < Character.MAX_VALUE + 1.0 ? (Character) (char) value : null;
    }

    private static Method find(String entry, int parameters) throws Refusal {
        int bracket = entry.indexOf('(');
        String types = bracket < 0 ? null : entry.substring(bracket).replace(" ", "");
        String name = bracket < 0 ? entry : entry.substring(0, bracket).trim();
        int dot = name.lastIndexOf('.');
        if (dot < 0)
            throw new Refusal("the entry " + entry + " isn't Class.method");
        List<Method> found = new ArrayList<>();
        for (Method method : load(name.substring(0, dot)).getDeclaredMethods())
            if (method.getName().equals(name.substring(dot + 1)) && method.getParameterCount() == parameters
                    && (types == null || types.equals(signature(method))))
                found.add(method);
        if (found.size() != 1)
            throw new Refusal((found.isEmpty() ? "there is no method " : "there are several methods ") + entry + " with "
                    + parameters + (parameters == 1 ? " parameter" : " parameters"));
        return check(found.get(0), entry);
    }

    private static String signature(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> type : method.getParameterTypes())
            text.append(text.length() > 1 ? "," : "").append(type.getSimpleName());
        return text.append(")").toString();
    }

    private static Method check(Method method, String entry) throws Refusal {
        Class<?>[] types = method.getParameterTypes();
        if (!Modifier.isStatic(method.getModifiers()))
            throw new Refusal("the method " + entry + " isn't static");
        for (int i = 0; i < types.length; i++)
            if (!types[i].isPrimitive())
                throw new Refusal("parameter `" + method.getParameters()[i].getName() + "` of " + entry + " is a "
                        + types[i].getSimpleName() + ": tasks can only have numbers as arguments");
        method.setAccessible(true);
        return method;
    }

    /* Finds a class by its name. If the name lacks the package, searches the compiled classes. */
    private static Class<?> load(String name) throws Refusal {
        String classes = System.getProperty("java.class.path").split(File.pathSeparator)[0];
        String packaged = search(new File(classes), "", name.replace('.', '$') + ".class");
        for (String each : new String[] {name, packaged == null ? name : packaged})
            try {
                return Class.forName(each);
            } catch (ClassNotFoundException absent) {
                continue;
            } catch (Throwable broken) {
                throw new Refusal("the class " + name + " can't be loaded: " + describe(broken));
            }
        throw new Refusal("there is no class " + name);
    }

    private static String search(File folder, String prefix, String file) {
        if (new File(folder, file).exists())
            return prefix + file.substring(0, file.length() - ".class".length());
        File[] inside = folder.listFiles();
        for (File each : inside == null ? new File[0] : inside) {
            String found = each.isDirectory() ? search(each, prefix + each.getName() + ".", file) : null;
            if (found != null)
                return found;
        }
        return null;
    }
}
