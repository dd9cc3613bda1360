/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclcontext-private.h"
#include "gstcldevices-private.h"
#include "gstclpoclcache.h"

GST_DEBUG_CATEGORY_STATIC (gst_cl_context_debug);
#define GST_CAT_DEFAULT gst_cl_context_debug

G_DEFINE_TYPE_WITH_CODE (GstClContext, gst_cl_context, GST_TYPE_OBJECT,
    GST_DEBUG_CATEGORY_INIT (gst_cl_context_debug, "clcontext", 0, "OpenCL device and context"));

#define WHAT_TO_INSTALL \
  "install an OpenCL driver (Debian: pocl-opencl-icd for the CPU; intel-opencl-icd, mesa-opencl-icd or nvidia-opencl-icd for a GPU)"

/* Contexts alive, so that all elements of a process share one per device: GWeakRef */
static GMutex contexts_lock;
static GList *contexts;

static void
release_program (gpointer program)
{
  if (program)
    GST_CL_CALL (clReleaseProgram (program));
}

static void
gst_cl_context_init (GstClContext *self)
{
  g_mutex_init (&self->programs_lock);
  g_cond_init (&self->programs_cond);
  self->programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, release_program);
}

static void
gst_cl_context_finalize (GObject *object)
{
  GstClContext *self = GST_CL_CONTEXT (object);

  g_hash_table_unref (self->programs);
  if (self->queue)
    GST_CL_CALL (clReleaseCommandQueue (self->queue));
  if (self->handle)
    GST_CL_CALL (clReleaseContext (self->handle));
  g_cond_clear (&self->programs_cond);
  g_mutex_clear (&self->programs_lock);
  gst_cl_device_names_clear (&self->names);
  g_free (self->version);

  G_OBJECT_CLASS (gst_cl_context_parent_class)->finalize (object);
}

static void
gst_cl_context_class_init (GstClContextClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_cl_context_finalize;
}

cl_command_queue
gst_cl_context_create_queue (GstClContext *context, GError **error)
{
  return gst_cl_context_create_queue_for (context, FALSE, error);
}

cl_command_queue
gst_cl_context_create_queue_for (GstClContext *context, gboolean profiling, GError **error)
{
  const cl_command_queue_properties properties = profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
  cl_int status;
  cl_command_queue queue;

  /* clCreateCommandQueueWithProperties() is OpenCL 2.0. */
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  GST_CL_CREATE (queue = clCreateCommandQueue (context->handle, context->device.device, properties, &status), status);
  G_GNUC_END_IGNORE_DEPRECATIONS;
  if (status == CL_SUCCESS)
    return queue;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "The OpenCL device %s gave no command queue: %s", context->names.name,
      gst_cl_status_name (status));

  return NULL;
}

/* Where host and device share memory, a mapped buffer is the buffer.  GST_CL_STAGING=1 in the environment makes a device behave as if it
 * did not, to test the other way on it. */
static gboolean
device_shares_memory (const GpuKernelDevice *device)
{
  const gchar *staging = g_getenv ("GST_CL_STAGING");
  cl_bool unified = CL_FALSE;

  if (staging && g_str_equal (staging, "1"))
    return FALSE;
  if (device->is_cpu)
    return TRUE;
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  GST_CL_CALL (clGetDeviceInfo (device->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof (unified), &unified, NULL));
  G_GNUC_END_IGNORE_DEPRECATIONS;

  return unified;
}

static gboolean
gst_cl_context_open (GstClContext *self, const GstClDeviceEntry *entry, GError **error)
{
  cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties) entry->platform, 0 };
  cl_ulong max_alloc = 0;
  gchar *version, *driver;
  cl_int status;

  gst_cl_device_names_init (&self->names, entry);
  version = gst_cl_device_string (entry->device, CL_DEVICE_VERSION);
  driver = gst_cl_device_string (entry->device, CL_DRIVER_VERSION);
  self->version = g_strdup_printf ("%s; %s; %s", self->names.name, version, driver);
  g_free (version);
  g_free (driver);

  status = GST_CL_CALL (gpu_kernel_device_init (&self->device, entry->device));
  if (status == CL_SUCCESS)
    status = GST_CL_CALL (clGetDeviceInfo (entry->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof (max_alloc), &max_alloc, NULL));
  if (status == CL_SUCCESS)
    GST_CL_CREATE (self->handle = clCreateContext (properties, 1, &entry->device, NULL, NULL, &status), status);
  if (status != CL_SUCCESS) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "The OpenCL device %s cannot be used: %s", self->names.name,
        gst_cl_status_name (status));
    return FALSE;
  }
  self->max_alloc = max_alloc;
  self->shared_memory = device_shares_memory (&self->device);
  self->queue = gst_cl_context_create_queue (self, error);

  return self->queue != NULL;
}

static gint
device_rank (const GstClDeviceEntry *entry)
{
  if (entry->type & CL_DEVICE_TYPE_GPU)
    return 3;

  return entry->type & CL_DEVICE_TYPE_ACCELERATOR ? 2 : 1;
}

