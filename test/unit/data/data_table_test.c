/* Tables with headers: which first line is one, and in which order the columns are read. */
#include "data_import_fixture.h"

/* Every table, with each separator and with a byte order mark, becomes what is expected. */
static void check_reads(const char *input, const char *expected) {
  arena *a = arena_create();
  CHECK_STR(import(a, import_csv, input, (import_options){0}), expected);
  CHECK_STR(import(a, import_csv, arena_printf(a, "\xEF\xBB\xBF%s", input), (import_options){0}), expected);
  char *tabs = arena_strdup(a, input);
  for (char *at = tabs; *at; at++)
    if (*at == ',') *at = '\t';
  CHECK_STR(import(a, import_csv, tabs, (import_options){0}), expected);
  arena_destroy(a);
}

static const char two_edges[] = "metadata num_edges 2\nmetadata num_nodes 2\ntensor edge_index i32 2 2\n0 1\n1 0\n";
static const char weighted[] = "metadata num_edges 1\nmetadata num_nodes 2\ntensor edge_index i32 2 1\n0\n1\n"
                               "tensor edge_weight f32 1\n0.5\n";

/* One triple alice -> bob of the relation knows. */
static const char alice[] = "metadata num_edges 1\nmetadata num_nodes 2\nmetadata num_relations 1\n"
                            "metadata num_triples 1\nmetadata relations knows\n"
                            "tensor edge_index i32 2 1\n0\n1\ntensor edge_type i32 1\n0\n"
                            "tensor node_name_bytes u8 8\n97 108 105 99 101 98 111 98\n"
                            "tensor node_name_ptr i64 3\n0 5 8\n";

/* One triple 0 -> 1 of the relation foo, or of 7. */
static const char foo[] = "metadata num_edges 1\nmetadata num_nodes 2\nmetadata num_relations 1\n"
                          "metadata num_triples 1\nmetadata relations foo\n"
                          "tensor edge_index i32 2 1\n0\n1\ntensor edge_type i32 1\n0\n"
                          "tensor node_name_bytes u8 2\n48 49\ntensor node_name_ptr i64 3\n0 1 2\n";
static const char seven[] = "metadata num_edges 1\nmetadata num_nodes 2\nmetadata num_relations 1\n"
                            "metadata num_triples 1\nmetadata relations 7\n"
                            "tensor edge_index i32 2 1\n0\n1\ntensor edge_type i32 1\n0\n"
                            "tensor node_name_bytes u8 2\n48 49\ntensor node_name_ptr i64 3\n0 1 2\n";

TEST(a_header_says_in_which_order_the_columns_of_triples_are) {
  check_reads("src,dst,relation\nalice,bob,knows\n", alice);
  check_reads("subject,relation,object\nalice,knows,bob\n", alice);
  check_reads("# triples\n\nsource_id,target_id,edge_type\nalice,bob,knows\n", alice);
  check_reads("entity1,relation,entity2\nalice,knows,bob\n", alice);
  check_reads("Head_Entity,Type,Tail_Entity\nalice,knows,bob\n", alice);
  check_reads("src,dst,label\n0,1,foo\n", foo);
  check_reads("src,dst,type\n0,1,7\n", seven);
  check_reads("user,type,item\n0,7,1\n", seven);
  check_reads("user,item,type\n0,1,7\n", seven);
  check_reads("a,b,c\n0,foo,1\n", foo);
  arena *a = arena_create();
  CHECK_STR(import(a, import_triples, "src,dst,relation\nalice,bob,knows\n", (import_options){0}), alice);
  CHECK_STR(import(a, import_triples, "\xEF\xBB\xBFsubject,relation,object\nalice,knows,bob\n", (import_options){0}),
            alice);
  arena_destroy(a);
}

