/* sysfs_arm.c: the cores of Arm's architecture, which say only by numbers what they are: those of
 * the register MIDR_EL1, as the reference manual of each core has them.
 *
 *     platform_arm_name("0x41", "0xd08")    -> "Arm Cortex-A72"
 */
#include "platform.h"
#include "sysfs.h"
#include <stdlib.h>

struct core {
    unsigned long code; /* implementer and part */
    bool small;         /* made for systems with larger ones beside it */
    const char *name;
};

static const struct core cores[] = {
    {0x410c07, true, "Arm Cortex-A7"},        {0x410d03, true, "Arm Cortex-A53"},
    {0x410d04, true, "Arm Cortex-A35"},       {0x410d05, true, "Arm Cortex-A55"},
    {0x410d07, false, "Arm Cortex-A57"},      {0x410d08, false, "Arm Cortex-A72"},
    {0x410d09, false, "Arm Cortex-A73"},      {0x410d0a, false, "Arm Cortex-A75"},
    {0x410d0b, false, "Arm Cortex-A76"},      {0x410d0c, false, "Arm Neoverse-N1"},
    {0x410d0d, false, "Arm Cortex-A77"},      {0x410d40, false, "Arm Neoverse-V1"},
    {0x410d41, false, "Arm Cortex-A78"},      {0x410d44, false, "Arm Cortex-X1"},
    {0x410d46, true, "Arm Cortex-A510"},      {0x410d47, false, "Arm Cortex-A710"},
    {0x410d48, false, "Arm Cortex-X2"},       {0x410d49, false, "Arm Neoverse-N2"},
    {0x410d4d, false, "Arm Cortex-A715"},     {0x410d4e, false, "Arm Cortex-X3"},
    {0x410d4f, false, "Arm Neoverse-V2"},     {0x410d80, true, "Arm Cortex-A520"},
    {0x410d81, false, "Arm Cortex-A720"},     {0x410d82, false, "Arm Cortex-X4"},
    {0x410d84, false, "Arm Neoverse-V3"},     {0x410d85, false, "Arm Cortex-X925"},
    {0x410d87, false, "Arm Cortex-A725"},     {0x410d8a, true, "Arm C1-Nano"},
    {0x410d8e, false, "Arm Neoverse-N3"},     {0x510801, true, "Qualcomm Kryo Silver"},
    {0x510803, true, "Qualcomm Kryo Silver"}, {0x510805, true, "Qualcomm Kryo Silver"},
    {0x610022, true, "Apple M1 Icestorm"},    {0x610023, false, "Apple M1 Firestorm"},
    {0x610024, true, "Apple M1 Icestorm"},    {0x610025, false, "Apple M1 Firestorm"},
    {0x610028, true, "Apple M1 Icestorm"},    {0x610029, false, "Apple M1 Firestorm"},
    {0x610032, true, "Apple M2 Blizzard"},    {0x610033, false, "Apple M2 Avalanche"},
    {0x610034, true, "Apple M2 Blizzard"},    {0x610035, false, "Apple M2 Avalanche"},
    {0x610038, true, "Apple M2 Blizzard"},    {0x610039, false, "Apple M2 Avalanche"},
    {0xc00ac3, false, "AmpereOne"},
};

static const struct core *find(unsigned long code)
{
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        if (cores[i].code == code)
            return &cores[i];
    return NULL;
}

bool sysfs_is_small(unsigned long code)
{
    const struct core *core = find(code);
    return core != NULL && core->small;
}

const char *platform_arm_name(const char *implementer, const char *part)
{
    const struct core *core = find(strtoul(implementer, NULL, 0) << 16 | strtoul(part, NULL, 0));
    return core != NULL ? core->name : NULL;
}
