/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of Java's own classes: types of their methods' results, and values of their constants. What isn't here
 * is called by its name all the same, with a type that is guessed. */
#include "cost/source/java/tree.h"

#include <float.h>
#include <math.h>

static const struct {
    const char *owner, *name;
    JavaKind kind;
    double value;
} CONSTANTS[] = {
    {"Math", "PI", JAVA_DOUBLE, M_PI},
    {"Math", "E", JAVA_DOUBLE, M_E},
    {"StrictMath", "PI", JAVA_DOUBLE, M_PI},
    {"StrictMath", "E", JAVA_DOUBLE, M_E},
    {"Byte", "MIN_VALUE", JAVA_BYTE, INT8_MIN},
    {"Byte", "MAX_VALUE", JAVA_BYTE, INT8_MAX},
    {"Short", "MIN_VALUE", JAVA_SHORT, INT16_MIN},
    {"Short", "MAX_VALUE", JAVA_SHORT, INT16_MAX},
    {"Character", "MAX_VALUE", JAVA_CHAR, UINT16_MAX},
    {"Integer", "MIN_VALUE", JAVA_INT, INT32_MIN},
    {"Integer", "MAX_VALUE", JAVA_INT, INT32_MAX},
    {"Integer", "SIZE", JAVA_INT, 32},
    {"Integer", "BYTES", JAVA_INT, 4},
    {"Long", "MIN_VALUE", JAVA_LONG, (double)INT64_MIN},
    {"Long", "MAX_VALUE", JAVA_LONG, (double)INT64_MAX},
    {"Long", "SIZE", JAVA_INT, 64},
    {"Long", "BYTES", JAVA_INT, 8},
    {"Float", "MAX_VALUE", JAVA_FLOAT, FLT_MAX},
    {"Float", "MIN_VALUE", JAVA_FLOAT, 0x1p-149},
    {"Float", "POSITIVE_INFINITY", JAVA_FLOAT, HUGE_VAL},
    {"Float", "NEGATIVE_INFINITY", JAVA_FLOAT, -HUGE_VAL},
    {"Double", "MAX_VALUE", JAVA_DOUBLE, DBL_MAX},
    {"Double", "MIN_VALUE", JAVA_DOUBLE, 0x1p-1074},
    {"Double", "POSITIVE_INFINITY", JAVA_DOUBLE, HUGE_VAL},
    {"Double", "NEGATIVE_INFINITY", JAVA_DOUBLE, -HUGE_VAL},
    {"System", "out", JAVA_REFERENCE, NAN},
    {"System", "err", JAVA_REFERENCE, NAN},
    {"System", "in", JAVA_REFERENCE, NAN},
};

bool java_library_constant(const char *owner, const char *name, double *value, JavaType *type)
{
    for (size_t i = 0; i < sizeof CONSTANTS / sizeof *CONSTANTS; i++)
        if (strcmp(CONSTANTS[i].owner, owner) == 0 && strcmp(CONSTANTS[i].name, name) == 0) {
            *value = CONSTANTS[i].value;
            *type = CONSTANTS[i].kind == JAVA_REFERENCE
                        ? java_reference(strcmp(name, "in") == 0 ? "InputStream" : "PrintStream")
                        : java_primitive(CONSTANTS[i].kind);
            return true;
        }
    return false;
}

/* Results: types as in Java; "E", "V": the receiver's first and second type argument; "this": the receiver's type. A
 * name in the first column without methods is said to be like another one. */
