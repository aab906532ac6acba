/* card_opencl.c: an open OpenCL device: its buffers, its kernels and their timing. */
#include "access/kernel.h"
#include "base/error.h"
#include "memory/card/card.h"
#include "memory/card/opencl.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_MAX = 256, LOG_LINES = 20 }; /* [prior], [bound] */

/* The number that the arithmetic adds; any will do. */
static const cl_uint some_base = 0x9e3779b9;

struct card {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    struct build {
        cl_program program;
        cl_kernel kernel[CARD_KERNELS];
    } build[2][KERNEL_CHAINS + 1]; /* near and far, by number of chains; compiled when needed */
    cl_mem buffer[CARD_BUFFERS];
    uint64_t capacity[CARD_BUFFERS];
    /* host memory of transfers: pageable, and mapped memory that the driver has locked */
    void *pageable, *mapped;
    cl_mem locked;
    uint64_t pageable_capacity, locked_capacity;
};

/* ---- failures ---- */

static bool is_lack_of_memory(cl_int status)
{
    return status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
           status == CL_OUT_OF_HOST_MEMORY || status == CL_INVALID_BUFFER_SIZE;
}

static void must(cl_int status, const char *what)
{
    if (status != CL_SUCCESS)
        die("the device cannot %s (%s)", what, opencl_status(status));
}

/* A command that started has failed. */
_Noreturn static void die_of_device(cl_int status, const char *what)
{
    die("the device ended a %s (%s): a watchdog (common on cards that drive a display), a reset by "
        "another program, or a lost device; the rows so far are complete",
        what, opencl_status(status));
}

/* A lost device reports no memory either, but it also fails to write to memory it gave before. */
static void must_lack_memory(const struct card *card, cl_int status, const char *what)
{
    static const cl_uint zero = 0;
    if (!is_lack_of_memory(status))
        must(status, what);
    if (card->buffer[CARD_STATE] == NULL)
        return;
    status = clEnqueueWriteBuffer(card->queue, card->buffer[CARD_STATE], CL_TRUE, 0, sizeof zero,
                                  &zero, 0, NULL, NULL);
    if (status != CL_SUCCESS)
        die_of_device(status, "copy");
}

/* ---- opening ---- */

static void release(cl_mem *memory, uint64_t *capacity)
{
    if (*memory != NULL)
        clReleaseMemObject(*memory);
    *memory = NULL;
    *capacity = 0;
}

static cl_command_queue open_queue(const struct card *card)
{
    cl_int status;
    cl_command_queue queue = clCreateCommandQueue(card->context, card->device,
                                                  CL_QUEUE_PROFILING_ENABLE, &status);
    if (status == CL_INVALID_QUEUE_PROPERTIES || status == CL_INVALID_VALUE)
        die("the device cannot time its kernels (%s), so nothing can be measured",
            opencl_status(status));
    must(status, "open a queue of commands");
    return queue;
}

struct card *card_open(size_t index)
{
    struct card *card = allocate(1, sizeof *card);
    cl_int status;
    card->device = opencl_device(index);
    card->context = clCreateContext(NULL, 1, &card->device, NULL, NULL, &status);
    must(status, "be opened");
    card->queue = open_queue(card);
    if (!card_reserve(card, CARD_STATE, CARD_STATES * sizeof(cl_uint)))
        die("the device has no memory left");
    return card;
}

/* Frees the host memory of transfers. */
static void release_host(struct card *card)
{
    if (card->mapped != NULL && clEnqueueUnmapMemObject(card->queue, card->locked, card->mapped, 0,
                                                        NULL, NULL) == CL_SUCCESS)
        clFinish(card->queue);
    release(&card->locked, &card->locked_capacity);
    free(card->pageable);
    card->pageable = card->mapped = NULL;
    card->pageable_capacity = 0;
}

void card_release(struct card *card)
{
    for (int b = CARD_A; b <= CARD_C; b++)
        release(&card->buffer[b], &card->capacity[b]);
    release_host(card);
}

static void release_build(const struct build *build)
{
    for (int k = 0; k < CARD_KERNELS; k++)
        if (build->kernel[k] != NULL)
            clReleaseKernel(build->kernel[k]);
    if (build->program != NULL)
        clReleaseProgram(build->program);
}

void card_close(struct card *card)
{
    for (unsigned chains = 0; chains <= KERNEL_CHAINS; chains++)
        for (int far = 0; far < 2; far++)
            release_build(&card->build[far][chains]);
    card_release(card);
    release(&card->buffer[CARD_STATE], &card->capacity[CARD_STATE]);
    clReleaseCommandQueue(card->queue);
    clReleaseContext(card->context);
    free(card);
}

/* ---- compiling ---- */

