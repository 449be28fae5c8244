/* Sums over rows of outer products. See real.h for how parts are used.
 *
 * Rows are cut into parts whose number depends on the rows alone. Each part is added up in the order of its rows, and the sums of the
 * parts in the binary tree over their numbers. A task is an aligned block of parts and a slice of the result: how many blocks and slices
 * there are changes no bit. Of the sums of a block few are alive at a time, as in a binary counter. */
#include "codegen/c/prelude/gemm.h"
#include "codegen/c/prelude/random.h"

//@ contract_parts
/* Rows from which there are parts, and their number. */
enum { CONTRACT_LEAST = 4096, contract_parts = 64 };

//@ contract_blocks
/* Blocks of parts for a result of so many numbers: fewer where their partial results would not stay in a cache. */
static inline int64_t contract_blocks(int64_t elements) {
  int64_t blocks = contract_parts;
  while (blocks > 4 && blocks * elements > INT64_C(1) << 19) blocks /= 2;
  return blocks;
}

//@ contract_levels
/* Partial results of a block besides the last one. */
static inline int64_t contract_levels(int64_t elements) {
  int64_t levels = 0;
  while (contract_blocks(elements) << levels < contract_parts) levels++;
  return levels;
}

//@ contract_room
/* Numbers of the partial results: of each block its sums, where it has several types two, and those of its parts. */
static inline int64_t contract_room(int64_t rows, int64_t elements, int has_types) {
  const int64_t blocks = contract_blocks(elements);
  if (rows < CONTRACT_LEAST) return 0;
  return elements * blocks * ((has_types ? 2 : 1) + contract_levels(elements));
}

//@ contract_ones
/* The rows of a that is not there. */
static const real contract_ones[4] = {1};

//@ contract_larger
static inline int64_t contract_larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

//@ contract_side
/* An operand: row r of the walk is row at[r] of the array, then number[at[r]]. NULL arrays leave r as it is. */
typedef struct contract_side {
  const real *made;   /* NULL where the numbers are the caller's floats */
  const float *given; /* NULL where they are `real` */
  const int32_t *at, *number;
  int64_t stride; /* numbers of a row */
} contract_side;

//@ side_row
/* The row of an operand's array that a row of the walk reads. */
static inline int64_t side_row(const contract_side *s, int64_t row) {
  if (s->at) row = s->at[row];
  return s->number ? s->number[row] : row;
}

//@ contraction
typedef struct contraction {
  const gnnc_context *context;
  contract_side a, b;     /* without a, its rows are contract_ones, of stride 0 and depth 1 */
  const gnnc_csr *sparse; /* in the place of a; or NULL */
  random_step step;       /* of a dropout of its entries, with these numbers; scale is 0 where there is none */
  uint32_t site, limit;
  real scale;
  int64_t rows;
  const int32_t *order;        /* place -> row, where rows are walked by type; NULL: rows are places */
  const int64_t *ptr;          /* type -> its first place; NULL: there is one sum */
  int64_t types;               /* of ptr; 1 without */
  int64_t copies;              /* leading positions of a row, which are further rows */
  int64_t heads, depth, width; /* of the result of one type */
  real *partial, *to;
  int64_t blocks, levels, slices, slice; /* made by contract_rows: slices of a head, rows or columns of a slice */
} contraction;

//@ contract_places
/* Rows, in the order of the walk. */
static inline int64_t contract_places(const contraction *c) {
  return c->ptr ? c->ptr[c->types] : c->rows;
}

//@ contract_place
/* The first place of a part. */
static inline int64_t contract_place(const contraction *c, int64_t part) {
  const int64_t places = contract_places(c);
  return places < CONTRACT_LEAST ? (part ? places : 0) : places * part / contract_parts;
}

//@ contract_row
/* The row of an operand's array at a place. */
static inline int64_t contract_row(const contraction *c, const contract_side *s, int64_t place) {
  return side_row(s, c->order ? c->order[place] : place);
}

//@ CONTRACT_AHEAD
/* Rows of a between one that is added and one that is asked for: a whole block where rows follow one another, few where each must be
 * found. */
enum { CONTRACT_AHEAD = 128, CONTRACT_AHEAD_FOUND = 16 };