static const struct {
    const char *owner, *methods; /* "result name name …; result name …" */
} METHODS[] = {
    {"String",
     "int length indexOf lastIndexOf compareTo compareToIgnoreCase codePointAt hashCode; char charAt; "
     "boolean equals isEmpty contains startsWith endsWith equalsIgnoreCase matches isBlank; char[] toCharArray; "
     "byte[] getBytes; String[] split; String substring trim concat replace replaceAll toLowerCase toUpperCase "
     "format join valueOf repeat strip intern copyValueOf replaceFirst"},
    {"StringBuilder", "int length indexOf capacity; char charAt; String toString substring; this append insert reverse "
                      "deleteCharAt delete replace; void setCharAt setLength ensureCapacity"},
    {"StringBuffer", "int length indexOf capacity; char charAt; String toString substring; this append insert reverse "
                     "deleteCharAt delete replace; void setCharAt setLength ensureCapacity"},
    {"Random", "int nextInt; long nextLong; double nextDouble nextGaussian; float nextFloat; boolean nextBoolean; "
               "void nextBytes setSeed"},
    {"System", "long nanoTime currentTimeMillis; int identityHashCode; void arraycopy exit gc; "
               "String getProperty getenv lineSeparator"},
    {"Thread", "void sleep start join run interrupt setDaemon yield; Thread currentThread; boolean isAlive "
               "isInterrupted; String getName; long getId"},
    {"Integer", "int parseInt intValue compare compareTo signum bitCount max min sum reverse highestOneBit "
                "numberOfLeadingZeros numberOfTrailingZeros hashCode remainderUnsigned divideUnsigned rotateLeft "
                "rotateRight; Integer valueOf; long longValue toUnsignedLong; double doubleValue; float floatValue; "
                "byte byteValue; short shortValue; String toString toBinaryString toHexString; boolean equals"},
    {"Long",
     "long parseLong longValue signum max min sum reverse highestOneBit remainderUnsigned divideUnsigned "
     "rotateLeft rotateRight; int intValue compare compareTo bitCount numberOfLeadingZeros numberOfTrailingZeros "
     "hashCode compareUnsigned; Long valueOf; double doubleValue; float floatValue; String toString "
     "toBinaryString toHexString; boolean equals"},
    {"Double", "double parseDouble doubleValue max min sum longBitsToDouble; int intValue compare compareTo hashCode; "
               "long longValue doubleToLongBits doubleToRawLongBits; float floatValue; Double valueOf; boolean isNaN "
               "isInfinite isFinite equals; String toString"},
    {"Float", "float parseFloat floatValue max min sum intBitsToFloat; double doubleValue; int intValue compare "
              "floatToIntBits compareTo; Float valueOf; boolean isNaN isInfinite equals; String toString"},
    {"Boolean", "boolean parseBoolean booleanValue equals logicalAnd logicalOr; Boolean valueOf; String toString"},
    {"Character", "boolean isDigit isLetter isLetterOrDigit isUpperCase isLowerCase isWhitespace; char toUpperCase "
                  "toLowerCase charValue; int getNumericValue digit; Character valueOf; String toString"},
    {"Byte", "byte parseByte byteValue; Byte valueOf; int intValue toUnsignedInt"},
    {"Short", "short parseShort shortValue; Short valueOf; int intValue toUnsignedInt"},
    {"List",
     "E get remove set getFirst getLast removeFirst removeLast; int size indexOf lastIndexOf; boolean add isEmpty "
     "contains addAll removeAll equals; void clear sort addFirst addLast ensureCapacity; Iterator iterator"},
    {"Queue", "E peek poll element remove pop peekFirst peekLast pollFirst pollLast getFirst getLast removeFirst "
              "removeLast take; int size; boolean add offer isEmpty contains offerFirst offerLast; void push addFirst "
              "addLast clear put; Iterator iterator"},
    {"Stack",
     "E push pop peek get remove set; int size search indexOf; boolean empty isEmpty add contains; void clear"},
    {"Set", "boolean add contains remove isEmpty addAll removeAll retainAll; int size; void clear; E first last; "
            "Iterator iterator"},
    {"Map", "V get put remove getOrDefault putIfAbsent merge; boolean containsKey containsValue isEmpty; int size; "
            "void clear putAll; E firstKey lastKey; Set keySet entrySet; Collection values"},
    {"Collection", "int size; boolean add isEmpty contains remove addAll; void clear; Iterator iterator"},
    {"Iterator", "E next; boolean hasNext; void remove"},
    {"Optional", "E get orElse; boolean isPresent isEmpty"},
    {"BitSet",
     "boolean get isEmpty; int cardinality nextSetBit nextClearBit size length; void set clear flip and or xor"},
    {"Arrays", "void fill sort setAll; String toString; int hashCode binarySearch; boolean equals"},
    {"Collections", "void sort shuffle reverse swap; int frequency"},
    {"Objects", "int hash hashCode; boolean equals isNull nonNull; String toString"},
    {"AtomicInteger", "int get incrementAndGet decrementAndGet getAndIncrement getAndDecrement addAndGet getAndAdd "
                      "getAndSet intValue; void set; boolean compareAndSet"},
    {"AtomicLong", "long get incrementAndGet decrementAndGet getAndIncrement getAndDecrement addAndGet getAndAdd "
                   "getAndSet longValue; void set; boolean compareAndSet"},
    {"PrintStream", "void println print flush close write; PrintStream printf format"},
    {"Scanner", "int nextInt; long nextLong; double nextDouble; String next nextLine; boolean hasNext hasNextInt "
                "hasNextLine; void close"},
    {"BigInteger",
     "BigInteger add subtract multiply divide mod pow gcd valueOf negate abs sqrt modPow shiftLeft shiftRight; "
     "int intValue bitLength signum compareTo bitCount; long longValue; double doubleValue; boolean equals "
     "testBit isProbablePrime; String toString"},
    {"BigDecimal",
     "BigDecimal add subtract multiply divide pow valueOf negate abs setScale; int intValue signum compareTo "
     "scale; long longValue; double doubleValue; boolean equals; String toString"},
    {"Object", "boolean equals; int hashCode compareTo ordinal; String toString name; Class getClass; "
               "void notify notifyAll wait run close"},
};

