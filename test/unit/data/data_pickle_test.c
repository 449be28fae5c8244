/* The reader of pickles: what Python 2 and 3 write for arrays, matrices and dictionaries, and what it refuses. */
#include "data/convert.h"
#include "data/formats/pickle_numpy.h"
#include "unit.h"

/* A literal with its length; it may contain zero bytes. */
#define BYTES(literal) literal, sizeof literal - 1

static status parse(arena *a, const char *bytes, size_t size, const pickle_value **out) {
  char *copy = arena_alloc(a, size);
  memcpy(copy, bytes, size);
  *out = NULL;
  return pickle_parse(a, copy, size, out);
}

/* numpy.array([1, 258], '<i2') of Python 2, with protocol 2. */
#define ARRAY                                                                                                          \
  "cnumpy.core.multiarray\n_reconstruct\nq\x01"                                                                        \
  "cnumpy\nndarray\nq\x02K\x00\x85U\x01"                                                                               \
  "b\x87R(K\x01K\x02\x85"                                                                                              \
  "cnumpy\ndtype\nU\x02i2K\x00K\x01\x87R(K\x03U\x01<"                                                                  \
  "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89U\x04\x01\x00\x02\x01"                                              \
  "tb"

TEST(an_array_of_python_2_is_read) {
  arena *a = arena_create();
  const pickle_value *v;
  tensor t;
  CHECK_OK(parse(a, BYTES("\x80\x02" ARRAY "."), &v));
  CHECK_OK(pickle_read_array(a, v, &t));
  CHECK_INT(t.dtype, DTYPE_I16);
  CHECK_INT(t.rank, 1);
  CHECK_INT(t.count, 2);
  CHECK_INT(convert_element_i64(&t, 1), 258);
  arena_destroy(a);
}

/* A dictionary of lists as Python 2 writes it, {1: [2, 300, -1], 70000: []} */
TEST(a_dictionary_of_lists_is_read) {
  arena *a = arena_create();
  const pickle_value *v;
  int64_t n;
  CHECK_OK(parse(a,
                 BYTES("\x80\x02"
                       "ccollections\ndefaultdict\nq\x00"
                       "c__builtin__\nlist\nq\x01\x85Rq\x02(K\x01]q\x03(K\x02M\x2c\x01J\xff\xff\xff\xff"
                       "eJ\x70\x11\x01\x00]u."),
                 &v));
  CHECK_INT(v->kind, PICKLE_KIND_object);
  CHECK_INT(v->global, PICKLE_defaultdict);
  CHECK_INT(v->count, 4);
  const pickle_value *list = v->items[1];
  CHECK_INT(list->count, 3);
  CHECK(pickle_read_number(list->items[1], &n) && n == 300);
  CHECK(pickle_read_number(list->items[2], &n) && n == -1);
  CHECK(pickle_read_number(v->items[2], &n) && n == 70000);
  CHECK(!pickle_read_number(list, &n));
  arena_destroy(a);
}

TEST(numbers_and_strings_of_each_opcode_are_read) {
  arena *a = arena_create();
  const pickle_value *v;
  CHECK_OK(parse(a,
                 BYTES("\x80\x04\x95\0\0\0\0\0\0\0\0(N\x88\x89\x8a\x02\x00\xff\x8a\x00G\x3f\xf8\0\0\0\0\0\0"
                       "X\x01\0\0\0aB\x01\0\0\0b"
                       "C\x01"
                       "c\x8c\x01"
                       "d\x94T\x01\0\0\0et."),
                 &v));
  CHECK_INT(v->count, 11);
  CHECK_INT(v->items[0]->kind, PICKLE_KIND_none);
  CHECK_INT(v->items[1]->number, 1);
  CHECK_INT(v->items[2]->number, 0);
  CHECK_INT(v->items[3]->number, -256);
  CHECK_INT(v->items[4]->number, 0);
  CHECK_NEAR(v->items[5]->real, 1.5, 0);
  for (size_t i = 0; i < 5; i++) {
    CHECK_INT(v->items[6 + i]->size, 1);
    CHECK_INT(v->items[6 + i]->bytes[0], (long long)('a' + i));
  }
  arena_destroy(a);
}

