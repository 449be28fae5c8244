/* Names of weights that the file does not have, or that the model does not use: what the file has instead.
 *
 *   conv1.lin.weight    where the file has module.conv1.lin.weight: strip 'module.', said once
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

const char *sema_weight_wrapper(sema *s, const char *name) {
  const sema_environment *env = s->env;
  const char *first = env->weight_count ? env->weight_names[0] : "";
  for (const char *dot = strchr(first, '.'); dot; dot = strchr(dot + 1, '.')) {
    const char *prefix = arena_strndup(s->arena, first, (size_t)(dot + 1 - first));
    if (!has_name(env, arena_printf(s->arena, "%s%s", prefix, name))) continue;
    size_t i = 0;
    while (i < env->weight_count && !strncmp(env->weight_names[i], prefix, strlen(prefix))) i++;
    if (i == env->weight_count) return prefix;
  }
  return NULL;
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

/* The same but for digits: another layer's. */
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

/* Whether the model uses a tensor of the layer, or, with is_other, of another one of its name. */
static bool uses_layer(const sema *s, const char *layer, size_t stem, bool is_other) {
  size_t length = strlen(layer);
  for (size_t i = 0; i < s->env->weight_count; i++) {
    const char *name = s->env->weight_names[i];
    bool is_this = !strncmp(name, layer, length) && name[length] == '.';
    bool is_alike = !strncmp(name, layer, stem) && isdigit((unsigned char)name[stem]);
    if (is_alike && is_this != is_other && sema_map_get(&s->weights, name)) return true;
  }
  return false;
}

/* A whole layer that the model does not have, once: true where the tensor belongs to one. */
static bool warn_layer(sema *s, const char *name, span where, sema_map *seen) {
  size_t stem = 0, count = 0;
  const char *layer = numbered_layer(s, name, &stem);
  if (!layer || uses_layer(s, layer, stem, false) || !uses_layer(s, layer, stem, true)) return false;
  if (sema_map_get(seen, layer)) return true;
  sema_map_set(s->arena, seen, layer, (void *)layer);
  for (size_t i = 0; i < s->env->weight_count; i++)
    count += !strncmp(s->env->weight_names[i], layer, strlen(layer)) && s->env->weight_names[i][strlen(layer)] == '.';
  sema_error_in(s, NULL, layer, where, DIAG_unused_weight,
                "%s has a layer '%s' (%zu tensors), but the model has fewer layers: its results will be others",
                s->env->weights_file, layer, count);
  return true;
}

void sema_warn_unused_weights(sema *s, span where) {
  sema_map layers = {0};
  for (size_t i = 0; i < s->env->weight_count; i++) {
    const char *name = s->env->weight_names[i];
    if (sema_map_get(&s->weights, name) || text_ends_with(name, "num_batches_tracked")) continue;
    if (warn_layer(s, name, where, &layers)) continue;
    sema_error_in(s, NULL, name, where, DIAG_unused_weight, "%s has a tensor '%s' that the model does not use",
                  s->env->weights_file, name);
  }
}
