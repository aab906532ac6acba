/* sysfs_clock.c: what controls the cores' clock, and their microcode.
 *
 *     sysfs_clock_claims(&sink, &online, 0);    -> "governor", "powersave", "", "scaling_governor
 * …"
 */
#include "sysfs.h"
#include <stdlib.h>
#include <string.h>

static bool read_of_cpu(long cpu, const char *file, char *text, size_t size)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/%s", cpu, file);
    return platform_read_line(path, text, size);
}

/* Whether `name` is in a comma-separated list. */
static bool lists(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* The governors of all cores, each once. */
static bool claim_governor(const struct sink *sink, const struct sysfs_set *online)
{
    char all[256] = "", name[64];
    for (long cpu = sysfs_set_next(online, -1); cpu >= 0; cpu = sysfs_set_next(online, cpu)) {
        size_t used = strlen(all);
        if (read_of_cpu(cpu, "cpufreq/scaling_governor", name, sizeof name) && !lists(all, name) &&
            used + strlen(name) + 2 <= sizeof all)
            snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? "," : "", name);
    }
    if (all[0] != '\0')
        say(sink, "governor", all, "", "sysfs scaling_governor");
    return all[0] != '\0';
}

/* A file that contains `yes` if turbo is on. */
static bool claim_turbo(const struct sink *sink, const char *path, char yes)
{
    char text[16];
    bool there = platform_read_line(path, text, sizeof text);
    if (there)
        say(sink, "turbo", *text == yes ? "yes" : "no", "", path);
    return there;
}

static bool claim_frequency(const struct sink *sink, const char *key, long cpu, const char *file)
{
    char text[32], value[32], source[64];
    if (!read_of_cpu(cpu, file, text, sizeof text) || strtoull(text, NULL, 10) == 0)
        return false;
    snprintf(value, sizeof value, "%.6g", (double)strtoull(text, NULL, 10) / 1e6); /* from kHz */
    snprintf(source, sizeof source, "sysfs cpu%ld %s", cpu, strchr(file, '/') + 1);
    say(sink, key, value, "GHz", source);
    return true;
}

static void claim_microcode(const struct sink *sink, long cpu)
{
    char text[64];
    bool there = read_of_cpu(cpu, "microcode/version", text, sizeof text);
    if (there)
        say(sink, "microcode", text, "", "sysfs microcode/version");
    if (sysfs_read_keyed("/proc/cpuinfo", "microcode", text, sizeof text))
        say(sink, "microcode", text, "", "/proc/cpuinfo");
    else if (!there)
        say(sink, "microcode", "unknown", "", "no file of the system states it");
}

void sysfs_clock_claims(const struct sink *sink, const struct sysfs_set *online, long cpu)
{
    static const char pstate[] = "/sys/devices/system/cpu/intel_pstate/no_turbo",
                      boost[] = "/sys/devices/system/cpu/cpufreq/boost";
    const char *why = sysfs_is_guest() ? "no cpufreq in sysfs: the hypervisor sets the clock"
                                       : "no cpufreq in sysfs";
    if (!claim_governor(sink, online))
        say(sink, "governor", "unknown", "", why);
    bool intel = claim_turbo(sink, pstate, '0');
    if (!claim_turbo(sink, boost, '1') && !intel)
        say(sink, "turbo", "unknown", "", why);
    bool least = claim_frequency(sink, "min_ghz", cpu, "cpufreq/cpuinfo_min_freq");
    if (!claim_frequency(sink, "min_ghz", cpu, "cpufreq/scaling_min_freq") && !least)
        say(sink, "min_ghz", "unknown", "GHz", why);
    bool most = claim_frequency(sink, "max_ghz", cpu, "cpufreq/cpuinfo_max_freq");
    if (!claim_frequency(sink, "max_ghz", cpu, "cpufreq/scaling_max_freq") && !most)
        say(sink, "max_ghz", "unknown", "GHz", why);
    claim_microcode(sink, cpu);
}
