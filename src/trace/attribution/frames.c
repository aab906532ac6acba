/* frames.c: the functions that the compiler has expanded at an address, from the file's DWARF.
 *
 *     count = frames_inlined(module, address, frames, line);
 */
#include "trace/attribution/frames.h"
#include "trace/attribution/binary.h"
#include "trace/attribution/names.h"
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_line(char line[LINE_ROOM], const char *file, int number)
{
    if (file == NULL)
        line[0] = '\0';
    else
        snprintf(line, LINE_ROOM, "%.200s:%d", base_name(file), number);
}

/* The place of the call at which a function was expanded. */
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

/* Writes the functions that were expanded at the address into the one that is there, the outermost
 * first; their number. (dwarf_getscopes() looks for where they come from in the same unit, which is
 * another one with -flto.) */
static size_t inlined_in(Dwarf_Die *die, Dwarf_Addr address, Dwarf_Die inlined[FRAMES_MAX],
                         size_t count)
{
    Dwarf_Die child;
    for (int left = dwarf_child(die, &child); left == 0; left = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_namespace || tag == DW_TAG_module) {
            size_t more = inlined_in(&child, address, inlined, count);
            if (more > count)
                return more;
        } else if (dwarf_haspc(&child, address) > 0) {
            if (tag == DW_TAG_inlined_subroutine && count < FRAMES_MAX - 1)
                inlined[count++] = child;
            return inlined_in(&child, address, inlined, tag == DW_TAG_subprogram ? 0 : count);
        }
    }
    return count;
}

size_t frames_inlined(Dwfl_Module *module, uint64_t address, struct frame frames[FRAMES_MAX],
                      char outer[LINE_ROOM])
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias), inlined[FRAMES_MAX];
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    int number = 0;
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    put_line(outer, file, number);
    size_t count = unit != NULL ? inlined_in(unit, address - bias, inlined, 0) : 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(frames[i].line, outer, LINE_ROOM);
        put_name(frames[i].function, &inlined[count - 1 - i]);
        put_call(outer, unit, &inlined[count - 1 - i]);
    }
    return count;
}
