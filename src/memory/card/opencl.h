/* opencl.h: what card_list_opencl.c and card_opencl.c share. */
#ifndef TLBLAB_CARD_OPENCL_H
#define TLBLAB_CARD_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120 /* 1.2 [bound] */
#include <CL/cl.h>
#include <stddef.h>

/* The name of a status ("CL_OUT_OF_RESOURCES"), or its number. Valid until the next call. */
const char *opencl_status(cl_int status);

/* The device of that number in cards_list(). */
cl_device_id opencl_device(size_t index);

#endif