//@ contract_strip
/* What a tile works on: `count` rows of a and b, and the numbers of the result that they add to, of which the tile may hold more. */
typedef struct contract_strip {
  int64_t count, first, b_stride, y_stride; /* first: the column of a at which the tile begins */
  int64_t ahead;
  const real *const *a; /* its rows, and `ahead` more that are asked for early */
  const real *b;
  real *y;
  int64_t columns; /* that are stored */
  int from, to;    /* rows that are stored */
  int is_first;    /* the sums begin at 0 */
} contract_strip;

//@ CONTRACT_TILE
/* `rows` rows by `vectors` registers of columns; 0: eight numbers. */
#if defined(__GNUC__)
#define CONTRACT_TILE(name, rows, vectors, lanes, type)                                                                \
  TILE_FUNCTION name(const contract_strip *s) {                                                                        \
    type sum[rows][vectors];                                                                                           \
    UNROLL                                                                                                             \
    for (int r = 0; r < rows; r++) {                                                                                   \
      UNROLL                                                                                                           \
      for (int v = 0; v < vectors; v++) {                                                                              \
        const int64_t columns = s->columns - v * lanes;                                                                \
        const real *const y = s->y + r * s->y_stride + v * lanes;                                                      \
        sum[r][v] = (type){0};                                                                                         \
        if (s->is_first || r < s->from || r >= s->to) continue;                                                        \
        if (columns >= lanes)                                                                                          \
          sum[r][v] = *(const type##_memory *)y;                                                                       \
        else                                                                                                           \
          for (int64_t l = 0; l < columns; l++) sum[r][v][l] = y[l];                                                   \
      }                                                                                                                \
    }                                                                                                                  \
    const real *const *row = s->a;                                                                                     \
    const real *b = s->b;                                                                                              \
    const int64_t first = s->first, b_stride = s->b_stride, ahead = s->ahead;                                          \
    for (int64_t i = s->count; i > 0; i--, row++, b += b_stride) {                                                     \
      const real *const a = *row + first;                                                                              \
      PREFETCH_LATER(row[ahead] + first);                                                                              \
      type b_i[vectors];                                                                                               \
      UNROLL                                                                                                           \
      for (int v = 0; v < vectors; v++) b_i[v] = *(const type##_memory *)(b + v * lanes);                              \
      UNROLL                                                                                                           \
      for (int r = 0; r < rows; r++) {                                                                                 \
        UNROLL                                                                                                         \
        for (int v = 0; v < vectors; v++) ADD_PRODUCT(type, sum[r][v], a[r], b_i[v]);                                  \
      }                                                                                                                \
    }                                                                                                                  \
    UNROLL                                                                                                             \
    for (int r = 0; r < rows; r++) {                                                                                   \
      UNROLL                                                                                                           \
      for (int v = 0; v < vectors; v++) {                                                                              \
        const int64_t columns = s->columns - v * lanes;                                                                \
        real *const y = s->y + r * s->y_stride + v * lanes;                                                            \
        if (r < s->from || r >= s->to) continue;                                                                       \
        if (columns >= lanes)                                                                                          \
          *(type##_memory *)y = sum[r][v];                                                                             \
        else                                                                                                           \
          for (int64_t l = 0; l < columns; l++) y[l] = sum[r][v][l];                                                   \
      }                                                                                                                \
    }                                                                                                                  \
  }
#else
#define CONTRACT_TILE(name, rows, vectors, lanes, type)                                                                \
  TILE_FUNCTION name(const contract_strip *s) {                                                                        \
    for (int r = s->from; r < s->to; r++) {                                                                            \
      for (int64_t j = 0; s->is_first && j < s->columns; j++) s->y[r * s->y_stride + j] = 0;                           \
      for (int64_t i = 0; i < s->count; i++)                                                                           \
        for (int64_t j = 0; j < s->columns; j++)                                                                       \
          s->y[r * s->y_stride + j] += s->a[i][s->first + r] * s->b[i * s->b_stride + j];                              \
    }                                                                                                                  \
  }
#endif

//@ contract_tiles
CONTRACT_TILE(contract_tile_4x8, 4, 1, 8, eight)
CONTRACT_TILE(contract_tile_4x1, 4, 1, LANES, wide)
CONTRACT_TILE(contract_tile_4x2, 4, 2, LANES, wide)
#if WIDE_BYTES == 64
CONTRACT_TILE(contract_tile_16x8, 16, 1, 8, eight)
CONTRACT_TILE(contract_tile_16x1, 16, 1, LANES, wide)
CONTRACT_TILE(contract_tile_8x2, 8, 2, LANES, wide)
CONTRACT_TILE(contract_tile_4x3, 4, 3, LANES, wide)
CONTRACT_TILE(contract_tile_8x3, 8, 3, LANES, wide)
CONTRACT_TILE(contract_tile_4x4, 4, 4, LANES, wide)
CONTRACT_TILE(contract_tile_6x4, 6, 4, LANES, wide)
#endif
typedef void contract_tile_function(const contract_strip *s);
/* For four rows, and for as many as the registers hold: 8 columns, or 1 to 4 registers of them. */
static const struct {
  int64_t rows;
  contract_tile_function *all, *four;
} contract_tiles[5] = {
#if WIDE_BYTES == 64
    {16, contract_tile_16x8, contract_tile_4x8}, {16, contract_tile_16x1, contract_tile_4x1},
    {8, contract_tile_8x2, contract_tile_4x2},   {8, contract_tile_8x3, contract_tile_4x3},
    {6, contract_tile_6x4, contract_tile_4x4},
#else
    {4, contract_tile_4x8, contract_tile_4x8},
    {4, contract_tile_4x1, contract_tile_4x1},
    {4, contract_tile_4x2, contract_tile_4x2},
#endif
};

//@ contract_columns
/* Registers of the next columns of so many: 0 where eight numbers are enough. */
static inline int64_t contract_columns(int64_t columns) {
  if (columns <= 8 && LANES > 8) return 0;
  const int64_t vectors = (columns + LANES - 1) / LANES;
  return vectors == FLAT_VECTORS + 1 ? (FLAT_VECTORS + 2) / 2 : vectors < FLAT_VECTORS ? vectors : FLAT_VECTORS;
}

//@ contract_block_rows
/* Rows of a block, and the columns of a that are copied at once; copies of rows are wider, so that they do not meet in the cache. */
enum { contract_block_rows = 128, CONTRACT_DEPTH = 64, CONTRACT_STRIDE = CONTRACT_DEPTH + 16, CONTRACT_WIDTH = 64 };

//@ contract_point
/* Finds `count` rows of a head of a, from row `row` of all copies on; the last one stands for those behind all rows. */
static void contract_point(const contraction *c, int64_t head, int64_t row, int64_t count, const real **to) {
  const int64_t size = c->a.stride / c->copies, last = contract_places(c) - 1;
  for (int64_t i = 0, place = row / c->copies, copy = row % c->copies; i < count; i++) {
    to[i] = c->a.made + contract_row(c, &c->a, place) * c->a.stride + copy * size + head * c->depth;
    if (++copy == c->copies) copy = 0, place += place < last;
  }
}

//@ contract_copy
/* Copies columns `first` .. of `count` rows of an operand, from row `row` of all copies on; the rest of a row becomes 0. */
static void contract_copy(const contraction *c, const contract_side *s, int64_t row, int64_t count, int64_t first,
                          int64_t columns, int64_t padded, int64_t stride, real *restrict to) {
  const int64_t size = s->stride / c->copies, last = (row + count - 1) / c->copies, ahead = 8;
  for (int64_t i = 0, place = row / c->copies, copy = row % c->copies; i < count; i++, to += stride) {
    if (!s->given && place + ahead <= last)
      prefetch_row(s->made + contract_row(c, s, place + ahead) * s->stride + copy * size + first,
                   columns * (int64_t)sizeof(real));
    const int64_t at = contract_row(c, s, place) * s->stride + copy * size + first;
    if (s->given)
      for (int64_t j = 0; j < columns; j++) to[j] = (real)s->given[at + j];
    else
      for (int64_t j = 0; j < columns; j++) to[j] = s->made[at + j];
    for (int64_t j = columns; j < padded; j++) to[j] = 0;
    if (++copy == c->copies) copy = 0, place++;
  }
}

//@ contract_is_direct
/* Whether rows of an operand follow one another in memory. */
static inline int contract_is_direct(const contraction *c, const contract_side *s) {
  return !c->order && !s->at && !s->number && !s->given;
}

//@ contract_slice
/* The part of the result that a task computes: rows first .. end - 1 of a head; of sparse rows, all rows and these columns. */
typedef struct contract_slice {
  int64_t head, first, end;
} contract_slice;

//@ contract_block
/* Adds up to contract_block_rows rows to a slice of one result. Rows of a are read where they are, but short ones and the caller's
 * floats as other numbers, which are copied; those of b where all registers of a row hold numbers of the array. */
static void contract_block(const contraction *c, const contract_slice *slice, int64_t row, int64_t count, int is_first,
                           real *y) {
  real a_copy[contract_block_rows * CONTRACT_STRIDE], b_copy[contract_block_rows * CONTRACT_WIDTH];
  const real *a_rows[contract_block_rows + CONTRACT_AHEAD];
  const int64_t first_b = slice->head * c->width, size_b = c->b.stride / c->copies;
  const int64_t behind = (contract_places(c) * c->copies - row - count) * size_b;
  const int a_copied = c->a.given || (c->a.stride && c->depth < 4);
  const int b_direct =
      contract_is_direct(c, &c->b) && (c->width % LANES == 0 || c->width == 8 || behind >= CONTRACT_WIDTH);
  contract_strip s = {.count = count, .a = a_rows, .y_stride = c->width, .is_first = is_first};
  s.ahead = contract_is_direct(c, &c->a) ? CONTRACT_AHEAD : CONTRACT_AHEAD_FOUND;
  for (int64_t i = 0; a_copied && i < count + s.ahead; i++) a_rows[i] = a_copy + (i < count ? i : 0) * CONTRACT_STRIDE;
  if (!a_copied) contract_point(c, slice->head, row, count + s.ahead, a_rows);
  for (int64_t j = 0, vectors, columns; j < c->width; j += columns) {
    vectors = contract_columns(c->width - j);
    const int64_t padded = vectors ? vectors * LANES : 8;
    columns = c->width - j < padded ? c->width - j : padded;
    s.columns = columns;
    s.b = b_direct ? c->b.made + row * size_b + first_b + j : b_copy;
    s.b_stride = b_direct ? size_b : padded;
    if (!b_direct) contract_copy(c, &c->b, row, count, first_b + j, columns, padded, padded, b_copy);
    const int64_t size = contract_tiles[vectors].rows;
    for (int64_t k = slice->first, stop; k < slice->end; k = stop) {
      stop = !a_copied || slice->end - k < CONTRACT_DEPTH ? slice->end : k + CONTRACT_DEPTH;
      const int64_t rows = stop - k;
      if (a_copied)
        contract_copy(c, &c->a, row, count, slice->head * c->depth + k, rows, rows < 4 ? 4 : rows, CONTRACT_STRIDE,
                      a_copy);
      for (int64_t r = 0, height; r < rows; r += height) {
        const int64_t rest = rows - r;
        const int is_small = rest < size || (size == 6 && rest == 8);
        height = is_small ? (rest < 4 ? rest : 4) : size;
        /* a tile of four rows begins earlier where fewer are left, and leaves out those that were added before */
        s.from = is_small && rest < 4 && (a_copied ? rows : c->depth) >= 4 ? (int)(4 - rest) : 0;
        s.to = s.from + (int)height;
        s.first = (a_copied ? 0 : k) + r - s.from;
        s.y = y + (k + r - s.from) * c->width + j;
        (is_small ? contract_tiles[vectors].four : contract_tiles[vectors].all)(&s);
      }
    }
  }
}

//@ contract_entries
/* The numbers of entries first .. end - 1 of row n, at most 64, behind dropout. The random numbers of all of them are made in one loop,
 * which vectorises. */
static inline void contract_entries(const contraction *c, int64_t n, int64_t first, int64_t end, real *restrict value) {
  const gnnc_csr *const x = c->sparse;
  for (int64_t e = first; e < end; e++) value[e - first] = (real)x->data[e];
  if (c->scale == 0) return;
  const int64_t number = node_number(&c->step, n);
  FEATURE_LOOP
  for (int64_t e = first; e < end; e++)
    value[e - first] *= keep_entry(&c->step, c->site, number, x->indices[e], c->limit, c->scale);
}

//@ contract_sparse
/* Adds places first .. end - 1 of sparse rows to some columns of a result. */
static void contract_sparse(const contraction *c, const contract_slice *slice, int64_t first, int64_t end, real *y) {
  real row[256], value[64];
  const gnnc_csr *const x = c->sparse;
  for (int64_t from = slice->first, to; from < slice->end; from = to) {
    to = slice->end - from < 256 ? slice->end : from + 256;
    for (int64_t k = 0; k < c->depth; k++)
      for (int64_t j = from; j < to; j++) y[k * c->width + j] = 0;
    for (int64_t place = first; place < end; place++) {
      const int64_t n = c->order ? c->order[place] : place, at = contract_row(c, &c->b, place) * c->b.stride;
      const real *b = c->b.given ? row - from : c->b.made + at;
      for (int64_t j = from; c->b.given && j < to; j++) row[j - from] = (real)c->b.given[at + j];
      for (int64_t e = x->indptr[n], last; e < x->indptr[n + 1]; e = last) {
        last = x->indptr[n + 1] - e < 64 ? x->indptr[n + 1] : e + 64;
        contract_entries(c, n, e, last, value);
        for (int64_t i = e; i < last; i++) {
          real *restrict sum = y + (int64_t)x->indices[i] * c->width;
          FEATURE_LOOP
          for (int64_t j = from; j < to; j++) sum[j] += value[i - e] * b[j];
        }
      }
    }
  }
}

//@ contract_sum
/* The sum of the places first .. end - 1 of one part, in their order. */
static void contract_sum(const contraction *c, const contract_slice *slice, int64_t first, int64_t end, real *y) {
  if (c->sparse) {
    contract_sparse(c, slice, first, end, y);
    return;
  }
  y += slice->head * c->depth * c->width;
  for (int64_t row = first * c->copies, stop = end * c->copies, count; row < stop; row += count) {
    count = stop - row < contract_block_rows ? stop - row : contract_block_rows;
    contract_block(c, slice, row, count, row == first * c->copies, y);
  }
}

//@ contract_add
/* to += from in a slice. */
static void contract_add(const contraction *c, const contract_slice *slice, real *restrict to,
                         const real *restrict from) {
  if (!c->sparse) {
    const int64_t begin = (slice->head * c->depth + slice->first) * c->width;
    const int64_t end = (slice->head * c->depth + slice->end) * c->width;
    for (int64_t i = begin; i < end; i++) to[i] += from[i];
    return;
  }
  for (int64_t k = 0; k < c->depth; k++)
    for (int64_t j = slice->first; j < slice->end; j++) to[k * c->width + j] += from[k * c->width + j];
}

//@ contract_range
/* The sum of places of one type in a block of parts. sums[0] gets it; the others are room for sums of parts. */
static void contract_range(const contraction *c, const contract_slice *slice, int64_t first, int64_t end, int64_t part,
                           real *const *sums) {
  int64_t node[8], level[8]; /* of the tree, whose sums are held */
  int held = 0;
  for (; contract_place(c, part) < end; part++) {
    const int64_t begin = contract_place(c, part), next = contract_place(c, part + 1);
    if (next <= first || begin == next) continue;
    contract_sum(c, slice, first > begin ? first : begin, end < next ? end : next, sums[held]);
    int64_t at = part, height = 0;
    for (; height < c->levels && at & 1; at >>= 1, height++) {
      if (!held || level[held - 1] != height || node[held - 1] != at - 1) continue;
      held--;
      contract_add(c, slice, sums[held], sums[held + 1]);
    }
    node[held] = at, level[held++] = height;
  }
  for (; held > 1; held--) contract_add(c, slice, sums[held - 2], sums[held - 1]);
}

//@ contract_target
/* Where a block puts its sum of a type: into the result where it has all places of the type, else to its sums of a type that began in an
 * earlier block, or of one that begins in it. */
static real *contract_target(const contraction *c, int64_t type, int64_t block, int64_t begin, int64_t end) {
  const int64_t elements = c->heads * c->depth * c->width;
  const int64_t first = c->ptr ? c->ptr[type] : 0, last = c->ptr ? c->ptr[type + 1] : c->rows;
  if (first >= begin && last <= end) return c->to + type * elements;
  return c->partial + (first < begin || !c->ptr ? block : c->blocks + block) * elements;
}

//@ contract_task
static void contract_task(void *data, int64_t task) {
  const contraction *c = (const contraction *)data;
  const int64_t elements = c->heads * c->depth * c->width, whole = c->sparse ? c->width : c->depth;
  const int64_t block = task / (c->heads * c->slices), rest = task % (c->heads * c->slices),
                parts = contract_parts / c->blocks;
  contract_slice slice = {rest / c->slices, rest % c->slices * c->slice, 0};
  slice.end = whole - slice.first < c->slice ? whole : slice.first + c->slice;
  const int64_t begin = contract_place(c, block * parts), end = contract_place(c, (block + 1) * parts);
  real *sums[8] = {NULL};
  for (int64_t i = 0; i < c->levels; i++)
    sums[i + 1] = c->partial + ((c->ptr ? 2 : 1) * c->blocks + block * c->levels + i) * elements;
  for (int64_t type = 0; type < c->types; type++) {
    const int64_t first = c->ptr ? c->ptr[type] : 0, last = c->ptr ? c->ptr[type + 1] : c->rows;
    if (first >= end || last <= begin || first == last) continue;
    sums[0] = contract_target(c, type, block, begin, end);
    contract_range(c, &slice, first > begin ? first : begin, last < end ? last : end, block * parts, sums);
  }
}

//@ contract_join
/* Adds the sums of blocks, for a piece of each result: 16,384 numbers. */
static void contract_join(void *data, int64_t piece) {
  const contraction *c = (const contraction *)data;
  const int64_t elements = c->heads * c->depth * c->width, from = piece << 14;
  const int64_t to = elements - from < 1 << 14 ? elements : from + (1 << 14), parts = contract_parts / c->blocks;
  for (int64_t type = 0; type < c->types; type++) {
    const int64_t first = c->ptr ? c->ptr[type] : 0, last = c->ptr ? c->ptr[type + 1] : c->rows;
    real *node[contract_parts] = {NULL}, *const result = c->to + type * elements;
    for (int64_t i = from; first == last && i < to; i++) result[i] = 0;
    int is_joined = first == last;
    for (int64_t block = 0; block < c->blocks && !is_joined; block++) {
      const int64_t begin = contract_place(c, block * parts), end = contract_place(c, (block + 1) * parts);
      if (first >= end || last <= begin) continue;
      node[block] = contract_target(c, type, block, begin, end);
      is_joined = node[block] == result;
    }
    if (is_joined) continue;
    for (int64_t step = 1; step < c->blocks; step *= 2)
      for (int64_t block = 0; block < c->blocks; block += 2 * step) {
        if (!node[block]) node[block] = node[block + step];
        if (node[block] == node[block + step] || !node[block + step]) continue;
        for (int64_t i = from; i < to; i++) node[block][i] += node[block + step][i];
      }
    for (int64_t i = from; i < to; i++) result[i] = node[0][i];
  }
}

//@ contract_rows
/* Adds up all rows. Tasks are so many that each thread finds some; with little work one thread does all. Slices of sparse rows read all
 * entries again, so there are few. */
static void contract_rows(contraction *c) {
  const int64_t elements = c->heads * c->depth * c->width, whole = c->sparse ? c->width : c->depth;
  const int64_t places = contract_places(c), work = places * c->copies * elements;
  const gnnc_executor *const executor = c->context ? c->context->executor : NULL;
  const int64_t threads = executor ? executor->width : 1;
  const gnnc_context *const context = work < 1 << 21 || threads < 2 ? NULL : c->context;
  c->blocks = places < CONTRACT_LEAST ? 1 : contract_blocks(elements);
  c->levels = places < CONTRACT_LEAST ? 0 : contract_levels(elements);
  c->slices = context ? (c->sparse ? threads : contract_parts / 2) / (c->blocks * c->heads) : 1;
  if (c->slices > whole / 16) c->slices = whole / 16;
  if (c->slices < 1) c->slices = 1;
  c->slice = ((whole + c->slices - 1) / c->slices + 7) / 8 * 8;
  c->slices = (whole + c->slice - 1) / c->slice;
  for_parts(context, c->blocks * c->heads * c->slices, contract_task, c);
  for_parts(c->blocks > 1 ? context : NULL, (elements + (1 << 14) - 1) >> 14, contract_join, c);
}