TEST(a_triple_is_no_header) {
  check_reads("alice,knows,bob\n", alice);
  arena *a = arena_create();
  CHECK_HAS(import(a, import_csv, "s1,type,o1\n", (import_options){0}), "metadata num_triples 1\n");
  CHECK_HAS(import(a, import_csv, "alice,type,person\nbob,type,person\n", (import_options){0}),
            "metadata num_triples 2\n");
  CHECK_HAS(import(a, import_csv, "0,knows,1\n1,knows,2\n", (import_options){0}), "metadata num_triples 2\n");
  CHECK_HAS(import(a, import_csv, "alice,age,30\n1,age,2\n", (import_options){0}), "metadata num_triples 2\n");
  CHECK_HAS(import(a, import_csv, "<a> <b,c> <d> .\n", (import_options){0}), "metadata relations <b,c>\n");
  arena_destroy(a);
}

TEST(quotes_around_fields_are_no_part_of_them) {
  check_reads("\"from\",\"to\",\"weight\"\n0,1,0.5\n", weighted);
  check_reads("\"a\",\"b\",\"c\"\n\"0\",\"1\",\"0.5\"\n", weighted);
  check_reads("\"source\",\"target\"\n0,1\n1,0\n", two_edges);
  check_reads("\"subject\",\"relation\",\"object\"\n\"alice\",\"knows\",\"bob\"\n", alice);
  arena *a = arena_create();
  CHECK_HAS(import(a, import_csv, "\"x, y\",\"is\",\"a \"\"b\"\"\"\n", (import_options){0}),
            "node_name_bytes u8 9\n120 44 32 121 97");
  CHECK_STR(import(a, import_csv, "\"weight, kg\",\"b\"\n0,1\n1,0\n", (import_options){0}), two_edges);
  arena_destroy(a);
}

TEST(a_tab_separates_where_a_header_has_both) {
  arena *a = arena_create();
  CHECK_STR(import(a, import_csv, "from, id\tto\n0\t1\n1\t0\n", (import_options){0}), two_edges);
  CHECK_STR(import(a, import_snap, "from, id\tto\n0\t1\n1 0\n", (import_options){0}), two_edges);
  arena_destroy(a);
}

TEST(the_first_line_of_a_list_may_follow_a_byte_order_mark) {
  arena *a = arena_create();
  CHECK_STR(import(a, import_snap, "\xEF\xBB\xBF# edges\n0 1\n1 0\n", (import_options){0}), two_edges);
  CHECK_STR(import(a, import_snap,
                   "\xEF\xBB\xBF"
                   "0 1\n1 0\n",
                   (import_options){0}),
            two_edges);
  arena_destroy(a);
}

TEST(a_header_that_leaves_the_order_open_is_refused) {
  const char *order = "f: line 1: 'dst,src' names the columns in another order, expected 'src,dst', 'src,dst,weight', "
                      "'src,dst,relation' or 'subject,relation,object' as header; --from=snap or --from=triples says";
  check_refused(import_csv, "dst,src\n0,1\n", order);
  check_refused(import_csv, "weight,src,dst\n0.5,0,1\n", "'weight,src,dst' names the columns in another order");
  check_refused(import_csv, "relation,head,tail\nknows,alice,bob\n", "names the columns in another order");
  check_refused(import_csv, "src,weight,dst\n0,0.5,1\n", "names the columns in another order");
  check_refused(import_csv, "target,type,source\n0,1,1\n", "names the columns in another order");
  const char *open = "may be names of columns or a triple, expected 'src,dst'";
  check_refused(import_csv, "# c\nsource,via,target\nalice,knows,bob\n", "f: line 2: 'source,via,target' may be names");
  check_refused(import_csv, "src,dst,capacity\nalice,bob,3\n", open);
  check_refused(import_csv, "src,dst,capacity\n", open);
  check_refused(import_csv, "entity1,type,entity2\nalice,knows,bob\n", open);
  check_refused(import_csv, "who,whom,relation\nalice,bob,knows\n", open);
}