TEST(bytes_of_protocol_2_are_text_in_latin_1) {
  arena *a = arena_create();
  const pickle_value *v;
  CHECK_OK(parse(a,
                 BYTES("\x80\x02"
                       "c_codecs\nencode\nX\x05\0\0\0a\xc2\x80\xc3\xbfX\x06\0\0\0latin1\x86R."),
                 &v));
  CHECK_INT(v->size, 3);
  CHECK(memcmp(v->bytes, "a\x80\xff", 3) == 0);
  CHECK_FAILS(parse(a,
                    BYTES("\x80\x02"
                          "c_codecs\nencode\nX\x03\0\0\0\xe2\x82\xac\x85R."),
                    &v),
              "byte 27: the text of _codecs.encode is not Latin-1");
  CHECK_FAILS(parse(a,
                    BYTES("\x80\x02"
                          "c_codecs\nencode\nq\x00X\x14\0\0\0aaaaaaaaaaaaaaaaaaaa\x85q\x01R0"),
                    &v),
              "byte 49: opcode '0'");
  CHECK_FAILS(parse(a,
                    BYTES("\x80\x02"
                          "c_codecs\nencode\nq\x00X\x14\0\0\0aaaaaaaaaaaaaaaaaaaa\x85q\x01Rh\x00h\x01Rh\x00h\x01Rh\x00h"
                          "\x01R."),
                    &v),
              "_codecs.encode has more text than the file");
  arena_destroy(a);
}

TEST(other_objects_of_python_and_other_opcodes_are_refused_at_their_byte) {
  static const struct {
    const char *bytes;
    size_t size;
    const char *message;
  } cases[] = {
      {BYTES(""), "is no pickle of protocols 2 to 4"},
      {BYTES("(dp1\n."), "is no pickle of protocols 2 to 4"},
      {BYTES("\x80\x05N."), "is a pickle of protocol 5, only 2 to 4 can be read"},
      {BYTES("\x80\x01N."), "is a pickle of protocol 1, only 2 to 4 can be read"},
      {BYTES("\x80\x02"
             "cos\nsystem\nU\x02ls\x85R."),
       "byte 2: names 'os.system' of Python, only arrays"},
      {BYTES("\x80\x04\x8c\x08"
             "builtins\x8c\x04"
             "eval\x93."),
       "byte 18: names 'builtins.eval' of Python"},
      {BYTES("\x80\x02K\x01K\x02\x93."), "byte 6: the name of a global is no string"},
      {BYTES("\x80\x02i"), "byte 2: opcode 'i', which no pickle of arrays, lists and dictionaries"},
      {BYTES("\x80\x02\x82\x01."), "byte 2: opcode 0x82"},
      {BYTES("\x80\x02"), "byte 2: the pickle has no end"},
      {BYTES("\x80\x02."), "byte 2: the stack has too few values"},
      {BYTES("\x80\x02K"), "byte 2: the pickle ends in an opcode"},
      {BYTES("\x80\x02U\x05"
             "ab"),
       "byte 2: the pickle ends in an opcode"},
      {BYTES("\x80\x02"
             "cnumpy\nndarray"),
       "byte 2: the pickle ends in an opcode"},
      {BYTES("\x80\x02\x8a\x09"
             "123456789."),
       "byte 2: a number has more than 8 bytes"},
      {BYTES("\x80\x02h\x00."), "byte 2: the memo has no such number"},
      {BYTES("\x80\x02Nr\xff\xff\xff\x00."), "byte 3: a number of the memo is beyond the size of the file"},
      {BYTES("\x80\x02t."), "byte 2: there is no mark on the stack"},
      {BYTES("\x80\x02N(a."), "byte 4: the stack has too few values"},
      {BYTES("\x80\x02NNa."), "byte 4: values are appended to something that is no list"},
      {BYTES("\x80\x02](NNu."), "byte 6: pairs are set in something that is no dictionary"},
      {BYTES("\x80\x02}(Nu."), "byte 5: pairs are set in something that is no dictionary"},
      {BYTES("\x80\x02(Nu."), "byte 4: the stack has too few values"},
      {BYTES("\x80\x02N)R."), "byte 4: something that is no known object of Python is called"},
      {BYTES("\x80\x02NNb."), "byte 4: a state is set in something that is no object"},
      {BYTES("\x80\x02"
             "c_codecs\nencode\n)R."),
       "_codecs.encode has no text"},
  };
  arena *a = arena_create();
  const pickle_value *v;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_FAILS(parse(a, cases[i].bytes, cases[i].size, &v), cases[i].message);
  arena_destroy(a);
}

