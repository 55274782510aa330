/* SPDX-License-Identifier: BSD-3-Clause */
/* Java's types, their machine types, and Java's implicit conversions (JLS 5): casts between numbers
 * if the machine does something, a field's load to unbox, and a call to box. A type that the
 * compiler can't resolve is determined by its use, and a note says so. */

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

final class Types {
    private static final Map<TypeKind, String> MACHINE_TYPES = Map.of(TypeKind.VOID, "int32", TypeKind.BOOLEAN, "int8",
        TypeKind.BYTE, "int8", TypeKind.SHORT, "int16", TypeKind.CHAR, "int16", TypeKind.INT, "int32", TypeKind.LONG,
        "int64", TypeKind.FLOAT, "float", TypeKind.DOUBLE, "double");
    /* The compiler's types for names that it can't resolve. */
    private static final Set<TypeKind> UNKNOWN = Set.of(TypeKind.ERROR, TypeKind.OTHER, TypeKind.NONE,
        TypeKind.PACKAGE);
    /* In the order of binary numeric promotion. */
    private static final List<TypeKind> RANKS = List.of(TypeKind.BOOLEAN, TypeKind.BYTE, TypeKind.SHORT, TypeKind.CHAR,
        TypeKind.INT, TypeKind.LONG, TypeKind.FLOAT, TypeKind.DOUBLE);

    private static final long OBJECT_HEADER = 12, OBJECT_STEP = 8;

    final TypeMirror intType, booleanType, voidType, object, string;
    final javax.lang.model.util.Types types;
    private final Program program;
    private final List<Expression> unknown = new ArrayList<>();
    private final Set<Expression> settled = new HashSet<>();

    Types(Program program, javax.lang.model.util.Types types, javax.lang.model.util.Elements elements) {
        this.program = program;
        this.types = types;
        intType = types.getPrimitiveType(TypeKind.INT);
        booleanType = types.getPrimitiveType(TypeKind.BOOLEAN);
        voidType = types.getNoType(TypeKind.VOID);
        object = elements.getTypeElement("java.lang.Object").asType();
        string = elements.getTypeElement("java.lang.String").asType();
    }

    static boolean isUnknown(TypeMirror type) {
        return type == null || UNKNOWN.contains(type.getKind());
    }

    /** The type of a variable. An unknown class is a reference. */
    TypeMirror declared(TypeMirror type) {
        return isUnknown(type) && isClassName(nameOf(type)) ? object : type;
    }

    static boolean isClassName(String name) {
        return !name.isEmpty() && Character.isUpperCase(name.charAt(0));
    }

    static boolean isPrimitive(TypeMirror type) {
        return type != null && type.getKind().isPrimitive();
    }

    static boolean isNumber(TypeMirror type) {
        return isPrimitive(type) && type.getKind() != TypeKind.BOOLEAN;
    }

    boolean isString(TypeMirror type) {
        return !isUnknown(type) && types.isSameType(type, string);
    }

    static String machineType(TypeMirror type) {
        return type == null ? "reference" : MACHINE_TYPES.getOrDefault(type.getKind(), "reference");
    }

    /** Bytes of a value in an array or an object. References are compressed, as in heaps below 32 GB. */
    private static long bytes(TypeMirror type) {
        return switch (machineType(type)) {
            case "int8" -> 1;
            case "int16" -> 2;
            case "int64", "double" -> 8;
            default -> 4;
        };
    }

    /** Bytes of each element of an array that `new` makes with so many sizes. */
    static long elementBytes(TypeMirror array, int sizes) {
        TypeMirror element = array;
        for (int i = 0; i < sizes && element instanceof ArrayType outer; i++)
            element = outer.getComponentType();
        return bytes(element);
    }

    /** Bytes of an object: a header of 12, and its fields, in steps of 8. */
    long objectBytes(TypeMirror type) {
        long sum = OBJECT_HEADER;
        for (TypeMirror one = type; one instanceof DeclaredType declared
            && declared.asElement() instanceof TypeElement element; one = element.getSuperclass())
            for (VariableElement field : ElementFilter.fieldsIn(element.getEnclosedElements()))
                sum += field.getModifiers().contains(Modifier.STATIC) ? 0 : bytes(field.asType());
        return (sum + OBJECT_STEP - 1) / OBJECT_STEP * OBJECT_STEP;
    }

