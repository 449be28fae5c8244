/* Edge lists, Matrix Market files and triples become the expected tensors, or are refused with a
 * message. */
#include "data/formats/gunzip.h"
#include "data_import_fixture.h"

#include <zlib.h>

TEST(an_edge_list_is_numbered_in_the_order_of_its_ids_and_sorted) {
  arena *a = arena_create();
  CHECK_STR(
      import(a, import_snap, "# FromNodeId ToNodeId\n30\t10\n% other comment\n10 20\n10 20\n\n", (import_options){0}),
      "metadata num_edges 3\nmetadata num_nodes 3\n"
      "tensor edge_index i32 2 3\n0 0 2\n1 1 0\n");
  arena_destroy(a);
}

TEST(ids_may_be_any_whole_numbers) {
  arena *a = arena_create();
  CHECK_HAS(import(a, import_snap, "9223372036854775807 -9223372036854775808\n5 5\n", (import_options){0}),
            "metadata num_nodes 3\ntensor edge_index i32 2 2\n1 2\n1 0\n");
  arena_destroy(a);
}

TEST(ids_can_be_kept) {
  arena *a = arena_create();
  CHECK_HAS(import(a, import_snap, "3 1\n", (import_options){.keeps_ids = true}),
            "num_nodes 4\ntensor edge_index i32 2 1\n3\n1\n");
  tensor_set *set;
  CHECK_FAILS(import_snap("f", "3 -1\n", 5, &(import_options){.keeps_ids = true}, &set), "f: node id -1 is negative");
  CHECK_FAILS(import_snap("f", "3 2147483647\n", 13, &(import_options){.keeps_ids = true}, &set),
              "too large to be kept");
  arena_destroy(a);
}

TEST(a_third_column_is_the_weight_of_the_edge) {
  arena *a = arena_create();
  CHECK_HAS(import(a, import_snap, "0 1 0.5\n1 0 -2e3\n", (import_options){0}),
            "tensor edge_weight f32 2\n0.5 -2000\n");
  arena_destroy(a);
}

TEST(reverses_are_added_and_loops_and_duplicates_dropped_on_demand) {
  arena *a = arena_create();
  const char *input = "0 1 1\n1 0 2\n1 1 3\n0 1 4\n";
  CHECK_HAS(import(a, import_snap, input, (import_options){.is_undirected = true}),
            "tensor edge_index i32 2 7\n0 0 0 1 1 1 1\n1 1 1 0 0 0 1\ntensor edge_weight f32 7\n1 4 2 2 1 4 3\n");
  CHECK_HAS(import(a, import_snap, input,
                   (import_options){.is_undirected = true, .drops_duplicates = true, .drops_loops = true}),
            "tensor edge_index i32 2 2\n0 1\n1 0\ntensor edge_weight f32 2\n1 2\n");
  arena_destroy(a);
}

TEST(an_empty_edge_list_is_an_empty_graph) {
  arena *a = arena_create();
  CHECK_STR(import(a, import_snap, "# nothing\n", (import_options){.is_undirected = true}),
            "metadata num_edges 0\nmetadata num_nodes 0\ntensor edge_index i32 2 0\n");
  arena_destroy(a);
}

TEST(a_broken_edge_list_is_refused_with_the_line) {
  check_refused(import_snap, "0 1\n1\n", "f: line 2: 1 columns, expected 2");
  check_refused(import_snap, "0\n", "f: line 1: 1 columns, expected source, target and maybe a weight");
  check_refused(import_snap, "0 1 2 3 4\n", "line 1: at least 4 columns");
  check_refused(import_snap, "0 1 2\n0 1\n", "line 2: 2 columns, expected 3");
  check_refused(import_snap, "0 a\n", "line 1: 'a' is no node id (a whole number)");
  check_refused(import_snap, "0 1.5\n", "line 1: '1.5' is no node id");
  check_refused(import_snap, "0 99999999999999999999\n", "is no node id");
  check_refused(import_snap, "0 1 nan\n", "line 1: 'nan' is no weight");
}

