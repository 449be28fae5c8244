/* Failures outside of the user's program (files, memory, versions), returned by value.
 *
 * STATUS_OK is NULL; any other status owns a message and is freed once. A caller that knows the
 * context puts it in front of the message:
 *   status s = safetensors_open(...);  if (s) return status_context(s, "weights of model '%s'", name);
 * gives "weights of model 'gcn': gcn.safetensors: header is 12 bytes, file holds 4". */
#ifndef GNNC_SUPPORT_STATUS_H
#define GNNC_SUPPORT_STATUS_H

#include <stdarg.h>

typedef enum status_code {
  STATUS_CODE_ok,
  STATUS_CODE_io,          /* the operating system refused: open, read, write, rename */
  STATUS_CODE_format,      /* the bytes of the file violate its format */
  STATUS_CODE_mismatch,    /* well-formed data that do not fit the request (shape, dtype, name, range) */
  STATUS_CODE_version,     /* a version this program does not know */
  STATUS_CODE_memory,      /* allocation failed or a size overflows */
  STATUS_CODE_unsupported, /* legal, but this program cannot do it */
} status_code;

typedef struct status_detail *status;
#define STATUS_OK ((status)0)

/* Returns a new failure, owned by the caller. The message is formatted as by printf, in lower case
 * and without a full stop. */
status status_error(status_code code, const char *format, ...) __attribute__((format(printf, 2, 3), returns_nonnull));

/* Takes `s` and returns it with "<formatted>: " in front of its message; STATUS_OK stays
 * STATUS_OK. */
status status_context(status s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The code; STATUS_CODE_ok for STATUS_OK. */
status_code status_get_code(status s);
/* The message, owned by the status; "" for STATUS_OK. */
const char *status_message(status s);
/* Frees the status; accepts STATUS_OK. */
void status_free(status s);

#define RETURN_IF_ERROR(expression)                                                                                    \
  do {                                                                                                                 \
    status return_if_error_ = (expression);                                                                            \
    if (return_if_error_) return return_if_error_;                                                                     \
  } while (0)

#endif