    /** The name without package and type arguments: "int", "List", "double[]". */
    static String nameOf(TypeMirror type) {
        if (type instanceof ArrayType array)
            return nameOf(array.getComponentType()) + "[]";
        if (type instanceof DeclaredType declared && declared.asElement() instanceof TypeElement element)
            return element.getSimpleName().toString();
        String text = type.toString();
        return text.substring(text.lastIndexOf('.') + 1);
    }

    /** The primitive type in a box; null: not a box. */
    TypeMirror unboxed(TypeMirror type) {
        if (isUnknown(type) || isPrimitive(type))
            return null;
        try {
            return types.unboxedType(types.erasure(type));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    boolean isBox(TypeMirror type) {
        return unboxed(type) != null;
    }

    TypeMirror promoted(TypeMirror a, TypeMirror b) {
        int rank = Math.max(RANKS.indexOf(a.getKind()), RANKS.indexOf(b.getKind()));
        return types.getPrimitiveType(RANKS.get(Math.max(rank, RANKS.indexOf(TypeKind.INT))));
    }

    /* ---- unknown types ------------------------------------------------------------- */

    void remember(Expression expression) {
        if (isUnknown(expression.type))
            unknown.add(expression);
    }

    /** Gives an unknown type to the expression; to the second part of a pair. */
    void settle(Expression expression, TypeMirror type) {
        if (!isUnknown(expression.type) || isUnknown(type))
            return;
        Expression part = expression;
        part.type = type;
        part.machineType = machineType(type);
        while (part.kind.equals("comma")) {
            part = part.operands.get(part.operands.size() - 1);
            part.type = type;
            part.machineType = machineType(type);
        }
        if (settled.add(part) && type.getKind() != TypeKind.VOID)
            say(part);
    }

    /** Gives an unknown type the other expression's type, or else `otherwise`. */
    void settle(Expression a, Expression b, TypeMirror otherwise) {
        settle(a, b.type);
        settle(b, a.type);
        settle(a, otherwise);
        settle(b, otherwise);
    }

    void settleRest() {
        for (Expression expression : unknown) {
            if (isUnknown(expression.type) && !expression.kind.equals("comma") && settled.add(expression))
                say(expression);
        }
    }

    private void say(Expression expression) {
        String name = isPrimitive(expression.type) ? expression.type.getKind().name().toLowerCase() : "a reference";
        program.note(expression.place,
            "the type of `" + expression.place.text() + "` isn't known: taken as " + name);
    }

    /* ---- conversions ------------------------------------------------------------------------- */

    /** The value in a box; any other expression unchanged. */
    Expression number(Expression expression) {
        TypeMirror type = unboxed(expression.type);
        return type == null ? expression : valueOf(expression, type);
    }

    private Expression valueOf(Expression expression, TypeMirror type) {
        Expression field = program.like(expression, "field", type).with(expression);
        field.name = "value";
        return field;
    }

    Expression to(Expression expression, TypeMirror type) {
        if (isUnknown(type) || type.getKind() == TypeKind.VOID)
            return expression;
        if (!isPrimitive(type)) {
            settle(expression, object);
            return isPrimitive(expression.type) ? boxed(expression, type) : expression;
        }
        Expression number = number(expression);
        settle(number, type);
        return isPrimitive(number.type) ? betweenNumbers(number, type) : valueOf(number, type);
    }

    /* The JVM computes with bytes, shorts and chars as with ints, so widening them costs
     * nothing. */
    private Expression betweenNumbers(Expression from, TypeMirror type) {
        int rank = RANKS.indexOf(type.getKind()), rankFrom = RANKS.indexOf(from.type.getKind());
        int rankOfInt = RANKS.indexOf(TypeKind.INT);
        boolean isWidened = rank <= rankOfInt && rankFrom <= rankOfInt && rank >= rankFrom;
        boolean isFree = machineType(type).equals(machineType(from.type)) || isWidened || rank == 0 || rankFrom == 0;
        if (from.kind.equals("number")) {
            Expression number = program.like(from, "number", type);
            number.value = type.getKind() == TypeKind.FLOAT ? (float) from.value : from.value;
            return number;
        }
        return isFree ? from : program.like(from, "cast", type).with(from);
    }

    private Expression boxed(Expression expression, TypeMirror type) {
        TypeMirror inside = unboxed(type);
        Expression value = inside == null ? expression : betweenNumbers(expression, inside);
        TypeMirror box = types.boxedClass(types.getPrimitiveType(
            (inside == null ? expression.type : inside).getKind())).asType();
        Expression call = program.like(value, "call", box).with(value);
        call.name = nameOf(box) + ".valueOf";
        return call;
    }
}
