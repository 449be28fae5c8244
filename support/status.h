/* What went wrong outside the user's program (a file, memory, a version), passed up by value.
 *
 * STATUS_OK is NULL; anything else owns a message and is freed once. A layer that knows more adds
 * it in front:
 *   status s = safetensors_open(...);  if (s) return status_context(s, "weights of model '%s'", name);
 * gives "weights of model 'gcn': gcn.safetensors: header is 12 bytes, file holds 4". */
#ifndef GNNC_SUPPORT_STATUS_H
#define GNNC_SUPPORT_STATUS_H

#include <stdarg.h>

typedef enum status_code {
  STATUS_CODE_ok,
  STATUS_CODE_io,          /* the operating system refused: open, read, write, rename */
  STATUS_CODE_format,      /* the file's bytes are not what its format demands */
  STATUS_CODE_mismatch,    /* well-formed data that does not fit what was asked (shape, dtype, name, range) */
  STATUS_CODE_version,     /* a version this program does not know */
  STATUS_CODE_memory,      /* allocation failed or a size overflows */
  STATUS_CODE_unsupported, /* legal, but not something this program does */
} status_code;

typedef struct status_detail *status;
#define STATUS_OK ((status)0)

/* Returns a new failure with a printf-style message (lower case, no full stop). */
status status_error(status_code code, const char *format, ...) __attribute__((format(printf, 2, 3), returns_nonnull));

/* Returns `s` with "<formatted>: " put in front of its message; STATUS_OK stays STATUS_OK. */
status status_context(status s, const char *format, ...) __attribute__((format(printf, 2, 3)));

status_code status_get_code(status s);
/* The message, "" for STATUS_OK; owned by the status. */
const char *status_message(status s);
/* Frees the status; STATUS_OK is allowed. */
void status_free(status s);

#define RETURN_IF_ERROR(expression)                                                                                    \
  do {                                                                                                                 \
    status return_if_error_ = (expression);                                                                            \
    if (return_if_error_) return return_if_error_;                                                                     \
  } while (0)

#endif
