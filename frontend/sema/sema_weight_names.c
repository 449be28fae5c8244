/* Finds suggestions for names of weights that the file does not have, and names the weights of the
 * file that the model does not use.
 *
 *   conv1.lin.weight    where the file has module.conv1.lin.weight: strip 'module.', reported once
 *                       where it has convs.0.lin.weight: lists of PyTorch count from 0
 *   mp.layer3.weight    where it has mp.layer0.weight to mp.layer2.weight: no other layer is suggested */
#include "frontend/sema/sema_state.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool has_name(const sema_environment *env, const char *name) {
  for (size_t i = 0; i < env->weight_count; i++)
    if (!strcmp(env->weight_names[i], name)) return true;
  return false;
}

/* Returns the length in bytes of the common prefix of all names. */
static size_t common_prefix(const sema_environment *env) {
  const char *first = env->weight_names[0];
  size_t length = strlen(first);
  for (size_t i = 1; i < env->weight_count && length; i++) {
    size_t same = 0;
    while (same < length && env->weight_names[i][same] == first[same]) same++;
    length = same;
  }
  return length;
}

/* Returns the length of the part of a name before `end`; 0 where the name does not end with it, or
 * where no dot stands between. */
static size_t length_before(const char *name, const char *end, size_t end_length) {
  size_t length = strlen(name);
  if (length <= end_length || name[length - end_length - 1] != '.') return 0;
  return strcmp(name + length - end_length, end) ? 0 : length - end_length;
}

const char *sema_weight_wrapper(sema *s, const char *name) {
  const sema_environment *env = s->env;
  if (!env->weight_count) return NULL;
  if (!s->is_prefix_known) s->weight_prefix = common_prefix(env);
  s->is_prefix_known = true;
  const char *first = env->weight_names[0];
  if (!memchr(first, '.', s->weight_prefix)) return NULL;
  size_t shortest = 0, name_length = strlen(name);
  for (size_t i = 0; i < env->weight_count; i++) {
    size_t length = length_before(env->weight_names[i], name, name_length);
    if (length && length <= s->weight_prefix && (!shortest || length < shortest)) shortest = length;
  }
  return shortest ? arena_strndup(s->arena, first, shortest) : NULL;
}

/* "conv1.bias" in a file that has "convs.0.bias"; NULL where it has not. */
static const char *in_list(sema *s, const char *name) {
  size_t stem = strcspn(name, "0123456789.");
  char *end = NULL;
  unsigned long number = strtoul(name + stem, &end, 10);
  if (!stem || end == name + stem || *end != '.' || !number) return NULL;
  const char *made = arena_printf(s->arena, "%.*ss.%lu%s", (int)stem, name, number - 1, end);
  return has_name(s->env, made) ? made : NULL;
}

/* Whether two names differ in digits alone, as those of two numbered layers do. */
static bool is_of_other_layer(const char *a, const char *b) {
  for (; *a || *b; a++, b++) {
    while (isdigit((unsigned char)*a)) a++;
    while (isdigit((unsigned char)*b)) b++;
    if (*a != *b) return false;
    if (!*a) return true;
  }
  return true;
}

const char *sema_suggest_weight(sema *s, const char *name) {
  const char *listed = in_list(s, name);
  if (listed) return arena_printf(s->arena, "; did you mean '%s'? Lists of layers count from 0", listed);
  const char *nearest = diag_nearest(name, s->env->weight_names, s->env->weight_count);
  if (!nearest || is_of_other_layer(name, nearest)) return "";
  return arena_printf(s->arena, "; did you mean '%s'?", nearest);
}

/* "mp.layer2" of "mp.layer2.bias": up to the first component that ends in a number; NULL where there is none. */
static const char *numbered_layer(sema *s, const char *name, size_t *stem) {
  for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
    if (dot == name || !isdigit((unsigned char)dot[-1])) continue;
    *stem = (size_t)(dot - name);
    while (*stem && isdigit((unsigned char)name[*stem - 1])) (*stem)--;
    return arena_strndup(s->arena, name, (size_t)(dot - name));
  }
  return NULL;
}

/* A layer of the file: what is in front of a number and a dot in names of tensors. */
typedef struct file_layer {
  size_t count;
  bool is_used; /* some tensor of it by the model */
  bool is_reported;
} file_layer;

typedef struct file_layers {
  sema_map by_name;    /* "mp.layer2" -> file_layer */
  sema_map used_stems; /* "mp.layer", where the model uses some layer of it */
} file_layers;

static file_layers find_layers(sema *s) {
  file_layers found = {0};
  for (size_t i = 0; i < s->env->weight_count; i++) {
    size_t stem = 0;
    const char *name = numbered_layer(s, s->env->weight_names[i], &stem);
    if (!name) continue;
    file_layer *layer = sema_map_get(&found.by_name, name);
    if (!layer) {
      layer = arena_alloc(s->arena, sizeof *layer);
      sema_map_set(s->arena, &found.by_name, name, layer);
    }
    layer->count++;
    if (layer->is_used || !sema_map_get(&s->weights, s->env->weight_names[i])) continue;
    layer->is_used = true;
    sema_map_set(s->arena, &found.used_stems, arena_strndup(s->arena, name, stem), layer);
  }
  return found;
}

/* A whole layer that the model does not have, once: true where the tensor belongs to one. */
static bool warn_layer(sema *s, const char *tensor, span where, const file_layers *layers) {
  size_t stem = 0;
  const char *name = numbered_layer(s, tensor, &stem);
  file_layer *layer = name ? sema_map_get(&layers->by_name, name) : NULL;
  if (!layer || layer->is_used || !sema_map_get(&layers->used_stems, arena_strndup(s->arena, name, stem))) return false;
  if (!layer->is_reported)
    sema_error_in(s, NULL, name, where, DIAG_unused_weight,
                  "%s has a layer '%s' (%zu tensors), but the model has fewer layers: its results will be others",
                  s->env->weights_file, name, layer->count);
  layer->is_reported = true;
  return true;
}

void sema_warn_unused_weights(sema *s, span where) {
  file_layers layers = find_layers(s);
  for (size_t i = 0; i < s->env->weight_count; i++) {
    const char *name = s->env->weight_names[i];
    if (sema_map_get(&s->weights, name) || text_ends_with(name, "num_batches_tracked")) continue;
    if (warn_layer(s, name, where, &layers)) continue;
    sema_error_in(s, NULL, name, where, DIAG_unused_weight, "%s has a tensor '%s' that the model does not use",
                  s->env->weights_file, name);
  }
}