_Noreturn static void die_of_compiler(const struct card *card, cl_program program, cl_int status)
{
    size_t bytes = 0;
    char *log, *next;
    clGetProgramBuildInfo(program, card->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    log = allocate(bytes + 1, 1);
    clGetProgramBuildInfo(program, card->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    log[bytes] = '\0';
    for (int line = 0; line < LOG_LINES && *log != '\0'; line++, log = next) {
        size_t length = strcspn(log, "\n");
        next = log + length + (log[length] == '\n');
        warn("compiler: %.*s", (int)length, log);
    }
    die("the compiler of the device's driver fails (%s)", opencl_status(status));
}

static cl_program compile(struct card *card, unsigned chains, bool far)
{
    char *source = card_source(chains, far);
    const char *text = source;
    cl_int status;
    cl_program program = clCreateProgramWithSource(card->context, 1, &text, NULL, &status);
    must(status, "take a program");
    status = clBuildProgram(program, 1, &card->device, "", NULL, NULL);
    if (status != CL_SUCCESS)
        die_of_compiler(card, program, status);
    free(source);
    return program;
}

static cl_kernel kernel_of(struct card *card, const struct card_work *work)
{
    unsigned chains = work->chains > 1 ? work->chains : 1;
    struct build *build = &card->build[work->far][chains];
    cl_kernel *kernel = &build->kernel[work->kernel];
    cl_int status;
    if (build->program == NULL)
        build->program = compile(card, chains, work->far);
    if (*kernel == NULL) {
        *kernel = clCreateKernel(build->program, card_kernel_name(work->kernel), &status);
        must(status, "make a kernel");
    }
    return *kernel;
}

/* ---- memory ---- */

/* Writes a byte at the end: some drivers allocate only at first use. */
bool card_reserve(struct card *card, enum card_buffer buffer, uint64_t bytes)
{
    static const cl_uint zero = 0;
    cl_int status;
    bytes = (bytes + 15) / 16 * 16;
    if (bytes <= card->capacity[buffer])
        return true;
    release(&card->buffer[buffer], &card->capacity[buffer]);
    card->buffer[buffer] = clCreateBuffer(card->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (status == CL_SUCCESS) {
        status = clEnqueueWriteBuffer(card->queue, card->buffer[buffer], CL_TRUE,
                                      bytes - sizeof zero, sizeof zero, &zero, 0, NULL, NULL);
        if (status != CL_SUCCESS)
            clReleaseMemObject(card->buffer[buffer]);
    }
    if (status == CL_SUCCESS) {
        card->capacity[buffer] = bytes;
        return true;
    }
    card->buffer[buffer] = NULL;
    must_lack_memory(card, status, "make a buffer");
    return false;
}

void card_renew(struct card *card, enum card_buffer buffer)
{
    uint64_t bytes = card->capacity[buffer];
    if (bytes == 0)
        return;
    release(&card->buffer[buffer], &card->capacity[buffer]);
    card_reserve(card, buffer, bytes);
}

void card_put(struct card *card, enum card_buffer buffer, const void *from, uint64_t bytes)
{
    cl_int status = clEnqueueWriteBuffer(card->queue, card->buffer[buffer], CL_TRUE, 0, bytes, from,
                                         0, NULL, NULL);
    if (status != CL_SUCCESS)
        die_of_device(status, "copy");
}

void card_get(struct card *card, enum card_buffer buffer, void *to, uint64_t bytes)
{
    cl_int status = clEnqueueReadBuffer(card->queue, card->buffer[buffer], CL_TRUE, 0, bytes, to, 0,
                                        NULL, NULL);
    if (status != CL_SUCCESS)
        die_of_device(status, "copy");
}

/* ---- time ---- */

/* Waits for a command and returns its nanoseconds; `what` names it in errors. */
static double time_of(cl_event event, const char *what)
{
    cl_ulong start = 0, end = 0;
    cl_int status = clWaitForEvents(1, &event), state = CL_COMPLETE;
    if (status == CL_SUCCESS || status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) ==
                CL_SUCCESS &&
            state < 0)
            status = state;
    if (status != CL_SUCCESS)
        die_of_device(status, what);
    status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (status == CL_SUCCESS)
        status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    if (status != CL_SUCCESS)
        die("the device does not report how long a %s took (%s), so nothing can be measured", what,
            opencl_status(status));
    clReleaseEvent(event);
    return end > start ? (double)(end - start) : 0;
}

/* ---- kernels ---- */

struct arguments {
    cl_kernel kernel;
    cl_uint count;
    cl_int status;
};

static void add(struct arguments *to, size_t bytes, const void *value)
{
    cl_int status = clSetKernelArg(to->kernel, to->count++, bytes, value);
    to->status = to->status == CL_SUCCESS ? status : to->status;
}

static void add_buffer(struct arguments *to, const struct card *card, enum card_buffer buffer)
{
    add(to, sizeof(cl_mem), &card->buffer[buffer]);
}

/* Sets the arguments in source order. */
static void set_arguments(const struct card *card, cl_kernel kernel, const struct card_work *work)
{
    struct arguments to = {kernel, 0, CL_SUCCESS};
    const cl_uint rounds = (cl_uint)(work->hops / CARD_UNROLLED),
                  short_count = (cl_uint)work->count;
    const cl_ulong count = work->count, step = work->step;
    enum card_kernel k = work->kernel;
    bool chases = k == CARD_CHASE || k == CARD_VOLATILE || k == CARD_CONSTANT;
    if (k != CARD_ARITHMETIC)
        add_buffer(&to, card, k == CARD_WRITE ? work->into : CARD_A);
    if (k == CARD_LINK || k == CARD_COPY || k == CARD_TRIAD)
        add_buffer(&to, card, CARD_B);
    else if (k != CARD_WRITE)
        add_buffer(&to, card, CARD_STATE);
    if (k == CARD_TRIAD)
        add_buffer(&to, card, CARD_C);
    if (chases || k == CARD_LOCAL || k == CARD_ARITHMETIC)
        add(&to, sizeof rounds, &rounds);
    else if (k == CARD_WRITE)
        add(&to, sizeof short_count, &short_count); /* any value */
    if (k == CARD_ARITHMETIC)
        add(&to, sizeof some_base, &some_base);
    else if (k == CARD_LOCAL) {
        add(&to, work->count * sizeof(cl_uint), NULL);
        add(&to, sizeof short_count, &short_count);
    } else if (!chases)
        add(&to, sizeof count, &count);
    if (k == CARD_SPACED)
        add(&to, sizeof step, &step);
    must(to.status, "take the arguments of a kernel");
}

/* Work items per group: all for CARD_LOCAL, else as many as the kernel allows, up to GROUP_MAX. */
static size_t group_items(const struct card *card, cl_kernel kernel, const struct card_work *work,
                          size_t items)
{
    size_t most = 1;
    if (clGetKernelWorkGroupInfo(kernel, card->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                 &most, NULL) != CL_SUCCESS)
        most = 1;
    if (work->kernel == CARD_LOCAL && items > most)
        die("%zu work items: a work group of this kernel has at most %zu on this device", items,
            most);
    most = most < GROUP_MAX || work->kernel == CARD_LOCAL ? most : GROUP_MAX;
    return items < most ? items : most;
}

double card_run(struct card *card, const struct card_work *work)
{
    cl_kernel kernel = kernel_of(card, work);
    size_t items = work->items > 0 ? work->items : 1;
    size_t group = group_items(card, kernel, work, items);
    size_t all = (items + group - 1) / group * group, first = work->first;
    cl_event event;
    set_arguments(card, kernel, work);
    cl_int status = clEnqueueNDRangeKernel(card->queue, kernel, 1, &first, &all, &group, 0, NULL,
                                           &event);
    must(status, "start a kernel");
    return time_of(event, "kernel");
}

/* ---- between host and device ---- */

/* Untouched memory would be one page of zeros, so all of it is written once. */

static void *pageable_memory(struct card *card, uint64_t bytes)
{
    if (card->pageable_capacity < bytes) {
        release_host(card);
        card->pageable = malloc(bytes);
        if (card->pageable == NULL)
            return NULL;
        memset(card->pageable, 1, bytes);
        card->pageable_capacity = bytes;
    }
    return card->pageable;
}

/* Host memory that the driver has locked; NULL if there is too little. */
static void *locked_memory(struct card *card, uint64_t bytes)
{
    cl_int status;
    if (card->locked_capacity >= bytes)
        return card->mapped;
    release_host(card);
    card->locked = clCreateBuffer(card->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes,
                                  NULL, &status);
    if (status != CL_SUCCESS) {
        card->locked = NULL;
        must_lack_memory(card, status, "make a buffer in the host's memory");
        return NULL;
    }
    card->mapped = clEnqueueMapBuffer(card->queue, card->locked, CL_TRUE,
                                      CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &status);
    if (status != CL_SUCCESS) {
        card->mapped = NULL;
        must_lack_memory(card, status, "map a buffer into the host's memory");
        return NULL;
    }
    memset(card->mapped, 1, bytes);
    card->locked_capacity = bytes;
    return card->mapped;
}

double card_transfer(struct card *card, bool to_device, bool pinned, uint64_t bytes)
{
    cl_event event;
    cl_int status;
    if (!card_reserve(card, CARD_A, bytes))
        return NAN;
    void *host = pinned ? locked_memory(card, bytes) : pageable_memory(card, bytes);
    if (host == NULL)
        return NAN;
    if (to_device)
        status = clEnqueueWriteBuffer(card->queue, card->buffer[CARD_A], CL_TRUE, 0, bytes, host, 0,
                                      NULL, &event);
    else
        status = clEnqueueReadBuffer(card->queue, card->buffer[CARD_A], CL_TRUE, 0, bytes, host, 0,
                                     NULL, &event);
    if (status != CL_SUCCESS)
        die_of_device(status, "copy");
    return time_of(event, "copy");
}
