/* card.c: a driver of OpenCL, of which the loader knows by OCL_ICD_VENDORS, whose card is simulated
 * (card_simulated.h): its caches, TLBs and clock are known, and it fails on command.
 *
 * TLBLAB_CARD is a comma list of NAME=NUMBER, with the names and numbers of the simulated card's
 * settings, and of failures: no_device, old, no_context, compile, no_queue, no_times, no_map,
 * no_launch, long_name, broken; `generous` makes buffers above the claimed allocation. A command
 * takes the time that it would take on that card; nothing waits, so that tests take none.
 *
 * example: OCL_ICD_VENDORS=folder-with-card.icd TLBLAB_CARD=l1=65536 gpu chase --pages 64:4k:x2
 */
#include "card_simulated.h"
#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static cl_icd_dispatch dispatch;
static struct _cl_platform_id platform = {&dispatch};
static struct _cl_device_id devices[2] = {{&dispatch, 0}, {&dispatch, 1}};
static struct _cl_context context = {&dispatch};
static struct _cl_command_queue queue = {&dispatch};

static double clock_ns, busy_ns;
static uint64_t commands;
static void *mapped; /* memory of the host that the driver has locked */

/* ---- commands and their events ---- */

/* A command that takes this many nanoseconds, more while the clock is still rising. Returns its
 * status. */
static cl_int command(double ns, cl_event *event)
{
    double rising = setting("rising_ns"), tick = setting("tick_ns");
    double slow = busy_ns < rising ? 2 - busy_ns / rising : 1;
    cl_int state = CL_COMPLETE;
    ns = ns * slow + setting("launch_ns");
    if (ns > setting("watchdog_ns"))
        state = CL_INVALID_COMMAND_QUEUE;
    if (++commands > (uint64_t)setting("lost_after"))
        state = CL_OUT_OF_RESOURCES;
    if (event != NULL) {
        *event = calloc(1, sizeof **event);
        **event = (struct _cl_event){&dispatch, (cl_ulong)(clock_ns / tick) * (cl_ulong)tick,
                                     (cl_ulong)((clock_ns + ns) / tick) * (cl_ulong)tick, state};
    }
    clock_ns += ns;
    busy_ns += ns;
    return event == NULL && state < 0 ? state : CL_SUCCESS;
}

static cl_int enqueue_kernel(cl_command_queue q, cl_kernel kernel, cl_uint dimensions,
                             const size_t *offset, const size_t *items, const size_t *group,
                             cl_uint waits, const cl_event *wait, cl_event *event)
{
    (void)q, (void)dimensions, (void)group, (void)waits, (void)wait;
    return fails("no_launch") ? CL_OUT_OF_RESOURCES
                              : command(card_simulated(kernel, offset[0], items[0]), event);
}

static cl_int enqueue_write(cl_command_queue q, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t bytes, const void *from, cl_uint waits, const cl_event *wait,
                            cl_event *event)
{
    static double writes;
    (void)q, (void)blocking, (void)waits, (void)wait;
    if (++writes > setting("lost_after_writes"))
        commands = UINT64_MAX / 2;
    memcpy((char *)buffer->at + offset, from, bytes);
    return command((double)bytes / (from == mapped ? 24 : 8), event);
}

static cl_int enqueue_read(cl_command_queue q, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t bytes, void *to, cl_uint waits, const cl_event *wait,
                           cl_event *event)
{
    (void)q, (void)blocking, (void)waits, (void)wait;
    memcpy(to, (char *)buffer->at + offset, bytes);
    return command((double)bytes / (to == mapped ? 20 : 6), event);
}

static void *enqueue_map(cl_command_queue q, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                         size_t offset, size_t bytes, cl_uint waits, const cl_event *wait,
                         cl_event *event, cl_int *status)
{
    (void)q, (void)blocking, (void)flags, (void)bytes, (void)waits, (void)wait, (void)event;
    *status = fails("no_map") ? CL_MAP_FAILURE : CL_SUCCESS;
    mapped = (char *)buffer->at + offset;
    return mapped;
}

static cl_int enqueue_unmap(cl_command_queue q, cl_mem buffer, void *at, cl_uint waits,
                            const cl_event *wait, cl_event *event)
{
    (void)q, (void)buffer, (void)at, (void)waits, (void)wait, (void)event;
    return CL_SUCCESS;
}