TEST(rows_that_may_be_read_in_two_ways_are_refused_with_their_line) {
  check_refused(import_csv, "a,b,c\n1,0,3\n",
                "f: line 2: three columns of whole numbers: are they source, target and weight");
  check_refused(import_csv, "src,dst,time\n1,0,3\n", "f: line 2: three columns of whole numbers");
  check_refused(import_csv, "0,1,foo\n1,2,bar\n",
                "f: line 1: two whole numbers and a name: are they source, target and relation, "
                "or subject, relation and object? A header 'src,dst,relation' or");
  check_refused(import_csv, "src,dst,colour\n0,1,red\n", "f: line 2: two whole numbers and a name");
}

TEST(a_column_of_an_index_is_refused) {
  const char *index = "f: line 1: the first column has no name: where it is an index, write the table without it "
                      "(index=False in pandas, row.names=FALSE in R)";
  check_refused(import_csv, ",source,target\n0,5,7\n", index);
  check_refused(import_csv, ",source,target,weight\n0,5,7,0.5\n", index);
  check_refused(import_csv, "\"\",\"from\",\"to\"\n\"1\",0,1\n", index);
  check_refused(import_csv, "\"from\",\"to\"\n\"1\",0,1\n", "f: line 2: 3 columns, expected 2");
}

TEST(columns_beyond_the_third_are_refused) {
  check_refused(import_csv, "0,1,2,3\n", "f: line 1: at least 4 columns, expected source, target and maybe a weight");
  check_refused(import_csv, "src,dst,weight,time\n0,1,2,3\n", "f: line 2: at least 4 columns");
  check_refused(import_csv, "src,dst,relation,time\n0,1,2,3\n",
                "f: line 2: more than three fields, expected source, target and relation");
  check_refused(import_csv, "% a,b\n0,1,2\n", "f: line 2: 3 columns, expected 2");
}

TEST(names_above_names_are_a_triple_if_one_of_them_occurs_again) {
  const char *open =
      "f: line 1: no name of 'person,likes,friend' occurs again: are they names of columns (--header=yes) "
      "or a triple (--header=no)?";
  arena *a = arena_create();
  check_refused(import_csv, "person,likes,friend\nalice,knows,bob\n", open);
  check_refused(import_csv, "person,likes,friend\nalice,person,bob\nbob,friend,alice\n", open);
  const char *again[] = {"person,likes,friend\nalice,likes,bob\n", "person,likes,friend\nalice,knows,person\n",
                         "person,likes,friend\nfriend,knows,bob\n"};
  for (size_t i = 0; i < 3; i++)
    CHECK_HAS(import(a, import_csv, again[i], (import_options){0}), "metadata num_triples 2\n");
  const char *table = "person,likes,friend\nalice,knows,bob\n";
  CHECK_STR(import(a, import_csv, table, (import_options){.header = IMPORT_HEADER_yes}), alice);
  CHECK_HAS(import(a, import_csv, table, (import_options){.header = IMPORT_HEADER_no}), "metadata num_triples 2\n");
  CHECK_HAS(import(a, import_csv, "src,knows,dst\n", (import_options){.header = IMPORT_HEADER_no}),
            "metadata num_triples 1\n");
  arena_destroy(a);
}

TEST(the_user_may_say_whether_a_table_has_a_header) {
  arena *a = arena_create();
  const import_options yes = {.header = IMPORT_HEADER_yes}, no = {.header = IMPORT_HEADER_no};
  CHECK_STR(import(a, import_csv, "7,9\n0,1\n1,0\n", yes), two_edges);
  CHECK_STR(import(a, import_snap, "7,9\n0,1\n1,0\n", yes), two_edges);
  CHECK_STR(import(a, import_triples, "a,b,c\nalice,knows,bob\n", yes), alice);
  CHECK_STR(import(a, import_csv, "who,whom,relation\nalice,bob,knows\n", yes), alice);
  CHECK_HAS(import(a, import_triples, "src,dst,relation\nalice,bob,knows\n", no), "metadata num_triples 2\n");
  arena_destroy(a);
}
