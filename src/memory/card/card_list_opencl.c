/* card_list_opencl.c: the devices of all drivers, and what the drivers report about them. */
#include "base/error.h"
#include "memory/card/card.h"
#include "memory/card/opencl.h"
#include <stdio.h>
#include <string.h>

enum { PLATFORMS_MAX = 16, DEVICES_MAX = 64 }; /* [bound] */

/* Returned by the loader if it finds no driver. [physics: cl_khr_icd] */
enum { PLATFORM_NOT_FOUND = -1001 };

static cl_device_id devices[DEVICES_MAX];

const char *opencl_status(cl_int status)
{
    static char text[32];
    static const struct {
        cl_int status;
        const char *name;
    } names[] = {{CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
                 {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
                 {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
                 {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
                 {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
                 {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
                 {CL_PROFILING_INFO_NOT_AVAILABLE, "CL_PROFILING_INFO_NOT_AVAILABLE"},
                 {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
                 {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
                 {CL_INVALID_QUEUE_PROPERTIES, "CL_INVALID_QUEUE_PROPERTIES"},
                 {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
                 {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
                 {CL_MAP_FAILURE, "CL_MAP_FAILURE"},
                 {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
                 {PLATFORM_NOT_FOUND, "CL_PLATFORM_NOT_FOUND_KHR"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            return names[i].name;
    snprintf(text, sizeof text, "OpenCL status %d", (int)status);
    return text;
}

/* ---- claims ---- */

enum { TEXT_MAX = 1024 }; /* of a driver. [bound] */

/* Copies a driver's text, trimmed of surrounding blanks and cut to fit. */
static void cut_text(const char *whole, char text[CARD_TEXT])
{
    snprintf(text, CARD_TEXT, "%.*s", CARD_TEXT - 1, whole + strspn(whole, " "));
    for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--)
        text[end - 1] = '\0';
}

static void device_text(cl_device_id device, cl_device_info what, char text[CARD_TEXT])
{
    char whole[TEXT_MAX] = "";
    if (clGetDeviceInfo(device, what, sizeof whole - 1, whole, NULL) != CL_SUCCESS)
        *whole = '\0';
    cut_text(whole, text);
}

static void platform_text(cl_platform_id platform, cl_platform_info what, char text[CARD_TEXT])
{
    char whole[TEXT_MAX] = "";
    if (clGetPlatformInfo(platform, what, sizeof whole - 1, whole, NULL) != CL_SUCCESS)
        *whole = '\0';
    cut_text(whole, text);
}

/* A number of 4 or 8 bytes, as the driver returns it; 0 if it returns none. */
static uint64_t device_number(cl_device_id device, cl_device_info what)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    size_t bytes = 0;
    if (clGetDeviceInfo(device, what, 0, NULL, &bytes) != CL_SUCCESS)
        return 0;
    if (bytes == sizeof narrow && !clGetDeviceInfo(device, what, bytes, &narrow, NULL))
        return narrow;
    if (bytes == sizeof wide && !clGetDeviceInfo(device, what, bytes, &wide, NULL))
        return wide;
    return 0;
}

static struct card_claims claims_of(cl_device_id device, cl_platform_id platform)
{
    struct card_claims c = {0};
    uint64_t type = device_number(device, CL_DEVICE_TYPE);
    device_text(device, CL_DEVICE_NAME, c.name);
    device_text(device, CL_DEVICE_VENDOR, c.vendor);
    device_text(device, CL_DRIVER_VERSION, c.driver);
    device_text(device, CL_DEVICE_VERSION, c.version);
    platform_text(platform, CL_PLATFORM_NAME, c.platform);
    c.type = type & CL_DEVICE_TYPE_GPU           ? "gpu"
             : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
             : type & CL_DEVICE_TYPE_CPU         ? "cpu"
                                                 : "other";
    c.memory_bytes = device_number(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    c.allocation_bytes = device_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    c.cache_bytes = device_number(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    c.line_bytes = device_number(device, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
    c.local_bytes = device_number(device, CL_DEVICE_LOCAL_MEM_SIZE);
    c.constant_bytes = device_number(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
    c.compute_units = device_number(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    c.clock_mhz = device_number(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    c.group_items = device_number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    c.timer_ns = device_number(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION);
    c.unified = device_number(device, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
    return c;
}

/* ---- the list ---- */

/* Appends a driver's devices; returns why it has none, or NULL. */
static const char *add_platform(cl_platform_id platform, struct card_claims *list, size_t *count)
{
    cl_uint found = 0;
    cl_int status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, (cl_uint)(DEVICES_MAX - *count),
                                   devices + *count, &found);
    if (status != CL_SUCCESS)
        return opencl_status(status);
    for (cl_uint i = 0; i < found && *count < DEVICES_MAX; i++, (*count)++)
        list[*count] = claims_of(devices[*count], platform);
    return found == 0 ? "it lists none" : NULL;
}

struct card_claims *cards_list(size_t *count)
{
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint found = 0;
    const char *why = NULL;
    cl_int status = clGetPlatformIDs(PLATFORMS_MAX, platforms, &found);
    if (status != CL_SUCCESS || found == 0)
        die("no OpenCL driver here (%s): install the card's (Debian: nvidia-opencl-icd, "
            "mesa-opencl-icd, intel-opencl-icd; for the processor pocl-opencl-icd)",
            opencl_status(status == CL_SUCCESS ? PLATFORM_NOT_FOUND : status));
    struct card_claims *list = allocate(DEVICES_MAX, sizeof *list);
    *count = 0;
    for (cl_uint i = 0; i < found && i < PLATFORMS_MAX; i++) {
        const char *none = add_platform(platforms[i], list, count);
        why = none != NULL ? none : why;
    }
    if (*count == 0)
        die("the OpenCL driver has no device (%s): is there a card, may this user open it, and do "
            "the versions of driver and kernel module match?",
            why);
    return list;
}

cl_device_id opencl_device(size_t index)
{
    return devices[index];
}
