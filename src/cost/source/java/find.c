/* SPDX-License-Identifier: BSD-3-Clause */
/* Which class, field or method a name means: a short form of the Java language's rules (JLS 6.5, 15.12), enough for
 * sources that a compiler accepts. */
#include "base/files.h"
#include "cost/source/java/tree.h"

enum { REJECTED = 1000, BOXING = 20, SPREADING = 100, INHERITED = 1, UNRELATED = 5 };

static JavaClass *find_declared(JavaReader *reader, const char *name)
{
    for (const JavaScope *scope = reader->scope; scope; scope = scope->outer)
        for (const JavaClass *outer = scope->owner; outer; outer = outer->outer)
            for (size_t i = reader->classes.count; i-- > 0;)
                if (reader->classes.items[i]->outer == outer && strcmp(reader->classes.items[i]->name, name) == 0)
                    return reader->classes.items[i];
    for (size_t i = 0; i < reader->classes.count; i++)
        if (strcmp(reader->classes.items[i]->full_name, name) == 0)
            return reader->classes.items[i];
    for (size_t i = 0; i < reader->classes.count; i++)
        if (strcmp(reader->classes.items[i]->name, name) == 0)
            return reader->classes.items[i];
    return NULL;
}

/* A file that isn't Java is said, and does without. */
static bool load(JavaReader *reader, const char *folder, const char *name)
{
    const char *path = arena_printf(reader->arena, "%s%s.java", folder, name);
    JavaFile *file;
    if (!files_exist(path))
        return false;
    Err *outer = reader->err, err = {0};
    reader->err = &err;
    bool is_read = java_parse(reader, path, &file);
    reader->err = outer;
    if (is_read)
        java_declare_file(reader, file);
    else
        java_note(reader, &(SourcePlace){path, 1, 1}, arena_printf(reader->arena, "isn't read: %s", err.message));
    return is_read;
}

/* "a.b" -> "a/b/" */
static const char *package_folder(JavaReader *reader, const char *package)
{
    char *folder = arena_printf(reader->arena, "%s%s", package, *package ? "/" : "");
    for (char *c = folder; *c; c++)
        if (*c == '.')
            *c = '/';
    return folder;
}

static bool load_imported(JavaReader *reader, const JavaFile *file, const char *folder, const char *name)
{
    Nodes parts = java_children(ts_tree_root_node(file->tree));
    bool is_loaded = false;
    for (size_t i = 0; i < parts.count && !is_loaded; i++) {
        TSNode qualified = java_is(parts.items[i], "import_declaration")
                               ? java_child(parts.items[i], "scoped_identifier")
                               : (TSNode){0};
        if (ts_node_is_null(qualified))
            continue;
        size_t start = ts_node_start_byte(qualified), end = ts_node_end_byte(qualified);
        const char *text = arena_strndup(reader->arena, file->text + start, end - start);
        const char *dot = strrchr(text, '.');
        bool is_all = !ts_node_is_null(java_child(parts.items[i], "asterisk"));
        if (!is_all && (!dot || strcmp(dot + 1, name) != 0))
            continue;
        const char *package = is_all ? text : arena_strndup(reader->arena, text, (size_t)(dot - text));
        is_loaded = load(reader, arena_printf(reader->arena, "%s%s", folder, package_folder(reader, package)), name);
    }
    vec_free(&parts);
    return is_loaded;
}

/* The folder in which the packages begin that the file's is one of. */
static const char *root_folder(JavaReader *reader, const JavaFile *file)
{
    const char *below = package_folder(reader, file->package);
    size_t length = strlen(file->folder), cut = strlen(below);
    return length >= cut && strcmp(file->folder + length - cut, below) == 0
               ? arena_strndup(reader->arena, file->folder, length - cut)
               : file->folder;
}

static bool load_class(JavaReader *reader, const char *name)
{
    const JavaFile *file = reader->scope->file;
    if (load(reader, file->folder, name) || load_imported(reader, file, root_folder(reader, file), name))
        return true;
    for (size_t i = 0; i < reader->folders.count; i++)
        if (load(reader, reader->folders.items[i], name) ||
            load_imported(reader, file, reader->folders.items[i], name) ||
            load(reader,
                 arena_printf(reader->arena, "%s%s", reader->folders.items[i], package_folder(reader, file->package)),
                 name))
            return true;
    return false;
}