static cl_int wait_for(cl_uint count, const cl_event *events)
{
    (void)count;
    return events[0]->state < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

static cl_int event_info(cl_event event, cl_event_info what, size_t room, void *to, size_t *size)
{
    (void)what, (void)room, (void)size;
    memcpy(to, &event->state, sizeof event->state);
    return CL_SUCCESS;
}

static cl_int event_times(cl_event event, cl_profiling_info what, size_t room, void *to,
                          size_t *size)
{
    (void)room, (void)size;
    if (fails("no_times"))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    memcpy(to, what == CL_PROFILING_COMMAND_START ? &event->start : &event->end, sizeof event->end);
    return CL_SUCCESS;
}

static cl_int release_event(cl_event event)
{
    free(event);
    return CL_SUCCESS;
}

static cl_int same_queue(cl_command_queue q)
{
    (void)q;
    return CL_SUCCESS;
}

/* ---- platform and devices ---- */

static cl_int answer(const void *value, size_t bytes, size_t room, void *to, size_t *size)
{
    if (size != NULL)
        *size = bytes;
    if (to != NULL && room < bytes)
        return CL_INVALID_VALUE;
    if (to != NULL)
        memcpy(to, value, bytes);
    return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t room, void *to, size_t *size)
{
    return answer(text, strlen(text) + 1, room, to, size);
}

static cl_int CL_API_CALL platform_ids(cl_uint room, cl_platform_id *to, cl_uint *count)
{
    if (room > 0 && to != NULL)
        *to = &platform;
    if (count != NULL)
        *count = 1;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL platform_info(cl_platform_id p, cl_platform_info what, size_t room,
                                        void *to, size_t *size)
{
    (void)p;
    switch (what) {
    case CL_PLATFORM_PROFILE:
        return answer_text("FULL_PROFILE", room, to, size);
    case CL_PLATFORM_VERSION:
        return answer_text("OpenCL 1.2 simulated", room, to, size);
    case CL_PLATFORM_EXTENSIONS:
        return answer_text("cl_khr_icd", room, to, size);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return answer_text("TLBLAB", room, to, size);
    default:
        return answer_text(fails("long_name") ? LONG_NAME : "A simulated platform", room, to, size);
    }
}

static cl_int device_ids(cl_platform_id p, cl_device_type type, cl_uint room, cl_device_id *to,
                         cl_uint *count)
{
    (void)p, (void)type;
    if (fails("no_device"))
        return CL_DEVICE_NOT_FOUND;
    *count = (cl_uint)setting("devices");
    for (cl_uint i = 0; i < *count && i < room && to != NULL; i++)
        to[i] = &devices[i];
    return CL_SUCCESS;
}

static cl_int device_text(cl_device_id device, cl_device_info what, size_t room, void *to,
                          size_t *size)
{
    switch (what) {
    case CL_DEVICE_NAME:
        return answer_text(device->number == 0 ? "Simulated Card 100" : "Simulated Card 200", room,
                           to, size);
    case CL_DEVICE_VERSION:
        return answer_text(fails("old") ? "OpenCL 1.1 simulated" : "OpenCL 1.2 simulated", room, to,
                           size);
    case CL_DEVICE_VENDOR:
        return answer_text("tlblab", room, to, size);
    default:
        return answer_text("1.0", room, to, size);
    }
}

static cl_int device_info(cl_device_id device, cl_device_info what, size_t room, void *to,
                          size_t *size)
{
    const char *name = what == CL_DEVICE_GLOBAL_MEM_SIZE         ? "memory"
                       : what == CL_DEVICE_MAX_MEM_ALLOC_SIZE    ? "allocation"
                       : what == CL_DEVICE_GLOBAL_MEM_CACHE_SIZE ? "l2"
                                                                 : NULL;
    cl_ulong wide = name != NULL                                   ? (cl_ulong)setting(name)
                    : what == CL_DEVICE_LOCAL_MEM_SIZE             ? 49152
                    : what == CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE   ? 65536
                    : what == CL_DEVICE_TYPE                       ? CL_DEVICE_TYPE_GPU
                    : what == CL_DEVICE_MAX_WORK_GROUP_SIZE        ? 1024
                    : what == CL_DEVICE_PROFILING_TIMER_RESOLUTION ? (cl_ulong)setting("tick_ns")
                                                                   : 0;
    cl_uint narrow = what == CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE ? (cl_uint)setting("line")
                     : what == CL_DEVICE_MAX_COMPUTE_UNITS       ? 8
                     : what == CL_DEVICE_HOST_UNIFIED_MEMORY     ? (cl_uint)setting("unified")
                                                                 : 0;
    if (wide > 0)
        return answer(&wide, sizeof wide, room, to, size);
    if (what == CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE || what == CL_DEVICE_MAX_COMPUTE_UNITS ||
        what == CL_DEVICE_HOST_UNIFIED_MEMORY)
        return answer(&narrow, sizeof narrow, room, to, size);
    if (what == CL_DEVICE_MAX_CLOCK_FREQUENCY)
        return CL_INVALID_VALUE; /* some drivers do not report it */
    return device_text(device, what, room, to, size);
}

/* ---- contexts, programs, kernels, buffers ---- */

static cl_context
create_context(const cl_context_properties *p, cl_uint count, const cl_device_id *list,
               void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
               cl_int *status)
{
    (void)p, (void)count, (void)list, (void)notify, (void)data;
    *status = fails("no_context") ? CL_DEVICE_NOT_AVAILABLE : CL_SUCCESS;
    return *status == CL_SUCCESS ? &context : NULL;
}

static cl_command_queue create_queue(cl_context c, cl_device_id device,
                                     cl_command_queue_properties properties, cl_int *status)
{
    (void)c, (void)device, (void)properties;
    *status = fails("no_queue") ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS;
    return *status == CL_SUCCESS ? &queue : NULL;
}

static cl_program create_program(cl_context c, cl_uint count, const char **text,
                                 const size_t *length, cl_int *status)
{
    struct _cl_program *program = calloc(1, sizeof *program);
    (void)c, (void)count, (void)length;
    program->dispatch = &dispatch;
    program->chains = (unsigned)strtoul(strstr(text[0], "CHAINS") + 6, NULL, 10);
    program->unit = (unsigned)strtoul(strstr(text[0], "UNIT") + 4, NULL, 10);
    *status = CL_SUCCESS;
    return program;
}

static cl_int build_program(cl_program program, cl_uint count, const cl_device_id *list,
                            const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                            void *data)
{
    (void)program, (void)count, (void)list, (void)options, (void)notify, (void)data;
    return fails("compile") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

static cl_int build_info(cl_program program, cl_device_id device, cl_program_build_info what,
                         size_t room, void *to, size_t *size)
{
    (void)program, (void)device, (void)what;
    return answer_text("kernel.cl:7: error: unknown word 'kernel'\n1 error\n", room, to, size);
}

static cl_kernel create_kernel(cl_program program, const char *name, cl_int *status)
{
    struct _cl_kernel *kernel = calloc(1, sizeof *kernel);
    kernel->dispatch = &dispatch;
    kernel->chains = program->chains;
    kernel->unit = program->unit;
    strncpy(kernel->name, name, sizeof kernel->name - 1);
    *status = CL_SUCCESS;
    return kernel;
}

static cl_int set_argument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    if (index >= ARGUMENTS)
        return CL_INVALID_ARG_INDEX;
    kernel->argument[index].number = 0;
    if (value != NULL && bytes <= 8)
        memcpy(&kernel->argument[index].number, value, bytes);
    if (value != NULL && bytes == sizeof(cl_mem))
        memcpy(&kernel->argument[index].buffer, value, bytes);
    return CL_SUCCESS;
}

static cl_int group_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                         size_t room, void *to, size_t *size)
{
    const size_t most = 128;
    (void)kernel, (void)device, (void)what;
    return answer(&most, sizeof most, room, to, size);
}

static cl_mem create_buffer(cl_context c, cl_mem_flags flags, size_t bytes, void *host,
                            cl_int *status)
{
    (void)c, (void)flags, (void)host;
    bool claimed = (double)bytes <= setting("allocation") || fails("generous");
    *status = !claimed                            ? CL_INVALID_BUFFER_SIZE
              : (double)bytes > setting("memory") ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                                  : CL_SUCCESS;
    if (*status != CL_SUCCESS)
        return NULL;
    struct _cl_mem *buffer = calloc(1, sizeof *buffer);
    buffer->dispatch = &dispatch;
    buffer->bytes = bytes;
    buffer->at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return buffer;
}

static cl_int release_buffer(cl_mem buffer)
{
    munmap(buffer->at, buffer->bytes);
    free(buffer);
    return CL_SUCCESS;
}

static cl_int release_program(cl_program program)
{
    free(program);
    return CL_SUCCESS;
}

static cl_int release_kernel(cl_kernel kernel)
{
    free(kernel);
    return CL_SUCCESS;
}

static cl_int release_context(cl_context c)
{
    (void)c;
    return CL_SUCCESS;
}

static cl_icd_dispatch dispatch = {.clGetPlatformIDs = platform_ids,
                                   .clGetPlatformInfo = platform_info,
                                   .clGetDeviceIDs = device_ids,
                                   .clGetDeviceInfo = device_info,
                                   .clCreateContext = create_context,
                                   .clReleaseContext = release_context,
                                   .clCreateCommandQueue = create_queue,
                                   .clReleaseCommandQueue = same_queue,
                                   .clCreateBuffer = create_buffer,
                                   .clReleaseMemObject = release_buffer,
                                   .clCreateProgramWithSource = create_program,
                                   .clReleaseProgram = release_program,
                                   .clBuildProgram = build_program,
                                   .clGetProgramBuildInfo = build_info,
                                   .clCreateKernel = create_kernel,
                                   .clReleaseKernel = release_kernel,
                                   .clSetKernelArg = set_argument,
                                   .clGetKernelWorkGroupInfo = group_info,
                                   .clWaitForEvents = wait_for,
                                   .clGetEventInfo = event_info,
                                   .clReleaseEvent = release_event,
                                   .clGetEventProfilingInfo = event_times,
                                   .clFinish = same_queue,
                                   .clEnqueueReadBuffer = enqueue_read,
                                   .clEnqueueWriteBuffer = enqueue_write,
                                   .clEnqueueMapBuffer = enqueue_map,
                                   .clEnqueueUnmapMemObject = enqueue_unmap,
                                   .clEnqueueNDRangeKernel = enqueue_kernel};

/* ---- what the loader looks for ---- */

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? (void *)(uintptr_t)platform_ids
           : strcmp(name, "clGetPlatformInfo") == 0    ? (void *)(uintptr_t)platform_info
                                                       : NULL;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id p, cl_platform_info what,
                                                  size_t room, void *to, size_t *size)
{
    return platform_info(p, what, room, to, size);
}
