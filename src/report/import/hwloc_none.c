/* hwloc_none.c: refuses XML of hwloc, for builds without it. */
#include "base/error.h"
#include "report/import/forms.h"

void take_hwloc(const char *file)
{
    die("%s: XML of hwloc needs libhwloc, and this program was built without it", file);
}