/* No driver has a device, where @status is CL_SUCCESS, else there is no driver. */
static void
set_no_device_error (GError **error, cl_int status)
{
  gchar *trouble = gst_cl_devices_have_pocl () ? gst_cl_pocl_cache_describe_trouble () : NULL;

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND, "No OpenCL device was found (%s): %s",
      status == CL_SUCCESS ? "no device" : gst_cl_status_name (status), trouble ? trouble : WHAT_TO_INSTALL);
  g_free (trouble);
}

static gboolean
takes (const GstClDeviceChoice *choice, const GstClDeviceEntry *entry)
{
  GstClDeviceNames names;
  gboolean ret;

  gst_cl_device_names_init (&names, entry);
  ret = gst_cl_device_choice_takes (choice, &names);
  gst_cl_device_names_clear (&names);
  return ret;
}

static void
set_no_such_device_error (GError **error, const GstClDeviceChoice *choice, guint n_entries)
{
  gchar *asked = gst_cl_device_choice_describe (choice);

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "There is no OpenCL device with %s (-1: any): the property \"devices\" lists those that exist (%u)", asked, n_entries);
  g_free (asked);
}

/* FALSE where there is none */
static gboolean
choose_device (const GstClDeviceChoice *choice, GstClDeviceEntry *chosen, GError **error)
{
  cl_int status;
  GArray *entries = gst_cl_devices_list (&status);
  guint n_entries = entries->len;
  gint best = 0;

  for (guint i = 0; i < n_entries; i++) {
    const GstClDeviceEntry *entry = &g_array_index (entries, GstClDeviceEntry, i);

    if (device_rank (entry) > best && takes (choice, entry)) {
      best = device_rank (entry);
      *chosen = *entry;
    }
  }
  g_array_unref (entries);
  if (best > 0)
    return TRUE;

  if (n_entries > 0)
    set_no_such_device_error (error, choice, n_entries);
  else
    set_no_device_error (error, status);

  return FALSE;
}

/* Takes dead entries out on the way.  Call with contexts_lock. */
static GstClContext *
find_context (cl_device_id device)
{
  GstClContext *found = NULL;

  for (GList *l = contexts, *next; l; l = next) {
    GstClContext *context = g_weak_ref_get (l->data);

    next = l->next;
    if (!context) {
      g_weak_ref_clear (l->data);
      g_free (l->data);
      contexts = g_list_delete_link (contexts, l);
    } else if (!found && context->device.device == device) {
      found = context;
    } else {
      gst_object_unref (context);
    }
  }

  return found;
}

GstClContext *
gst_cl_context_new_chosen (const GstClDeviceChoice *choice, GError **error)
{
  GstClDeviceEntry entry;
  GstClContext *context;

  if (!choose_device (choice, &entry, error))
    return NULL;

  g_mutex_lock (&contexts_lock);
  context = find_context (entry.device);
  if (!context) {
    context = g_object_ref_sink (g_object_new (GST_TYPE_CL_CONTEXT, NULL));
    if (gst_cl_context_open (context, &entry, error)) {
      GWeakRef *weak = g_new0 (GWeakRef, 1);

      g_weak_ref_init (weak, context);
      contexts = g_list_prepend (contexts, weak);
      GST_INFO_OBJECT (context, "opened %s", context->version);
    } else {
      gst_clear_object (&context);
    }
  }
  g_mutex_unlock (&contexts_lock);

  return context;
}

GstClContext *
gst_cl_context_new (gint platform, gint device, GError **error)
{
  const GstClDeviceChoice choice = { platform, device, NULL };

  return gst_cl_context_new_chosen (&choice, error);
}

GstClContext *
gst_cl_context_new_by_name (const gchar *name, GError **error)
{
  gchar *copy = g_strdup (name);
  const GstClDeviceChoice choice = { -1, -1, copy };
  GstClContext *context = gst_cl_context_new_chosen (&choice, error);

  g_free (copy);
  return context;
}

const gchar *
gst_cl_context_get_name (GstClContext *context)
{
  g_return_val_if_fail (GST_IS_CL_CONTEXT (context), NULL);

  return context->names.name;
}

gint
gst_cl_context_get_platform_index (GstClContext *context)
{
  g_return_val_if_fail (GST_IS_CL_CONTEXT (context), -1);

  return context->names.platform_index;
}

gint
gst_cl_context_get_device_index (GstClContext *context)
{
  g_return_val_if_fail (GST_IS_CL_CONTEXT (context), -1);

  return context->names.device_index;
}

cl_context
gst_cl_context_get_handle (GstClContext *context)
{
  g_return_val_if_fail (GST_IS_CL_CONTEXT (context), NULL);

  return context->handle;
}

cl_device_id
gst_cl_context_get_device (GstClContext *context)
{
  g_return_val_if_fail (GST_IS_CL_CONTEXT (context), NULL);

  return context->device.device;
}
