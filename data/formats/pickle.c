/* Executes the opcodes of a pickle on a stack of values. A call (REDUCE, NEWOBJ) makes an object
 * that records what would be called, and with which arguments. */
#include "data/formats/pickle.h"

#include "support/vec.h"

#include <stdio.h>
#include <string.h>

/* Opcodes: the letters of Python's module pickletools. */
enum {
  OP_mark = '(',
  OP_stop = '.',
  OP_binint = 'J',
  OP_binint1 = 'K',
  OP_binint2 = 'M',
  OP_none = 'N',
  OP_reduce = 'R',
  OP_binstring = 'T',
  OP_short_binstring = 'U',
  OP_binunicode = 'X',
  OP_append = 'a',
  OP_build = 'b',
  OP_global = 'c',
  OP_appends = 'e',
  OP_binget = 'h',
  OP_long_binget = 'j',
  OP_binput = 'q',
  OP_long_binput = 'r',
  OP_setitem = 's',
  OP_tuple = 't',
  OP_setitems = 'u',
  OP_binbytes = 'B',
  OP_short_binbytes = 'C',
  OP_binfloat = 'G',
  OP_empty_dict = '}',
  OP_empty_list = ']',
  OP_empty_tuple = ')',
  OP_proto = 0x80,
  OP_newobj = 0x81,
  OP_tuple1 = 0x85,
  OP_tuple2 = 0x86,
  OP_tuple3 = 0x87,
  OP_newtrue = 0x88,
  OP_newfalse = 0x89,
  OP_long1 = 0x8A,
  OP_short_binunicode = 0x8C,
  OP_stack_global = 0x93,
  OP_memoize = 0x94,
  OP_frame = 0x95,
  HIGHEST_PROTOCOL = 4
};

typedef VEC(pickle_value *) value_list;

typedef struct machine {
  arena *memory;
  const unsigned char *data;
  size_t size, at, opcode_at;
  size_t encoded; /* bytes that were made of text; each text of a pickle is used once */
  value_list stack, memo;
  VEC(size_t) marks; /* heights of the stack */
  pickle_value *none, *booleans[2];
} machine;

static status refuse(const machine *m, const char *what) {
  return status_error(STATUS_CODE_format, "byte %zu: %s", m->opcode_at, what);
}

static status refuse_end(const machine *m) {
  return refuse(m, "the pickle ends in an opcode");
}

/* Takes bytes behind the opcode; NULL when there are fewer. */
static const unsigned char *take(machine *m, uint64_t count) {
  if (count > m->size - m->at) return NULL;
  const unsigned char *bytes = m->data + m->at;
  m->at += (size_t)count;
  return bytes;
}

/* Takes a little-endian number of 1, 2, 4 or 8 bytes. */
static status take_number(machine *m, int bytes, uint64_t *out) {
  const unsigned char *p = take(m, (uint64_t)bytes);
  if (!p) return refuse_end(m);
  *out = 0;
  for (int i = bytes - 1; i >= 0; i--) *out = *out << 8 | p[i];
  return STATUS_OK;
}

/* ---- values and the stack ---- */

static pickle_value *make(machine *m, pickle_kind kind) {
  pickle_value *v = arena_alloc(m->memory, sizeof *v);
  v->kind = kind;
  return v;
}

static status push(machine *m, pickle_value *v) {
  VEC_PUSH(m->memory, &m->stack, v);
  return STATUS_OK;
}

/* The lowest place of the stack that an opcode may take: the last mark. */
static size_t get_floor(const machine *m) {
  return m->marks.count ? m->marks.items[m->marks.count - 1] : 0;
}

static status need(const machine *m, size_t count) {
  return m->stack.count - get_floor(m) >= count ? STATUS_OK : refuse(m, "the stack has too few values");
}

static pickle_value *pop(machine *m) {
  return m->stack.items[--m->stack.count];
}

static pickle_value *get_top(const machine *m) {
  return m->stack.items[m->stack.count - 1];
}

static void add_item(machine *m, pickle_value *v, const pickle_value *item) {
  if (v->count == v->capacity) v->items = vec_grow(m->memory, v->items, &v->capacity, sizeof *v->items);
  v->items[v->count++] = item;
}

/* Removes the last mark; *begin is the first value above it. */
static status pop_mark(machine *m, size_t *begin) {
  if (!m->marks.count) return refuse(m, "there is no mark on the stack");
  *begin = m->marks.items[--m->marks.count];
  return STATUS_OK;
}

