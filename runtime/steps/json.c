/* Reads values of a manifest: see json.h. */
#include "runtime/steps/json.h"

#include "support/text.h"

#include <inttypes.h>
#include <string.h>

status steps_mismatch(const char *key, const char *expected) {
  return status_error(STATUS_CODE_format, "'%s' is missing or no %s", key, expected);
}

status steps_text(arena *a, const json_t *object, const char *key, const char **out) {
  const char *found = json_string_value(json_object_get(object, key));
  if (!found || !*found) return steps_mismatch(key, "text");
  *out = arena_strdup(a, found);
  return STATUS_OK;
}

status steps_check_integer(const json_t *value, const char *key, int64_t least, int64_t most, int64_t *out) {
  if (!json_is_integer(value)) return steps_mismatch(key, "whole number");
  *out = json_integer_value(value);
  if (*out >= least && *out <= most) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'%s' is %" PRId64 ", expected %" PRId64 " to %" PRId64, key, *out, least,
                      most);
}

status steps_integer(const json_t *object, const char *key, int64_t least, int64_t most, int64_t *out) {
  return steps_check_integer(json_object_get(object, key), key, least, most, out);
}

status steps_integer_or(const json_t *object, const char *key, int64_t least, int64_t most, int64_t fallback,
                        int64_t *out) {
  const json_t *value = json_object_get(object, key);
  *out = fallback;
  return !value || json_is_null(value) ? STATUS_OK : steps_check_integer(value, key, least, most, out);
}

/* Returns the failure "'reduce' is 'total', expected sum, mean, max or min". */
static status no_choice(const char *key, const char *said, const char *const *names, int count) {
  text expected = {0};
  for (int i = 0; i < count; i++) text_printf(&expected, "%s%s", !i ? "" : i + 1 < count ? ", " : " or ", names[i]);
  status s = status_error(STATUS_CODE_format, "'%s' is '%s', expected %s", key, said, text_str(&expected));
  text_free(&expected);
  return s;
}

status steps_choice(const json_t *object, const char *key, const char *const *names, int count, int *out) {
  const char *said = json_string_value(json_object_get(object, key));
  if (!said) return steps_mismatch(key, "text");
  for (*out = 0; *out < count; ++*out)
    if (!strcmp(names[*out], said)) return STATUS_OK;
  return no_choice(key, said, names, count);
}

status steps_flag(const json_t *object, const char *key, bool *out) {
  const json_t *value = json_object_get(object, key);
  *out = json_is_true(value);
  return !value || json_is_boolean(value) ? STATUS_OK : steps_mismatch(key, "true or false");
}