TEST(a_table_of_two_columns_is_a_list_of_edges) {
  arena *a = arena_create();
  const char *edges = "metadata num_edges 2\nmetadata num_nodes 2\ntensor edge_index i32 2 2\n0 1\n1 0\n";
  CHECK_STR(import(a, import_csv, "0,1\n1,0\n", (import_options){0}), edges);
  CHECK_STR(import(a, import_csv, "0\t1\n1\t0\n", (import_options){0}), edges);
  CHECK_STR(import(a, import_csv, "src,dst\n0, 1\n1, 0\n", (import_options){0}), edges);
  CHECK_STR(import(a, import_csv, "src\tdst\n0\t1\n1\t0\n", (import_options){0}), edges);
  CHECK_STR(import(a, import_snap, "0,1\n1,0\n", (import_options){0}), edges);
  arena_destroy(a);
}

TEST(a_third_column_of_a_table_is_a_weight_where_its_name_or_a_point_says_so) {
  arena *a = arena_create();
  CHECK_HAS(import(a, import_csv, "src,dst,w\n0,1,2\n1,0,3\n", (import_options){0}), "edge_weight f32 2\n2 3\n");
  CHECK_HAS(import(a, import_csv, "a,b,c\n0,1,2\n1,0,3.5\n", (import_options){0}), "edge_weight f32 2\n2 3.5\n");
  CHECK_HAS(import(a, import_csv, "0,1,1e-3\n", (import_options){0}), "edge_weight f32 1\n0.001\n");
  CHECK_HAS(import(a, import_csv, "from\tto\tWeight\n0\t1\t4\n", (import_options){0}), "edge_weight f32 1\n4\n");
  arena_destroy(a);
}

TEST(a_table_with_names_or_a_column_of_relations_holds_triples) {
  arena *a = arena_create();
  CHECK_HAS(import(a, import_csv, "alice,knows,bob\nbob,likes,alice\n", (import_options){0}),
            "metadata relations knows | likes\n");
  CHECK_HAS(import(a, import_csv, "alice,knows,bob\n", (import_options){0}), "metadata relations knows\n");
  CHECK_HAS(import(a, import_csv, "head,relation,tail\n0,7,1\n1,8,0\n", (import_options){0}),
            "metadata num_nodes 2\nmetadata num_relations 2\nmetadata num_triples 2\nmetadata relations 7 | 8\n");
  CHECK_HAS(import(a, import_csv, "alice,type,person\n", (import_options){0}), "metadata relations type\n");
  arena_destroy(a);
}

TEST(a_table_that_may_be_either_is_asked_about) {
  check_refused(import_csv, "0,1,2\n1,0,3\n",
                "f: line 1: three columns of whole numbers: are they source, target and weight");
  check_refused(import_csv, "a,b,c\n1,0,3\n", "--from=snap or --from=triples");
  check_refused(import_csv, "src,dst,w\n0,bob,1\n", "f: line 2: 'bob' is no node id");
  check_refused(import_csv, "0,1\n0,1,2\n", "f: line 2: 3 columns, expected 2");
}

TEST(many_edges_are_sorted_by_source_and_target) {
  text input = {0};
  uint64_t state = 7;
  for (int i = 0; i < 50000; i++) {
    state = state * UINT64_C(6364136223846793005) + 1;
    text_printf(&input, "%u %u\n", (unsigned)(state >> 40) % 300000, (unsigned)(state >> 20) % 300000);
  }
  tensor_set *set = NULL;
  graph *g = NULL;
  CHECK_OK(import_snap("f", input.data, input.size, &(import_options){.keeps_ids = true}, &set));
  CHECK_OK(graph_create(set, &g));
  int unsorted = 0;
  for (int64_t e = 1; e < g->num_edges; e++)
    unsorted += g->src[e - 1] > g->src[e] || (g->src[e - 1] == g->src[e] && g->dst[e - 1] > g->dst[e]);
  CHECK_INT(unsorted, 0);
  CHECK_INT(g->num_edges, 50000);
  graph_close(g);
  tensor_set_destroy(set);
  text_free(&input);
}

