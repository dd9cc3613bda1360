/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclbuffer.h"
#include "gsthugepages.h"

static void CL_CALLBACK
free_block (cl_mem handle, void *block)
{
  gst_huge_pages_free (block);
}

/* On a device that is the CPU itself the memory can be ours, on huge pages.  Nobody need have the buffer any more while commands still use
 * it: the device says when it is done with the memory, on a thread of its choice. */
static cl_mem
create_of_own_memory (GstClContext *context, gsize size, gboolean sparse, cl_int *status)
{
  gpointer block;
  cl_mem handle;

  GST_CL_CREATE (block = sparse ? gst_huge_pages_alloc_sparse (size) : gst_huge_pages_alloc (size),
      block ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
  if (!block) {
    *status = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  GST_CL_CREATE (handle = clCreateBuffer (context->handle, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, block, status), *status);
  if (*status != CL_SUCCESS) {
    gst_huge_pages_free (block);
    return NULL;
  }
  *status = GST_CL_CALL (clSetMemObjectDestructorCallback (handle, free_block, block));
  if (*status != CL_SUCCESS) {
    GST_CL_CALL (clReleaseMemObject (handle));
    gst_huge_pages_free (block);
    return NULL;
  }
  return handle;
}

cl_mem
gst_cl_buffer_new (GstClContext *context, gsize size, gboolean sparse, cl_int *status)
{
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  cl_mem handle;

  if (context->shared_memory && context->device.is_cpu)
    return create_of_own_memory (context, size, sparse, status);
  if (context->shared_memory)
    flags |= CL_MEM_ALLOC_HOST_PTR;
  GST_CL_CREATE (handle = clCreateBuffer (context->handle, flags, size, NULL, status), *status);
  return handle;
}
