/* frames.c: the functions that the compiler has expanded at an address, from the file's DWARF.
 *
 *     count = frames_inlined(module, address, frames, line);
 */
#include "trace/attribution/frames.h"
#include "trace/attribution/demangle.h"
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_line(char line[LINE_ROOM], const char *file, int number)
{
    const char *slash = file != NULL ? strrchr(file, '/') : NULL;
    if (file == NULL)
        line[0] = '\0';
    else
        snprintf(line, LINE_ROOM, "%.200s:%d", slash != NULL ? slash + 1 : file, number);
}

/* Where a function was expanded: the place of the call. */
static void put_call(char line[LINE_ROOM], Dwarf_Die *unit, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, number = 0;
    Dwarf_Files *files;
    size_t count;
    const char *name = NULL;
    if (dwarf_formudata(dwarf_attr(function, DW_AT_call_file, &attribute), &file) == 0 &&
        dwarf_formudata(dwarf_attr(function, DW_AT_call_line, &attribute), &number) == 0 &&
        dwarf_getsrcfiles(unit, &files, &count) == 0)
        name = dwarf_filesrc(files, file, NULL, NULL);
    put_line(line, name, (int)number);
}

/* The entry of a function where it is declared, whose scopes are those of the source. */
static Dwarf_Die declaration_of(Dwarf_Die die)
{
    Dwarf_Attribute attribute;
    dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attribute), &die);
    dwarf_formref_die(dwarf_attr(&die, DW_AT_specification, &attribute), &die);
    return die;
}

/* Functions of types that are local have no name for the linker. */
static void put_qualified(char function[FUNCTION_ROOM], Dwarf_Die *die)
{
    Dwarf_Die declaration = declaration_of(*die), *scopes = NULL;
    int count = dwarf_getscopes_die(&declaration, &scopes);
    function[0] = '\0';
    for (int i = count - 1; i >= 0; i--) {
        int tag = dwarf_tag(&scopes[i]);
        const char *name = dwarf_diename(&scopes[i]);
        size_t used = strlen(function);
        if (name != NULL && (i == 0 || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
                             tag == DW_TAG_structure_type))
            snprintf(function + used, FUNCTION_ROOM - used, "%s%s", used > 0 ? "::" : "", name);
    }
    if (count > 0)
        free(scopes);
    if (function[0] == '\0')
        snprintf(function, FUNCTION_ROOM, "unknown");
}

static void put_name(char function[FUNCTION_ROOM], Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    if (name != NULL)
        demangle(name, function, FUNCTION_ROOM);
    else
        put_qualified(function, die);
}

/* The scopes that hold an address, the innermost first, each within the next; the caller frees
 * them. */
static int scopes_of(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes)
{
    Dwarf_Die *innermost = NULL;
    int count = 0;
    if (dwarf_getscopes(unit, address, &innermost) > 0)
        count = dwarf_getscopes_die(&innermost[0], scopes);
    free(innermost);
    return count;
}

size_t frames_inlined(Dwfl_Module *module, uint64_t address, struct frame frames[FRAMES_MOST],
                      char outer[LINE_ROOM])
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias), *scopes = NULL;
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    int number = 0;
    size_t count = 0;
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    put_line(outer, file, number);
    int depth = unit != NULL ? scopes_of(unit, address - bias, &scopes) : 0;
    for (int i = 0; i < depth && count < FRAMES_MOST - 1; i++) {
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
            break;
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
            continue;
        struct frame *f = &frames[count++];
        f->inlined = true;
        memcpy(f->line, outer, LINE_ROOM);
        put_name(f->function, &scopes[i]);
        put_call(outer, unit, &scopes[i]);
    }
    if (depth > 0)
        free(scopes);
    return count;
}