static status push_tuple(machine *m, size_t count) {
  RETURN_IF_ERROR(need(m, count));
  pickle_value *v = make(m, PICKLE_KIND_tuple);
  for (size_t i = m->stack.count - count; i < m->stack.count; i++) add_item(m, v, m->stack.items[i]);
  m->stack.count -= count;
  return push(m, v);
}

/* Adds the values from `begin` on to the value below them. */
static status add_to_below(machine *m, size_t begin, bool is_pairs) {
  if (begin == 0 || begin <= get_floor(m)) return refuse(m, "the stack has too few values");
  pickle_value *below = m->stack.items[begin - 1];
  bool is_good =
      is_pairs ? below->kind == PICKLE_KIND_dict || below->kind == PICKLE_KIND_object : below->kind == PICKLE_KIND_list;
  if (!is_good || (is_pairs && (m->stack.count - begin) % 2))
    return refuse(m, is_pairs ? "pairs are set in something that is no dictionary"
                              : "values are appended to something that is no list");
  for (size_t i = begin; i < m->stack.count; i++) add_item(m, below, m->stack.items[i]);
  m->stack.count = begin;
  return STATUS_OK;
}

/* ---- the memo ---- */

static status put(machine *m, uint64_t slot) {
  if (slot > m->size) return refuse(m, "a number of the memo is beyond the size of the file");
  RETURN_IF_ERROR(need(m, 1));
  while (m->memo.count <= slot) VEC_PUSH(m->memory, &m->memo, NULL);
  m->memo.items[slot] = get_top(m);
  return STATUS_OK;
}

static status get(machine *m, uint64_t slot) {
  if (slot >= m->memo.count || !m->memo.items[slot]) return refuse(m, "the memo has no such number");
  return push(m, m->memo.items[slot]);
}

/* ---- numbers and strings ---- */

static status push_number(machine *m, int64_t number) {
  pickle_value *v = make(m, PICKLE_KIND_number);
  v->number = number;
  return push(m, v);
}

static status push_whole(machine *m, int bytes) {
  uint64_t bits;
  RETURN_IF_ERROR(take_number(m, bytes, &bits));
  return push_number(m, bytes == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits);
}

/* LONG1: a number of as many bytes as the first one says. */
static status push_long(machine *m) {
  uint64_t length, bits = 0;
  RETURN_IF_ERROR(take_number(m, 1, &length));
  if (length > 8) return refuse(m, "a number has more than 8 bytes");
  const unsigned char *p = take(m, length);
  if (!p) return refuse_end(m);
  bool is_negative = length && p[length - 1] & 0x80;
  for (int i = 7; i >= 0; i--) bits = bits << 8 | ((uint64_t)i < length ? p[i] : is_negative ? 0xFF : 0);
  return push_number(m, (int64_t)bits);
}

/* BINFLOAT: a double with its highest byte first. */
static status push_real(machine *m) {
  const unsigned char *p = take(m, 8);
  if (!p) return refuse_end(m);
  uint64_t bits = 0;
  for (int i = 0; i < 8; i++) bits = bits << 8 | p[i];
  pickle_value *v = make(m, PICKLE_KIND_real);
  memcpy(&v->real, &bits, sizeof v->real);
  return push(m, v);
}

static status push_string(machine *m, int length_bytes) {
  uint64_t length;
  RETURN_IF_ERROR(take_number(m, length_bytes, &length));
  const unsigned char *p = take(m, length);
  if (!p) return refuse_end(m);
  pickle_value *v = make(m, PICKLE_KIND_string);
  v->bytes = (const char *)p;
  v->size = (size_t)length;
  return push(m, v);
}

/* ---- globals and objects ---- */

