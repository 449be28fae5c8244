/* Failures outside of the user's program, as values whose message gains context from caller to
 * caller. */
#include "support/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct status_detail {
  status_code code;
  char *message; /* stored behind the struct in the same block */
};

/* The status for the case that there is no memory for a message; it is never freed. */
static char no_memory_message[] = "out of memory";
static struct status_detail no_memory = {STATUS_CODE_memory, no_memory_message};

/* Returns a status with room for `length` characters of message, or NULL when memory is out. */
static status create(status_code code, size_t length) {
  status s = malloc(sizeof *s + length + 1);
  if (!s) return NULL;
  s->code = code;
  s->message = (char *)(s + 1);
  return s;
}

static status format_status(status_code code, const char *tail, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Returns a new status with the message "<formatted><tail>". */
static status format_status(status_code code, const char *tail, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return &no_memory;
  size_t head = (size_t)length;
  size_t tail_length = strlen(tail);
  status s = create(code, head + tail_length);
  if (!s) return &no_memory;
  vsnprintf(s->message, head + 1, format, args);
  for (size_t i = 0; i < head; i++) /* names in the user's file may contain control characters */
    if (((unsigned char)s->message[i] < 0x20 && s->message[i] != '\n') || s->message[i] == 0x7F) s->message[i] = '?';
  memcpy(s->message + head, tail, tail_length + 1);
  return s;
}

status status_error(status_code code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  status s = format_status(code, "", format, args);
  va_end(args);
  return s;
}

status status_context(status s, const char *format, ...) {
  if (!s || s == &no_memory) return s;
  va_list args;
  va_start(args, format);
  status outer = format_status(s->code, ": ", format, args);
  va_end(args);
  if (outer == &no_memory) return s;
  size_t head = strlen(outer->message);
  size_t inner = strlen(s->message);
  status joined = create(s->code, head + inner);
  if (!joined) {
    status_free(outer);
    return s;
  }
  memcpy(joined->message, outer->message, head);
  memcpy(joined->message + head, s->message, inner + 1);
  status_free(outer);
  status_free(s);
  return joined;
}

status_code status_get_code(status s) {
  return s ? s->code : STATUS_CODE_ok;
}

const char *status_message(status s) {
  return s ? s->message : "";
}

void status_free(status s) {
  if (s && s != &no_memory) free(s);
}
