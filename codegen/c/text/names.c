/* C identifiers from the model's names: see names.h.
 *
 * A name with another meaning in generated text gets an underscore: as a local variable it would
 * hide that meaning, as a member it would be a macro or a keyword. */
#include "codegen/c/text/names.h"

#include "support/elementwise.h"
#include "support/vec.h"

#include <ctype.h>
#include <string.h>

/* In these lists words stand between blanks. */
static const char c_keywords[] =
    " alignas alignof asm atomic auto bool break case char complex const constexpr continue default do double else "
    "enum "
    "extern false float for goto if imaginary inline int long main noreturn nullptr register restrict return short "
    "signed sizeof static static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned "
    "void volatile while ";

/* C++ keywords, because the header may be included from C++. */
static const char cplusplus_keywords[] =
    " and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept "
    "consteval "
    "constinit const_cast contract_assert decltype delete dynamic_cast explicit export friend mutable namespace new "
    "noexcept not not_eq operator or or_eq private protected public reflexpr reinterpret_cast requires static_cast "
    "synchronized template this throw try typeid typename using virtual wchar_t xor xor_eq ";

/* Types, functions and macros of the headers that generated files include, and macros that
 * compilers predefine. */
static const char libc_names[] =
    " size_t ptrdiff_t max_align_t float_t double_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
    "intptr_t uintptr_t intmax_t uintmax_t NULL offsetof INFINITY NAN HUGE_VAL DOMAIN SING OVERFLOW UNDERFLOW PLOSS "
    "TLOSS "
    "SIZE_MAX INT8_MAX INT16_MAX INT32_MAX INT64_MAX INT8_MIN INT16_MIN INT32_MIN INT64_MIN UINT8_MAX UINT16_MAX "
    "UINT32_MAX UINT64_MAX EOF stdin stdout stderr errno assert linux unix i386 major minor signgam index rindex "
    "memchr "
    "memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strdup strerror strlen strncat strncmp "
    "strncpy strpbrk strrchr strspn strstr strtok strxfrm bcmp bcopy bzero ffs ";

/* Functions of <math.h>; each also exists with the suffix f or l. */
static const char math_names[] =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 fabs fdim "
    "finite floor fma fmax fmin fmod fpclassify frexp gamma hypot ilogb isfinite isinf isnan isnormal j0 j1 jn ldexp "
    "lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow "
    "remainder "
    "remquo rint round scalb scalbln scalbn signbit significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn ";

/* Names of the prelude and its macros, without those for functions of support/elementwise.def; a
 * test compares the list with codegen/c/prelude. */
static const char prelude_names[] =
    " ADD_PRODUCT ALWAYS_INLINE FEATURE_LOOP FLAT_ROWS FLAT_VECTORS GEMM_TILE LANES PRAGMA PREFETCH PREFETCH_LATER "
    "PREFETCH_WRITE "
    "REDUCTION_LOOP "
    "TILE_FUNCTION TILE_ROWS TILE_VECTORS UNROLL WIDE_BYTES make_edge_set count_parts cut_pieces cut_rows first_row "
    "for_parts "
    "make_parts make_parts_behind row_parts begin_exchange check_ranks context_comm count_ghosts count_interior "
    "end_exchange check_cells check_edge_rows share_edge_rows cut_cells share_pieces add_row sum_cells contract_cells "
    "count_cells cell_walk sort_cell walk_cell "
    "align_block bf16 bf16_round bf16_row bf16_widen check_csr check_graph check_integers check_types chunk_end "
    "count_graphs dot edge_pairs edge_set eight "
    "eight_memory "
    "find_pairs "
    "gemm_rows gemm_tile gemm_tile_eight gemm_tile_function "
    "gemm_tile_2x1 gemm_tile_2x2 gemm_tile_2x3 gemm_tile_2x8 gemm_tile_4x1 gemm_tile_4x2 gemm_tile_4x3 gemm_tile_4x8 "
    "gemm_tile_8x1 gemm_tile_8x2 gemm_tile_8x3 gemm_tile_8x8 gemm_tile_2x4 gemm_tile_4x4 gemm_tile_6x4 "
    "gemm_tiles group_by_type group_edges has_possible_counts keep_batch number_places "
    "pack_matrix "
    "panel_columns permute prefetch_row real real_functions real_select section softmax_level "
    "softmax_scale softmax_weights sort_by combine_pieces real_combined "
    "edge_chunks first_edge sort_shift sort_buckets sort_counters edge_sort bucket_end sort_count_chunk sort_key_chunk "
    "sort_bucket sort_edges move_chunk move_bucket move_edges place_chunk place_edges key_bucket move_keys "
    "find_opposites graph_context edge_check check_chunk ends_check check_ends_of_chunk check_ends made_set edge_ways "
    "count_loops keep_edges "
    "NEAR_LANES NEAR_ROWS run_edges finish_edges near_set near_pack_part near_distances near_row open_row near_insert "
    "near_take "
    "near_part "
    "is_near_source near_count near_edges power_set power_edges edge_filter filter_edges top_set is_higher sink_node "
    "top_part choose_top "
    "whole_between index_between random_block random_round random_words random_four fill_constant fill_uniform "
    "fill_normal random_step context_step node_number edge_number loop_number "
    "keep_row keep_entry real_scaled restriction restrict_parts restrict_clear restrict_add restrict_edges "
    "state_header state_weight STATE_CHUNK place_weight keep_gradient check_optimizer state_change state_chunk "
    "find_chunk "
    "sum_squares "
    "step_sgd step_adam change_chunk whole_power change_weights "
    "contract_parts contract_blocks contract_levels contract_room contract_ones contract_larger "
    "contract_side contraction contract_place contract_row contract_strip CONTRACT_TILE contract_tiles "
    "contract_columns contract_block_rows contract_copy contract_is_direct contract_slice contract_block "
    "contract_entries contract_sparse contract_sum contract_add contract_range contract_target contract_task "
    "contract_join side_row index_sums index_of_row sum_by_add sum_by_task sum_rows_by "
    "contract_rows contract_tile_4x8 contract_tile_4x1 contract_tile_4x2 contract_tile_16x8 "
    "contract_tile_16x1 contract_tile_8x2 contract_tile_4x3 contract_tile_8x3 contract_tile_4x4 "
    "contract_tile_6x4 contract_tile_function CONTRACT_LEAST CONTRACT_DEPTH CONTRACT_STRIDE CONTRACT_AHEAD "
    "CONTRACT_AHEAD_FOUND "
    "contract_places contract_point "
    "CONTRACT_WIDTH PREFETCH_LATER "
    "wide wide_memory ";