static status push_global(machine *m, const char *module, size_t module_length, const char *name, size_t name_length) {
  static const struct {
    pickle_global global;
    const char *module, *name;
  } globals[] = {
#define PICKLE_GLOBAL(id, module, name) {PICKLE_##id, module, name},
      PICKLE_GLOBALS(PICKLE_GLOBAL)
#undef PICKLE_GLOBAL
  };
  for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
    if (strlen(globals[i].module) != module_length || strlen(globals[i].name) != name_length) continue;
    if (memcmp(globals[i].module, module, module_length) != 0 || memcmp(globals[i].name, name, name_length) != 0)
      continue;
    pickle_value *v = make(m, PICKLE_KIND_global);
    v->global = globals[i].global;
    return push(m, v);
  }
  enum { SHOWN = 60 };
  return status_error(STATUS_CODE_unsupported,
                      "byte %zu: names '%.*s.%.*s' of Python, only arrays, sparse matrices in CSR form, lists and "
                      "dictionaries are read, and nothing is executed",
                      m->opcode_at, (int)(module_length < SHOWN ? module_length : SHOWN), module,
                      (int)(name_length < SHOWN ? name_length : SHOWN), name);
}

/* GLOBAL: module and name as two lines. */
static status read_global(machine *m) {
  const char *lines[2];
  size_t lengths[2];
  for (int i = 0; i < 2; i++) {
    const unsigned char *begin = m->data + m->at, *stop = memchr(begin, '\n', m->size - m->at);
    if (!stop) return refuse_end(m);
    lines[i] = (const char *)begin;
    lengths[i] = (size_t)(stop - begin);
    m->at += lengths[i] + 1;
  }
  return push_global(m, lines[0], lengths[0], lines[1], lengths[1]);
}

static status read_stack_global(machine *m) {
  RETURN_IF_ERROR(need(m, 2));
  const pickle_value *name = pop(m), *module = pop(m);
  if (name->kind != PICKLE_KIND_string || module->kind != PICKLE_KIND_string)
    return refuse(m, "the name of a global is no string");
  return push_global(m, module->bytes, module->size, name->bytes, name->size);
}

/* Makes the bytes of _codecs.encode(text, 'latin1'), which protocol 2 has for them. */
static status push_encoded(machine *m, const pickle_value *arguments) {
  const pickle_value *t = arguments->count ? arguments->items[0] : NULL;
  if (!t || t->kind != PICKLE_KIND_string) return refuse(m, "_codecs.encode has no text");
  m->encoded += t->size;
  if (m->encoded > m->size) return refuse(m, "_codecs.encode has more text than the file");
  pickle_value *v = make(m, PICKLE_KIND_string);
  unsigned char *bytes = arena_alloc(m->memory, t->size + 1);
  for (size_t i = 0; i < t->size; i++) {
    unsigned char c = (unsigned char)t->bytes[i];
    if (c >= 0x80) {
      bool is_latin = (c & 0xFE) == 0xC2 && i + 1 < t->size && ((unsigned char)t->bytes[i + 1] & 0xC0) == 0x80;
      if (!is_latin) return refuse(m, "the text of _codecs.encode is not Latin-1");
      c = (unsigned char)((c & 3) << 6 | ((unsigned char)t->bytes[++i] & 0x3F));
    }
    bytes[v->size++] = c;
  }
  v->bytes = (const char *)bytes;
  return push(m, v);
}

static status make_object(machine *m) {
  RETURN_IF_ERROR(need(m, 2));
  const pickle_value *arguments = pop(m), *callee = pop(m);
  if (callee->kind != PICKLE_KIND_global || arguments->kind != PICKLE_KIND_tuple)
    return refuse(m, "something that is no known object of Python is called");
  if (callee->global == PICKLE_encode) return push_encoded(m, arguments);
  pickle_value *v = make(m, PICKLE_KIND_object);
  v->global = callee->global;
  v->arguments = arguments;
  return push(m, v);
}

static status set_state(machine *m) {
  RETURN_IF_ERROR(need(m, 2));
  const pickle_value *state = pop(m);
  if (get_top(m)->kind != PICKLE_KIND_object) return refuse(m, "a state is set in something that is no object");
  get_top(m)->state = state;
  return STATUS_OK;
}

/* ---- opcodes ---- */

static status refuse_opcode(const machine *m, int op) {
  char name[8];
  snprintf(name, sizeof name, op > ' ' && op < 0x7F ? "'%c'" : "0x%02x", op);
  return status_error(STATUS_CODE_unsupported,
                      "byte %zu: opcode %s, which no pickle of arrays, lists and dictionaries of protocols 2 to %d has",
                      m->opcode_at, name, HIGHEST_PROTOCOL);
}