JavaClass *java_find_class(JavaReader *reader, const char *name)
{
    if (!name)
        return NULL;
    JavaClass *found = find_declared(reader, name);
    for (size_t i = 0; i < reader->missing.count && !found; i++)
        if (strcmp(reader->missing.items[i], name) == 0)
            return NULL;
    if (!found && !strchr(name, '.') && load_class(reader, name))
        found = find_declared(reader, name);
    if (!found)
        *vec_push(&reader->missing) = name;
    return found;
}

/* Each class once a walk upwards, whatever their hierarchy: `way` tells walks within walks apart. */
static bool visit(JavaReader *reader, JavaClass *owner, JavaWay way)
{
    bool is_new = owner && owner->visited[way] != reader->walks[way];
    if (is_new)
        owner->visited[way] = reader->walks[way];
    return is_new;
}

static JavaVariable *find_field_up(JavaReader *reader, JavaClass *owner, const char *name)
{
    if (!visit(reader, owner, JAVA_TO_MEMBERS))
        return NULL;
    for (size_t i = 0; i < owner->fields.count; i++)
        if (strcmp(owner->fields.items[i]->variable.name, name) == 0)
            return owner->fields.items[i];
    for (size_t i = 0; i < owner->supertypes.count; i++) {
        JavaClass *above = java_find_class(reader, owner->supertypes.items[i]);
        JavaVariable *field = find_field_up(reader, above, name);
        if (field)
            return field;
    }
    return NULL;
}

JavaVariable *java_find_field(JavaReader *reader, JavaClass *owner, const char *name)
{
    reader->walks[JAVA_TO_MEMBERS]++;
    return find_field_up(reader, owner, name);
}

static unsigned walk_up(JavaReader *reader, const char *from, const char *to)
{
    if (strcmp(from, to) == 0)
        return 0;
    JavaClass *owner = java_find_class(reader, from);
    unsigned least = REJECTED;
    if (!visit(reader, owner, JAVA_TO_TYPES))
        return least;
    for (size_t i = 0; i < owner->supertypes.count; i++) {
        unsigned steps = walk_up(reader, owner->supertypes.items[i], to) + INHERITED;
        least = steps < least ? steps : least;
    }
    return least;
}

/* How many steps a class is above another one; REJECTED: it isn't. */
static unsigned steps_up(JavaReader *reader, const char *from, const char *to)
{
    reader->walks[JAVA_TO_TYPES]++;
    return walk_up(reader, from, to);
}

static unsigned widening(JavaKind from, JavaKind to)
{
    if (from == to)
        return 0;
    bool is_numeric = from >= JAVA_BYTE && to > from && to != JAVA_CHAR && to <= JAVA_DOUBLE;
    return is_numeric ? (unsigned)(to - from) : REJECTED;
}

static unsigned between_references(JavaReader *reader, JavaType from, JavaType to)
{
    bool is_array = from.dimensions || to.dimensions;
    if (!from.name && from.kind == JAVA_REFERENCE && !from.dimensions)
        return 1; /* null */
    if (is_array && from.dimensions == to.dimensions && from.kind == to.kind && from.kind != JAVA_REFERENCE)
        return 0;
    if (is_array && !to.dimensions)
        return to.name && strcmp(to.name, "Object") == 0 ? UNRELATED : UNRELATED + 1;
    if (from.dimensions != to.dimensions || from.kind != to.kind)
        return REJECTED;
    unsigned steps = steps_up(reader, from.name, to.name);
    if (steps < REJECTED)
        return steps;
    bool is_final = java_is_text(to) || java_box_kind(to) != JAVA_UNKNOWN;
    bool is_known = java_is_text(from) || java_box_kind(from) != JAVA_UNKNOWN || java_find_class(reader, from.name);
    if (is_known && (is_final || java_find_class(reader, to.name)))
        return REJECTED;
    return UNRELATED + (strcmp(to.name, "Object") == 0);
}

/* How far a value is from a parameter's type; REJECTED: it can't be given. */
static unsigned distance(JavaReader *reader, JavaType from, JavaType to)
{
    bool from_primitive = java_is_primitive(from), to_primitive = java_is_primitive(to);
    if ((from.kind == JAVA_UNKNOWN && !from.dimensions) || to.kind == JAVA_UNKNOWN)
        return 1;
    if (from_primitive && to_primitive)
        return widening(from.kind, to.kind);
    if (from_primitive) {
        JavaKind box = java_box_kind(to);
        return to.dimensions || (box != JAVA_UNKNOWN && box != from.kind) || java_is_text(to) ? REJECTED
               : box == from.kind                                                             ? BOXING
                                                                                              : BOXING + UNRELATED;
    }
    if (to_primitive) {
        JavaKind box = java_box_kind(from);
        bool is_other = from.dimensions || !from.name || java_is_text(from) || java_find_class(reader, from.name);
        return box != JAVA_UNKNOWN ? BOXING + widening(box, to.kind) : is_other ? REJECTED : BOXING + UNRELATED;
    }
    return between_references(reader, from, to);
}

