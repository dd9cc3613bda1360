/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stddef.h>
#include <string.h>

#include "reference.h"

static uint32_t
surface_sample (const GpuOutput *output, const GpuOutputComponent *component, const void *surface, uint32_t x, uint32_t y)
{
  size_t i = component->offset + (size_t) y * component->stride + (x >> component->repeat_shift);

  return output->surface_sample_size == 1 ? ((const uint8_t *) surface)[i] : ((const uint16_t *) surface)[i];
}

/* Whether the samples of a plane are those of the surface, as they stand there */
static int
is_copy (const GpuOutput *output, const GpuOutputPlane *plane)
{
  const GpuOutputComponent *component = &plane->component[0];

  return plane->n_components == 1 && component->from_surface && !component->shift && !component->repeat_shift
      && output->surface_sample_size == output->raw_sample_size;
}

static void
copy_row (const GpuOutput *output, const GpuOutputPlane *plane, const void *surface, void *row, uint32_t y)
{
  const GpuOutputComponent *component = &plane->component[0];
  size_t i = component->offset + (size_t) y * component->stride;

  memcpy (row, (const uint8_t *) surface + i * output->surface_sample_size, (size_t) plane->width * output->raw_sample_size);
}

static void
output_row (const GpuOutput *output, const GpuOutputPlane *plane, const GpuOutputComponent *component, const void *surface, void *row,
    uint32_t y)
{
  for (uint32_t x = 0; x < plane->width; x++) {
    uint32_t value = component->from_surface ? surface_sample (output, component, surface, x, y) << component->shift : component->value;

    if (output->raw_sample_size == 1)
      ((uint8_t *) row)[x * plane->n_components] = (uint8_t) value;
    else
      ((uint16_t *) row)[x * plane->n_components] = (uint16_t) value;
  }
}

void
gpu_reference_output (const GpuOutput *output, const void *surface, void *raw)
{
  for (uint32_t p = 0; p < output->n_planes; p++) {
    const GpuOutputPlane *plane = &output->plane[p];

    for (uint32_t y = 0; y < plane->height; y++) {
      uint8_t *row = (uint8_t *) raw + plane->offset + (size_t) y * plane->stride;

      if (is_copy (output, plane))
        copy_row (output, plane, surface, row, y);
      else
        for (uint32_t i = 0; i < plane->n_components; i++)
          output_row (output, plane, &plane->component[i], surface, row + i * output->raw_sample_size, y);
    }
  }
}
