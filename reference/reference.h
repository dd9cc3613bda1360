/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The stages in plain C, from the text of ITU-T H.264 (and H.265, where it says so): the oracle of the kernel tests, the scalar baseline of
 * the measurements, and what the elements run with backend=c.  No GLib, no OpenCL.
 */
#ifndef GPU_REFERENCE_H
#define GPU_REFERENCE_H

#include "gpuoutput.h"
#include "gpurecords.h"

/* One colour plane set of a picture (see GstGpuPicture), where its records, coefficients and samples lie. */
typedef struct
{
  const GstGpuPicture *params;
  void *header;                                   /* base of the header arena */
  GstGpuLayout layout;                            /* where the records lie in it */
  int has_inter;                                  /* there are records of inter macroblocks */
  void *coeffs;                                   /* base of the coefficient arena, 64-byte aligned */
  int32_t *dc;                                    /* 48 a macroblock: results of the DC transforms (see GstGpuMb.dc_coded) */
  void *samples;                                  /* base of the surface; params->plane_offset counts from here */
  const void *references[GST_GPU_MAX_REFERENCES]; /* bases of the reference surfaces, laid out like samples; those that are used */
} GpuReferencePicture;

/* The records of a picture: width_in_mbs * height_in_mbs macroblocks; slices, by number; of inter macroblocks partitions
 * (GstGpuMb.first_motion), and slices, by number */
static inline const GstGpuMb *
gpu_reference_mbs (const GpuReferencePicture *picture)
{
  return (const GstGpuMb *) ((const uint8_t *) picture->header + picture->layout.mbs);
}

static inline const GstGpuSlice *
gpu_reference_slices (const GpuReferencePicture *picture)
{
  return (const GstGpuSlice *) ((const uint8_t *) picture->header + picture->layout.slices);
}

static inline const GstGpuPartition *
gpu_reference_partitions (const GpuReferencePicture *picture)
{
  return (const GstGpuPartition *) ((const uint8_t *) picture->header + picture->layout.partitions);
}

static inline const GstGpuInterSlice *
gpu_reference_inter_slices (const GpuReferencePicture *picture)
{
  return (const GstGpuInterSlice *) ((const uint8_t *) picture->header + picture->layout.inter_slices);
}

/* Inverse quantisation and transforms (8.5), levels to residuals in place.  Takes segments of every kind and colour plane, in any order;
 * runs those whose colour_plane is @colour_plane. */
void gpu_reference_idct (const GpuReferencePicture *picture, const GstGpuSegment *segments, unsigned n_segments, unsigned colour_plane);

/* Inverse transforms of H.265 pictures (H.265, 8.6.2, 8.6.4), scaled coefficients to residuals in place.  Of @picture it needs depths and
 * coefficients.  Takes segments of every kind, in any order; runs those of H.265. */
void gpu_reference_hevc_idct (const GpuReferencePicture *picture, const GstGpuSegment *segments, unsigned n_segments);

/* transMatrix of H.265, 8.6.4.2, for blocks of @n x @n samples, row by row (frequency by frequency); @dst: that of trType 1, @n is 4 */
void gpu_reference_hevc_matrix (unsigned n, int dst, int16_t *matrix);

/* A block through both dimensions, each rounded, shifted to the right by shift[0], then shift[1], clipped to 16 bits.  Inverse (8.6.4.2):
 * columns
 * first; else the forward transform that belongs to it, rows first */
void gpu_reference_hevc_transform (const int16_t *matrix, unsigned n, int inverse, const int shift[2], const int16_t *in, int16_t *out);

/* Intra prediction (8.3) plus residual, I_PCM samples (8.3.5), lossless accumulation (8.5.15), for every intra macroblock. */
void gpu_reference_intrapred (const GpuReferencePicture *picture);

/* Inter prediction (8.4.2) plus residual, for every inter macroblock; intra macroblocks are left alone. */
void gpu_reference_interpred (const GpuReferencePicture *picture);

/* Deblocking (8.7) of the whole picture, in place. */
void gpu_reference_deblock (const GpuReferencePicture *picture);

/* Raw video of a frame, from its surface: both are base addresses (see GpuOutput). */
void gpu_reference_output (const GpuOutput *output, const void *surface, void *raw);

#endif
