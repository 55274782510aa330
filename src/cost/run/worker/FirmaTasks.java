/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs tasks in Java for a worker of `firma cost run`; see cost/run/protocol.h. Its arguments are,
 * the clock of tasks; and for each batch: an entry, such as "Pi.countPoints" or "Pi.f(int,double)"; the entry's parameters, such as
 * "number,random double x", where the latter is an array; and the batch's place, for errors. */
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /* A task's method, and of each parameter "number", or how an array is filled and its type. */
    private static final class Entry {
        final Method method;
        final String[] parameters;

        Entry(Method method, String[] parameters) {
            this.method = method;
            this.parameters = parameters;
        }
    }

    private static boolean isWithoutWaiting;

    public static void main(String[] words) throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, "US-ASCII"));
        PrintStream answers = System.out;
        System.setOut(System.err);
        System.setIn(new ByteArrayInputStream(new byte[0]));
        isWithoutWaiting = words[0].equals("running");
        Entry[] entries = new Entry[words.length / 3];
        for (int i = 0; i < entries.length; i++)
            try {
                String[] parameters = words[3 * i + 2].isEmpty() ? new String[0] : words[3 * i + 2].split(",");
                entries[i] = new Entry(find(words[3 * i + 1], parameters), parameters);
            } catch (Refusal refusal) {
                say(answers, "failed " + words[3 * i + 3] + ": " + refusal.getMessage());
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

    /* How long this thread was ready to run, but had no processor; 0: the kernel doesn't tell. */
    private static long waited() {
        try {
            return Long.parseLong(Files.readString(Path.of("/proc/thread-self/schedstat")).split(" ")[1]);
        } catch (IOException | RuntimeException untold) {
            return 0;
        }
    }

    private static String execute(String[] words, Entry[] entries) {
        Entry entry = entries[Integer.parseInt(words[0])];
        try {
            Object[] arguments = convert(words, entry);
            long start = System.nanoTime(), before = isWithoutWaiting ? waited() : 0;
            Object value = entry.method.invoke(null, arguments);
            long waited = isWithoutWaiting ? waited() - before : 0, time = System.nanoTime() - start - waited;
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

    /* A number has one word; an array has two, its length and its seed. */
    private static Object[] convert(String[] words, Entry entry) throws Refusal {
        Class<?>[] types = entry.method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0, next = 1; i < types.length; i++) {
            double value = Double.longBitsToDouble(Long.parseUnsignedLong(words[next++], 16));
            if (types[i].isArray()) {
                double seed = Double.longBitsToDouble(Long.parseUnsignedLong(words[next++], 16));
                arguments[i] = fill(types[i].getComponentType(), (int) value, entry.parameters[i], (long) seed);
                continue;
            }
            arguments[i] = convert(value, types[i]);
            if (arguments[i] == null)
                throw new Refusal("argument " + (i + 1) + " would be " + value + ", which isn't of the type " + types[i]);
        }
        return arguments;
    }

    private static Object fill(Class<?> type, int length, String how, long state) {
        Object array = Array.newInstance(type, length);
        boolean isReal = type == double.class || type == float.class, isRamp = how.startsWith("ramp ");
        for (int i = 0; i < length && !how.startsWith("zeros "); i++) {
            state += 0x9e3779b97f4a7c15L;
            double value = isRamp ? i : draw(state) * (isReal ? 1 : length);
            if (type == double.class)
                ((double[]) array)[i] = value;
            else if (type == float.class)
                ((float[]) array)[i] = (float) value;
            else if (type == long.class)
                ((long[]) array)[i] = (long) value;
            else if (type == int.class)
                ((int[]) array)[i] = (int) value;
            else if (type == short.class)
                ((short[]) array)[i] = (short) value;
            else if (type == byte.class)
                ((byte[]) array)[i] = (byte) value;
            else
                ((char[]) array)[i] = (char) value;
        }
        return array;
    }

    /* From 0 to 1, 1 excluded: SplitMix64 (Steele, Lea, Flood 2014), as in tasks_c.c. */
    private static double draw(long state) {
        long z = state;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return ((z ^ (z >>> 31)) >>> 11) * 0x1p-53;
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

    private static Method find(String entry, String[] parameters) throws Refusal {
        int bracket = entry.indexOf('(');
        String types = bracket < 0 ? null : entry.substring(bracket).replace(" ", "");
        String name = bracket < 0 ? entry : entry.substring(0, bracket).trim();
        int dot = name.lastIndexOf('.');
        if (dot < 0)
            throw new Refusal("the entry " + entry + " isn't Class.method");
        List<Method> found = new ArrayList<>();
        for (Method method : load(name.substring(0, dot)).getDeclaredMethods())
            if (method.getName().equals(name.substring(dot + 1)) && method.getParameterCount() == parameters.length
                    && (types == null || types.equals(signature(method))))
                found.add(method);
        if (found.size() != 1)
            throw new Refusal((found.isEmpty() ? "there is no method " : "there are several methods ") + entry + " with "
                    + parameters.length + (parameters.length == 1 ? " parameter" : " parameters"));
        return check(found.get(0), entry, parameters);
    }

    private static String signature(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> type : method.getParameterTypes())
            text.append(text.length() > 1 ? "," : "").append(type.getSimpleName());
        return text.append(")").toString();
    }

    private static Method check(Method method, String entry, String[] parameters) throws Refusal {
        Class<?>[] types = method.getParameterTypes();
        if (!Modifier.isStatic(method.getModifiers()))
            throw new Refusal("the method " + entry + " isn't static");
        for (int i = 0; i < types.length; i++) {
            String name = method.getParameters()[i].getName();
            String parameter = "parameter `" + name + "` of " + entry + " is a " + types[i].getSimpleName();
            String array = parameters[i].substring(parameters[i].indexOf(' ') + 1);
            int space = array.lastIndexOf(' ');
            String element = space < 0 ? array : array.substring(0, space);
            boolean isNumber = parameters[i].equals("number");
            if (isNumber && !types[i].isPrimitive())
                throw new Refusal(parameter + ", not a number; an array is written `argument double " + name
                        + "[LENGTH] = zeros`");
            if (!isNumber && (!types[i].isArray() || !types[i].getComponentType().isPrimitive()
                    || types[i].getComponentType() == boolean.class
                    || !types[i].getComponentType().getSimpleName().equals(element)))
                throw new Refusal(parameter + ", and the flow file says an array of " + element);
            if (!isNumber && method.getParameters()[i].isNamePresent() && !array.endsWith(" " + name))
                throw new Refusal("the array `" + array.substring(space + 1) + "` is called `" + name + "` in " + entry);
        }
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
