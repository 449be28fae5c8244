/* Chooses nodes: those of --nodes, as a list or from a file, or a sample.
 *
 *   0,5,10-12   or a file with "0 5", blanks, commas or newlines between the numbers */
#include "tools/gnn-run/gnn_run.h"

#include "support/file.h"
#include "support/vec.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_separator(char c) {
  return c && strchr(" \t\r\n,", c);
}

/* Returns the length in bytes of a word, at most 40, for a message. */
static int word_length(const char *at, const char *stop) {
  enum { LONGEST_SHOWN = 40 };
  int length = 0;
  while (at + length < stop && length < LONGEST_SHOWN && !is_separator(at[length])) length++;
  return length;
}

typedef struct list {
  VEC(int64_t) nodes;
  const char *name; /* for messages: the file, or --nodes */
  unsigned line;    /* 0: not a file */
  int64_t num_nodes;
} list;

static status refuse(const list *l, const char *at, const char *stop) {
  int length = word_length(at, stop);
  if (l->line)
    return status_error(STATUS_CODE_format, "%s:%u: not a node number: '%.*s'", l->name, l->line, length, at);
  return status_error(STATUS_CODE_format, "%s: not a node number: '%.*s'", l->name, length, at);
}

/* Reads a number, or "10-12", at `*at`. */
static status read_word(arena *a, list *l, const char **at, const char *stop) {
  char *end = NULL;
  long long first = strtoll(*at, &end, 10), last = first;
  if (end == *at || first < 0) return refuse(l, *at, stop);
  if (end < stop && *end == '-') {
    const char *second = end + 1;
    last = strtoll(second, &end, 10);
    if (end == second || last < first) return refuse(l, *at, stop);
  }
  if (end < stop && !is_separator(*end)) return refuse(l, *at, stop);
  if (last >= l->num_nodes)
    return status_error(STATUS_CODE_mismatch, "%s: node %lld was asked for, the graph has %" PRId64 " nodes", l->name,
                        last, l->num_nodes);
  for (long long n = first; n <= last; n++) VEC_PUSH(a, &l->nodes, (int64_t)n);
  *at = end;
  return STATUS_OK;
}

static status read_words(arena *a, list *l, const char *data, size_t size) {
  for (const char *at = data, *stop = data + size; at < stop;) {
    if (!is_separator(*at)) {
      RETURN_IF_ERROR(read_word(a, l, &at, stop));
      continue;
    }
    l->line += l->line && *at == '\n';
    at++;
  }
  return STATUS_OK;
}

status run_read_nodes(arena *a, const char *given, int64_t num_nodes, run_nodes *out) {
  bool is_list = isdigit((unsigned char)*given) && given[strspn(given, "0123456789,-")] == '\0';
  list l = {.name = is_list ? "--nodes" : given, .line = is_list ? 0 : 1, .num_nodes = num_nodes};
  char *data = NULL;
  size_t size = 0;
  if (!is_list) RETURN_IF_ERROR(file_read(a, given, &data, &size));
  RETURN_IF_ERROR(read_words(a, &l, is_list ? given : data, is_list ? strlen(given) : size));
  out->items = l.nodes.items ? l.nodes.items : arena_alloc(a, sizeof *out->items);
  out->count = (int64_t)l.nodes.count;
  return STATUS_OK;
}

/* SplitMix64, so that the sample is the same on every computer. */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Chooses by Floyd's method: each step adds a number that is not chosen yet. */
void run_sample_nodes(arena *a, int64_t count, int64_t num_nodes, run_nodes *out) {
  bool *is_chosen = arena_alloc_array(a, (size_t)num_nodes + 1, sizeof *is_chosen);
  uint64_t state = 0;
  if (count > num_nodes) count = num_nodes;
  for (int64_t most = num_nodes - count; most < num_nodes; most++) {
    int64_t node = (int64_t)(next_random(&state) % (uint64_t)(most + 1));
    is_chosen[is_chosen[node] ? most : node] = true;
  }
  int64_t *items = arena_alloc_array(a, (size_t)count + 1, sizeof *items), next = 0;
  for (int64_t n = 0; n < num_nodes; n++)
    if (is_chosen[n]) items[next++] = n;
  *out = (run_nodes){items, count};
}