/* Names that generated text defines itself: the interface, and the variables around the model's
 * names in functions of phases. */
static const char own_names[] =
    " gnnc gnnc_context gnnc_csr gnnc_executor gnnc_graph gnnc_model gnnc_model_info gnnc_optimizer "
    "gnnc_optimizer_kind "
    "gnnc_part gnnc_result gnnc_rows gnnc_state_part gnnc_step gnnc_tensor gnnc_tensor_info gnnc_train_info "
    "gnnc_weight_info "
    "bound "
    "bound_header bound_layout bound_size block graph header inputs layout outputs place_bound place_work find_header "
    "size context weights work work_layout workspace input_table weight_table output_table src_pairs dst_pairs "
    "gradients weight_info_table place_state find_state "
    "BOUND_MAGIC BOUND_PROGRAM STATE_MAGIC ";

static bool is_listed(const char *list, const char *name, size_t length) {
  for (const char *at = list; (at = strstr(at, name)); at++)
    if (at[-1] == ' ' && at[length] == ' ') return true;
  return false;
}

/* Whether a name is real_NAME or real_derivative_NAME of a function in support/elementwise.def. */
static bool is_function(const char *name) {
  static const char derivative[] = "real_derivative_";
  if (strncmp(name, "real_", 5) != 0) return false;
  if (!strncmp(name, derivative, sizeof derivative - 1))
    return elementwise_unary_find(name + sizeof derivative - 1) != UNARY_none;
  return elementwise_unary_find(name + 5) != UNARY_none || elementwise_binary_find(name + 5) != BINARY_none;
}

static bool is_reserved(const char *name) {
  static const char *const lists[] = {c_keywords, cplusplus_keywords, libc_names, math_names, prelude_names, own_names};
  char plain[16]; /* "expf" is "exp" and a letter; longer words of <math.h> are not reserved */
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    if (is_listed(lists[i], name, length)) return true;
  if (is_function(name)) return true;
  if (length < 2 || length > sizeof plain || !strchr("fl", name[length - 1])) return false;
  memcpy(plain, name, length - 1);
  plain[length - 1] = '\0';
  return is_listed(math_names, plain, length - 1);
}

const char *c_names_mangle(arena *a, const char *name) {
  size_t length = strlen(name);
  char *made = arena_alloc(a, length + 3);
  size_t at = 0;
  if (!length || isdigit((unsigned char)name[0]) || name[0] == '_') made[at++] = 'v';
  for (size_t i = 0; i < length; i++) {
    char c = isalnum((unsigned char)name[i]) ? name[i] : '_';
    if (c == '_' && at && made[at - 1] == '_') continue;
    made[at++] = c;
  }
  while (at > 1 && made[at - 1] == '_') at--;
  made[at] = '\0';
  if (is_reserved(made)) memcpy(made + at, "_", 2);
  return made;
}

static map empty(const c_names *names) {
  return (map){.arena = names->arena, .of_strings = true};
}

const char *c_names_add(c_names *names, const char *name) {
  if (!names->in_force.arena) names->in_force = names->next = empty(names);
  const char *base = c_names_mangle(names->arena, name);
  const char *made = base;
  if (map_get(&names->in_force, base, 0)) {
    int64_t number = map_get(&names->next, base, 2);
    do made = arena_printf(names->arena, "%s_%lld", base, (long long)number++);
    while (map_get(&names->in_force, made, 0) || is_reserved(made));
    map_set(&names->next, base, number);
  }
  map_set(&names->in_force, made, 1);
  VEC_PUSH(names->arena, names, made);
  return made;
}

void c_names_leave(c_names *names, size_t mark) {
  if (names->count == mark) return;
  while (names->count > mark) map_set(&names->in_force, names->items[--names->count], 0);
  names->next = empty(names);
}