TEST(values_that_are_no_arrays_are_refused) {
  static const struct {
    const char *bytes;
    size_t size;
    const char *message;
  } cases[] = {
      {BYTES("\x80\x02N."), "expected an array of numpy"},
      {BYTES("\x80\x02"
             "cnumpy\nndarray\n)R."),
       "expected an array of numpy"},
      {BYTES("\x80\x02"
             "cnumpy.core.multiarray\n_reconstruct\n)R(NNNNNtb."),
       "holds something else than numbers"},
      {BYTES("\x80\x02"
             "cnumpy.core.multiarray\n_reconstruct\n)R(N)cnumpy\ndtype\nU\x02O8\x85R\x89U\x00tb."),
       "holds something else than numbers of at most 8 bytes"},
      {BYTES("\x80\x02"
             "cnumpy.core.multiarray\n_reconstruct\n)R(NK\x03\x85"
             "cnumpy\ndtype\nU\x02i4\x85R\x89U\x00tb."),
       "its shape takes 12 bytes, 0 are there"},
  };
  arena *a = arena_create();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const pickle_value *v;
    tensor t;
    pickle_csr m;
    CHECK_OK(parse(a, cases[i].bytes, cases[i].size, &v));
    CHECK_FAILS(pickle_read_array(a, v, &t), cases[i].message);
    CHECK_FAILS(pickle_read_csr(a, v, &m), "expected a sparse matrix in CSR form");
  }
  arena_destroy(a);
}

/* A matrix of numpy scalars and with indptr, indices and data of the array above is none. */
TEST(parts_of_a_sparse_matrix_that_do_not_fit_are_refused) {
  arena *a = arena_create();
  const pickle_value *v;
  pickle_csr m;
#define MATRIX(shape)                                                                                                  \
  "\x80\x02"                                                                                                           \
  "cscipy.sparse.csr\ncsr_matrix\n)\x81}(U\x06_shape" shape "U\x06indptr" ARRAY "U\x07indices" ARRAY "U\x04"           \
  "data" ARRAY "ub."
  CHECK_OK(parse(a, BYTES(MATRIX("K\x01K\x02\x86")), &v));
  CHECK_FAILS(pickle_read_csr(a, v, &m), "'indptr' does not rise from 0 to the 2 entries");
  CHECK_OK(parse(a, BYTES(MATRIX("K\x02K\x02\x86")), &v));
  CHECK_FAILS(pickle_read_csr(a, v, &m), "the shapes of the sparse matrix do not fit together");
  CHECK_OK(parse(a, BYTES(MATRIX("K\x01\x85")), &v));
  CHECK_FAILS(pickle_read_csr(a, v, &m), "the shapes of the sparse matrix do not fit together");
  CHECK_OK(parse(a,
                 BYTES("\x80\x02"
                       "cscipy.sparse.csr\ncsr_matrix\n)\x81}b."),
                 &v));
  CHECK_FAILS(pickle_read_csr(a, v, &m), "the sparse matrix has no 'indptr'");
  arena_destroy(a);
}

TEST(no_truncation_or_flipped_byte_of_a_pickle_crashes) {
  const char whole[] = MATRIX("K\x01K\x02\x86");
  for (size_t i = 0; i < sizeof whole; i++)
    for (int is_flipped = 0; is_flipped < 2; is_flipped++) {
      arena *a = arena_create();
      char copy[sizeof whole];
      const pickle_value *v = NULL;
      pickle_csr m;
      memcpy(copy, whole, sizeof copy);
      if (is_flipped) copy[i] = (char)~copy[i];
      status s = parse(a, copy, is_flipped ? sizeof whole - 1 : i, &v);
      if (!s) status_free(pickle_read_csr(a, v, &m));
      status_free(s);
      arena_destroy(a);
    }
}
