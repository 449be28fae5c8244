/* Reads values of a manifest. Every failure has a message that names the key. */
#ifndef GNNC_RUNTIME_STEPS_JSON_H
#define GNNC_RUNTIME_STEPS_JSON_H

#include "support/arena.h"
#include "support/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns the failure "'key' is missing or no <expected>". */
status steps_mismatch(const char *key, const char *expected);

/* Reads a text that is not empty; the copy is in the arena. */
status steps_text(arena *a, const json_t *object, const char *key, const char **out);

/* Read a whole number in least .. most: `value` itself, named `key` in messages, or the value of
 * `key`. */
status steps_check_integer(const json_t *value, const char *key, int64_t least, int64_t most, int64_t *out);
status steps_integer(const json_t *object, const char *key, int64_t least, int64_t most, int64_t *out);
/* The same; `fallback` if the value is missing or null. */
status steps_integer_or(const json_t *object, const char *key, int64_t least, int64_t most, int64_t fallback,
                        int64_t *out);

/* Reads a text and returns its index among the `count` names. */
status steps_choice(const json_t *object, const char *key, const char *const *names, int count, int *out);

/* Reads true or false; false if the value is missing. */
status steps_flag(const json_t *object, const char *key, bool *out);

#endif