TEST(a_matrix_entry_becomes_the_edge_from_its_column_to_its_row) {
  arena *a = arena_create();
  CHECK_STR(import(a, import_mtx, "%%MatrixMarket matrix coordinate real general\n% c\n3 3 2\n2 1 0.5\n1 3 -1\n",
                   (import_options){0}),
            "metadata num_edges 2\nmetadata num_nodes 3\n"
            "tensor edge_index i32 2 2\n0 2\n1 0\ntensor edge_weight f32 2\n0.5 -1\n");
  arena_destroy(a);
}

TEST(symmetric_matrices_are_written_out_and_patterns_have_no_weights) {
  arena *a = arena_create();
  CHECK_HAS(import(a, import_mtx, "%%MatrixMarket MATRIX Coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n",
                   (import_options){0}),
            "tensor edge_index i32 2 3\n0 0 1\n0 1 0\n");
  CHECK_HAS(import(a, import_mtx, "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n",
                   (import_options){0}),
            "tensor edge_index i32 2 2\n0 1\n1 0\ntensor edge_weight f32 2\n3 -3\n");
  arena_destroy(a);
}

TEST(a_matrix_that_is_not_square_becomes_its_csr_form) {
  arena *a = arena_create();
  CHECK_STR(import(a, import_mtx, "%%MatrixMarket matrix coordinate real general\n2 3 3\n2 1 4\n1 3 5\n2 2 6\n",
                   (import_options){0}),
            "metadata cols 3\nmetadata nnz 3\nmetadata rows 2\n"
            "tensor adj_data f32 3\n5 4 6\ntensor adj_indices i32 3\n2 0 1\ntensor adj_indptr i64 3\n0 1 3\n");
  arena_destroy(a);
}