static const struct {
    const char *name, *like;
} ALIKE[] = {
    {"ArrayList", "List"},
    {"LinkedList", "List"},
    {"Vector", "List"},
    {"ArrayDeque", "Queue"},
    {"Deque", "Queue"},
    {"PriorityQueue", "Queue"},
    {"BlockingQueue", "Queue"},
    {"HashSet", "Set"},
    {"TreeSet", "Set"},
    {"LinkedHashSet", "Set"},
    {"SortedSet", "Set"},
    {"HashMap", "Map"},
    {"TreeMap", "Map"},
    {"LinkedHashMap", "Map"},
    {"SortedMap", "Map"},
    {"ConcurrentHashMap", "Map"},
    {"SecureRandom", "Random"},
    {"SplittableRandom", "Random"},
    {"ThreadLocalRandom", "Random"},
    {"Iterable", "Collection"},
    {"ListIterator", "Iterator"},
    {"PrintWriter", "PrintStream"},
    {"CharSequence", "String"},
};

static JavaType result_type(JavaReader *reader, const char *text, size_t length, JavaType receiver)
{
    const char *name = arena_strndup(reader->arena, text, length);
    if (strcmp(name, "this") == 0)
        return receiver;
    if (strcmp(name, "E") == 0 || strcmp(name, "V") == 0)
        return receiver.arguments ? receiver.arguments[*name == 'V'] : java_primitive(JAVA_UNKNOWN);
    bool is_array = length > 2 && name[length - 1] == ']';
    if (is_array)
        name = arena_strndup(reader->arena, name, length - 2);
    JavaType type = java_reference(name);
    for (JavaKind kind = JAVA_VOID; kind <= JAVA_DOUBLE; kind++)
        if (strcmp(java_type_text(reader, java_primitive(kind)), name) == 0)
            type = java_primitive(kind);
    return is_array ? java_array_of(type, 1) : type;
}

/* In "int length indexOf; char charAt". */
static bool find_result(JavaReader *reader, const char *methods, const char *name, JavaType receiver, JavaType *result)
{
    size_t length = strlen(name);
    while (*methods) {
        size_t type_length = strcspn(methods, " "), n;
        const char *word = methods + type_length;
        for (; *word && *word != ';'; word += n) {
            word += strspn(word, " ");
            n = strcspn(word, " ;");
            if (n == length && strncmp(word, name, n) == 0) {
                *result = result_type(reader, methods, type_length, receiver);
                return true;
            }
        }
        methods = word + strspn(word, "; ");
    }
    return false;
}