static unsigned misfit_of(JavaReader *reader, const JavaMethod *method, const JavaValue *arguments, size_t n,
                          bool spreads)
{
    unsigned sum = spreads ? SPREADING : 0;
    size_t n_fixed = spreads ? method->n_parameters - 1 : method->n_parameters;
    if (spreads ? n < n_fixed : n != n_fixed)
        return REJECTED;
    for (size_t i = 0; i < n && sum < REJECTED; i++) {
        JavaType to = i < n_fixed ? method->parameters[i] : java_element(method->parameters[n_fixed]);
        sum += distance(reader, arguments[i].type, to);
    }
    return sum < REJECTED ? sum : REJECTED;
}

static unsigned misfit(JavaReader *reader, const JavaMethod *method, const JavaValue *arguments, size_t n)
{
    unsigned exact = misfit_of(reader, method, arguments, n, false);
    return exact == REJECTED && method->takes_more ? misfit_of(reader, method, arguments, n, true) : exact;
}

typedef struct Search {
    const char *name; /* NULL: constructors */
    const JavaValue *arguments;
    size_t n;
    JavaMethod *best;
    unsigned misfit;
} Search;

static void search(JavaReader *reader, Search *wanted, JavaClass *owner)
{
    if (!visit(reader, owner, JAVA_TO_MEMBERS))
        return;
    for (size_t i = 0; i < owner->methods.count; i++) {
        JavaMethod *method = owner->methods.items[i];
        if (wanted->name ? method->is_constructor || strcmp(method->name, wanted->name) != 0 : !method->is_constructor)
            continue;
        unsigned is_far = misfit(reader, method, wanted->arguments, wanted->n);
        if (is_far < wanted->misfit) {
            wanted->best = method;
            wanted->misfit = is_far;
        }
    }
    for (size_t i = 0; wanted->name && i < owner->supertypes.count; i++)
        search(reader, wanted, java_find_class(reader, owner->supertypes.items[i]));
}

JavaMethod *java_find_method(JavaReader *reader, JavaClass *owner, const char *name, const JavaValue *arguments,
                             size_t n)
{
    Search wanted = {name, arguments, n, NULL, REJECTED};
    reader->walks[JAVA_TO_MEMBERS]++;
    search(reader, &wanted, owner);
    return wanted.best;
}

/* A class without one has that of its superclass; a chain of more classes than there are has a cycle. */
JavaMethod *java_find_constructor(JavaReader *reader, JavaClass *owner, const JavaValue *arguments, size_t n)
{
    for (size_t steps = 0; owner && !owner->is_interface && steps <= reader->classes.count; steps++) {
        Search wanted = {NULL, arguments, n, NULL, REJECTED};
        reader->walks[JAVA_TO_MEMBERS]++;
        search(reader, &wanted, owner);
        if (wanted.best || n || !owner->supertypes.count)
            return wanted.best;
        owner = java_find_class(reader, owner->supertypes.items[0]);
    }
    return NULL;
}

static bool overrides(JavaReader *reader, const JavaMethod *method, const JavaMethod *above)
{
    return method != above && !method->is_static && !method->is_constructor && !ts_node_is_null(method->body) &&
           strcmp(method->name, above->name) == 0 && method->n_parameters == above->n_parameters &&
           method->owner != above->owner && steps_up(reader, method->owner->name, above->owner->name) < REJECTED;
}

JavaMethod *java_find_body(JavaReader *reader, const JavaMethod *method, bool *is_sure)
{
    JavaMethod *found = NULL;
    size_t n = 0;
    bool can_be_overridden = !method->is_static && !method->is_constructor;
    for (size_t i = 0; can_be_overridden && i < reader->classes.count; i++)
        for (size_t j = 0; j < reader->classes.items[i]->methods.count; j++)
            if (overrides(reader, reader->classes.items[i]->methods.items[j], method)) {
                found = reader->classes.items[i]->methods.items[j];
                n++;
            }
    bool is_here = !ts_node_is_null(method->body) || method->is_constructor;
    *is_sure = n == 0 || (!is_here && n == 1);
    return is_here ? (JavaMethod *)method : n == 1 ? found : NULL;
}