TEST(a_broken_matrix_is_refused_with_the_line) {
  check_refused(import_mtx, "", "f: line 1: expected '%%MatrixMarket matrix coordinate");
  check_refused(import_mtx, "1 2 3 4 5\n", "line 1: expected '%%MatrixMarket matrix', found '1'");
  check_refused(import_mtx, "%%MatrixMarket matrix array real general\n",
                "format 'array', only 'coordinate' can be read");
  check_refused(import_mtx, "%%MatrixMarket matrix coordinate complex general\n", "field 'complex'");
  check_refused(import_mtx, "%%MatrixMarket matrix coordinate real hermitian\n", "symmetry 'hermitian'");
  const char *banner = "%%MatrixMarket matrix coordinate real general\n";
  static const char *const cases[][2] = {{"", "ends before ROWS COLUMNS ENTRIES"},
                                         {"2 2\n", "line 2: expected ROWS COLUMNS ENTRIES"},
                                         {"2 2 -1\n", "line 2: expected ROWS COLUMNS ENTRIES"},
                                         {"3000000000 2 1\n", "too large"},
                                         {"2 2 1\n3 1 1\n", "line 3: row 3, the matrix has 2"},
                                         {"2 2 1\n1 0 1\n", "line 3: column 0, the matrix has 2"},
                                         {"2 2 1\n1 1\n", "line 3: expected a value"},
                                         {"2 2 1\n1 1 1 1\n", "line 3: '1' is one word too many"},
                                         {"2 2 2\n1 1 1\n", "holds 1 entries, its header says 2"},
                                         {"2 2 1\n1 1 1\n1 2 1\n", "holds 2 entries, its header says 1"},
                                         {"2000000000 3 1\n1 1 1\n", "too many for a CSR form"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = arena_create();
    check_refused(import_mtx, arena_printf(a, "%s%s", banner, cases[i][0]), cases[i][1]);
    arena_destroy(a);
  }
  check_refused(import_mtx, "%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
                "symmetric matrix of 2 rows and 3 columns");
}

TEST(triples_are_numbered_by_first_appearance) {
  arena *a = arena_create();
  CHECK_STR(import(a, import_triples, "b knows a\na likes b\nc knows a\n", (import_options){0}),
            "metadata num_edges 3\nmetadata num_nodes 3\nmetadata num_relations 2\nmetadata num_triples 3\n"
            "metadata relations knows | likes\n"
            "tensor edge_index i32 2 3\n0 1 2\n1 0 1\ntensor edge_type i32 3\n0 1 0\n"
            "tensor node_name_bytes u8 3\n98 97 99\ntensor node_name_ptr i64 4\n0 1 2 3\n");
  arena_destroy(a);
}

TEST(inverse_triples_get_the_relations_behind_the_given_ones) {
  arena *a = arena_create();
  CHECK_HAS(import(a, import_triples, "0 0 1\n1 1 1\n", (import_options){.is_undirected = true, .keeps_ids = true}),
            "metadata num_relations 4\nmetadata num_triples 2\n"
            "tensor edge_index i32 2 4\n0 1 1 1\n1 0 1 1\ntensor edge_type i32 4\n0 2 1 3\n");
  arena_destroy(a);
}

TEST(fields_of_triples_are_separated_by_tabs_commas_or_blanks) {
  arena *a = arena_create();
  CHECK_HAS(import(a, import_triples, "a b\tr\tc, d\n", (import_options){0}), "tensor node_name_ptr i64 3\n0 3 7\n");
  CHECK_HAS(import(a, import_triples, "\"a, \"\"b\"\"\" , r , c\n", (import_options){0}),
            "tensor node_name_ptr i64 3\n0 6 7\n");
  CHECK_HAS(import(a, import_triples, "<http://a,b> <r> \"two words\"@en .\n", (import_options){0}),
            "metadata relations <r>\ntensor edge_index i32 2 1\n0\n1\n");
  arena_destroy(a);
}

TEST(broken_triples_are_refused_with_the_line) {
  check_refused(import_triples, "a r b\na r\n", "f: line 2: an empty, missing or unclosed field, expected subject");
  check_refused(import_triples, "a,r,b,c\n", "line 1: more than three fields");
  check_refused(import_triples, "a,,b\n", "line 1: an empty, missing or unclosed field");
  check_refused(import_triples, "\"a,r,b\n", "line 1: an empty, missing or unclosed field");
  tensor_set *set;
  CHECK_FAILS(import_triples("f", "0 x 1\n", 6, &(import_options){.keeps_ids = true}, &set),
              "line 1: 'x' is no number");
}

TEST(a_packed_file_is_unpacked_whatever_its_members) {
  arena *a = arena_create();
  unsigned char packed[400];
  size_t used = 0;
  for (int member = 0; member < 2; member++) {
    z_stream z = {0};
    CHECK_INT(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    char input[] = "0 1\n1 2\n";
    z.next_in = (unsigned char *)input;
    z.avail_in = 8;
    z.next_out = packed + used;
    z.avail_out = (uInt)(sizeof packed - used);
    CHECK_INT(deflate(&z, Z_FINISH), Z_STREAM_END);
    used += z.total_out;
    deflateEnd(&z);
  }
  char *data;
  size_t size;
  CHECK(gunzip_is_packed(packed, used));
  CHECK_OK(gunzip_unpack(a, packed, used, &data, &size));
  CHECK_INT(size, 16);
  CHECK_STR(data, "0 1\n1 2\n0 1\n1 2\n");
  CHECK_FAILS(gunzip_unpack(a, packed, used / 4, &data, &size), "broken or ends too early");
  packed[15] ^= 0xFF;
  status_free(gunzip_unpack(a, packed, used, &data, &size));
  arena_destroy(a);
}