/* Math: most take and give doubles; abs, max, min and those named exact are of their arguments' type. */
static bool math_method(const char *name, const JavaValue *arguments, size_t n, JavaType *result, JavaType *parameter)
{
    static const char *const OF_ARGUMENTS[] = {
        "abs",           "max",           "min",         "floorDiv",       "floorMod", "addExact",
        "subtractExact", "multiplyExact", "negateExact", "incrementExact", "clamp"};
    JavaType type = java_primitive(JAVA_INT);
    for (size_t i = 0; i < n; i++) {
        JavaKind box = java_box_kind(arguments[i].type);
        JavaType argument = box != JAVA_UNKNOWN ? java_primitive(box) : arguments[i].type;
        type = java_promoted(type, java_is_number(argument) ? argument : java_primitive(JAVA_DOUBLE));
    }
    *parameter = *result = java_primitive(JAVA_DOUBLE);
    for (size_t i = 0; i < sizeof OF_ARGUMENTS / sizeof *OF_ARGUMENTS; i++)
        if (strcmp(OF_ARGUMENTS[i], name) == 0)
            *parameter = *result = type;
    if (strcmp(name, "round") == 0) {
        *parameter = java_primitive(type.kind == JAVA_DOUBLE ? JAVA_DOUBLE : JAVA_FLOAT);
        *result = java_primitive(type.kind == JAVA_DOUBLE ? JAVA_LONG : JAVA_INT);
    } else if (strcmp(name, "toIntExact") == 0) {
        *parameter = java_primitive(JAVA_LONG);
        *result = java_primitive(JAVA_INT);
    }
    return true;
}

/* Of classes where the arguments' types tell the result's. */
static bool special_method(const char *owner, JavaType receiver, const char *name, const JavaValue *arguments, size_t n,
                           JavaType *result)
{
    bool copies = strcmp(owner, "array") == 0 && strcmp(name, "clone") == 0;
    bool is_arrays = strcmp(owner, "Arrays") == 0 && n;
    if (copies)
        *result = receiver;
    else if (is_arrays && (strcmp(name, "copyOf") == 0 || strcmp(name, "copyOfRange") == 0))
        *result = arguments[0].type;
    else if (strcmp(owner, "ThreadLocalRandom") == 0 && strcmp(name, "current") == 0)
        *result = java_reference("ThreadLocalRandom");
    else
        return false;
    return true;
}

static bool find_in(JavaReader *reader, const char *owner, const char *name, JavaType receiver, JavaType *result)
{
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++)
        if (strcmp(METHODS[i].owner, owner) == 0)
            return find_result(reader, METHODS[i].methods, name, receiver, result);
    return false;
}

static const char *like_of(const char *owner)
{
    for (size_t i = 0; i < sizeof ALIKE / sizeof *ALIKE; i++)
        if (strcmp(ALIKE[i].name, owner) == 0)
            return ALIKE[i].like;
    return owner;
}

/* Collections take objects: numbers are boxed, but for the indexes of lists. */
size_t java_library_first(const char *owner, const char *name, size_t n, JavaType *parameter)
{
    static const char *const COLLECTIONS[] = {"List", "Stack", "Set", "Queue", "Map", "Collection"};
    static const char *const OF_VALUES[] = {"add", "set", "contains", "indexOf", "push", "addFirst", "addLast"};
    const char *like = like_of(owner);
    for (size_t i = 0; i < sizeof COLLECTIONS / sizeof *COLLECTIONS; i++) {
        if (strcmp(COLLECTIONS[i], like) != 0)
            continue;
        *parameter = java_reference("Object");
        bool is_indexed = i < 2, is_of_value = false;
        for (size_t j = 0; j < sizeof OF_VALUES / sizeof *OF_VALUES; j++)
            is_of_value |= strcmp(OF_VALUES[j], name) == 0;
        return !is_indexed ? 0 : is_of_value && n ? n - 1 : n;
    }
    return 0;
}

bool java_library_method(JavaReader *reader, const char *owner, JavaType receiver, const char *name,
                         const JavaValue *arguments, size_t n, JavaType *result, JavaType *parameter)
{
    const char *like = like_of(owner);
    *parameter = java_primitive(JAVA_UNKNOWN);
    if (strcmp(owner, "Math") == 0 || strcmp(owner, "StrictMath") == 0)
        return math_method(name, arguments, n, result, parameter);
    if (special_method(owner, receiver, name, arguments, n, result))
        return true;
    return find_in(reader, like, name, receiver, result) || find_in(reader, "Object", name, receiver, result);
}
