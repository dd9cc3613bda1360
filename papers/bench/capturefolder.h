/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The folder of captures that a run was given.
 */
#ifndef CAPTURE_FOLDER_H
#define CAPTURE_FOLDER_H

#include <stdio.h>

#include "papers.h"

/* Paths of the captures (transfer full), in order of their names; returns how many */
unsigned capture_folder_list (Papers *papers, char ***paths);

/* (nullable): the first capture with @part in its name */
FILE *capture_folder_open (Papers *papers, const char *part);

#endif