static status run_number_or_string(machine *m, int op) {
  switch (op) {
  case OP_none: return push(m, m->none);
  case OP_newtrue: return push(m, m->booleans[1]);
  case OP_newfalse: return push(m, m->booleans[0]);
  case OP_binint: return push_whole(m, 4);
  case OP_binint1: return push_whole(m, 1);
  case OP_binint2: return push_whole(m, 2);
  case OP_long1: return push_long(m);
  case OP_binfloat: return push_real(m);
  case OP_short_binstring:
  case OP_short_binbytes:
  case OP_short_binunicode: return push_string(m, 1);
  case OP_binstring:
  case OP_binbytes:
  case OP_binunicode: return push_string(m, 4);
  default: return refuse_opcode(m, op);
  }
}

static status run_memo(machine *m, int op) {
  uint64_t slot;
  if (op == OP_memoize) return put(m, m->memo.count);
  RETURN_IF_ERROR(take_number(m, op == OP_binget || op == OP_binput ? 1 : 4, &slot));
  return op == OP_binget || op == OP_long_binget ? get(m, slot) : put(m, slot);
}

/* Opcodes that take all values above the last mark. */
static status run_marked(machine *m, int op) {
  size_t begin;
  RETURN_IF_ERROR(pop_mark(m, &begin));
  if (op == OP_tuple) return push_tuple(m, m->stack.count - begin);
  return add_to_below(m, begin, op == OP_setitems);
}

static status run(machine *m, int op) {
  uint64_t ignored;
  switch (op) {
  case OP_mark: VEC_PUSH(m->memory, &m->marks, m->stack.count); return STATUS_OK;
  case OP_frame: return take_number(m, 8, &ignored);
  case OP_global: return read_global(m);
  case OP_stack_global: return read_stack_global(m);
  case OP_reduce:
  case OP_newobj: return make_object(m);
  case OP_build: return set_state(m);
  case OP_empty_tuple: return push_tuple(m, 0);
  case OP_tuple1: return push_tuple(m, 1);
  case OP_tuple2: return push_tuple(m, 2);
  case OP_tuple3: return push_tuple(m, 3);
  case OP_empty_list: return push(m, make(m, PICKLE_KIND_list));
  case OP_empty_dict: return push(m, make(m, PICKLE_KIND_dict));
  case OP_append: RETURN_IF_ERROR(need(m, 2)); return add_to_below(m, m->stack.count - 1, false);
  case OP_setitem: RETURN_IF_ERROR(need(m, 3)); return add_to_below(m, m->stack.count - 2, true);
  case OP_tuple:
  case OP_appends:
  case OP_setitems: return run_marked(m, op);
  case OP_binget:
  case OP_long_binget:
  case OP_binput:
  case OP_long_binput:
  case OP_memoize: return run_memo(m, op);
  default: return run_number_or_string(m, op);
  }
}

static status read_protocol(machine *m) {
  const unsigned char *p = take(m, 2);
  if (!p || p[0] != OP_proto)
    return status_error(STATUS_CODE_unsupported, "is no pickle of protocols 2 to %d", HIGHEST_PROTOCOL);
  if (p[1] >= 2 && p[1] <= HIGHEST_PROTOCOL) return STATUS_OK;
  return status_error(STATUS_CODE_version, "is a pickle of protocol %d, only 2 to %d can be read", p[1],
                      HIGHEST_PROTOCOL);
}

status pickle_parse(arena *a, const void *data, size_t size, const pickle_value **out) {
  machine m = {.memory = a, .data = data, .size = size};
  RETURN_IF_ERROR(read_protocol(&m));
  m.none = make(&m, PICKLE_KIND_none);
  for (int i = 0; i < 2; i++) {
    m.booleans[i] = make(&m, PICKLE_KIND_number);
    m.booleans[i]->number = i;
  }
  for (;;) {
    m.opcode_at = m.at;
    const unsigned char *op = take(&m, 1);
    if (!op) return refuse(&m, "the pickle has no end");
    if (*op == OP_stop) break;
    RETURN_IF_ERROR(run(&m, *op));
  }
  RETURN_IF_ERROR(need(&m, 1));
  *out = get_top(&m);
  return STATUS_OK;
}

const pickle_value *pickle_find(const pickle_value *dict, const char *key) {
  for (size_t i = 0; i + 1 < dict->count; i += 2) {
    const pickle_value *k = dict->items[i];
    if (k->kind == PICKLE_KIND_string && k->size == strlen(key) && !memcmp(k->bytes, key, k->size))
      return dict->items[i + 1];
  }
  return NULL;
}
