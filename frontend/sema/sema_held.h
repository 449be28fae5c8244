/* Messages about a weight or input that are reported only where more than the loss reads it. Internal to sema*.c. */
#ifndef GNNC_FRONTEND_SEMA_SEMA_HELD_H
#define GNNC_FRONTEND_SEMA_SEMA_HELD_H

#include "frontend/sema/flat.h"
#include "support/diag.h"
#include "support/vec.h"

typedef struct sema_message {
  span where;
  diag_id id;
  bool is_note;           /* of the error before it */
  const char *text, *key; /* see sema_error_in */
} sema_message;

typedef struct sema_held {
  flat_id id;              /* the weight or input */
  const flat_frame *frame; /* of the call that declares it */
  VEC(sema_message) messages;
} sema_held;

#endif
