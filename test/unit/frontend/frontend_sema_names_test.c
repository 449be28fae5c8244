/* Files of weights with many names, or with long ones. Work that grows with the square of their number takes hours here,
 * and memory that grows with the square of a name's length is counted. */
#include "frontend_sema_fixture.h"

#include <sys/resource.h>

static const char *const model = "model m {\n"
                                 "  graph g;\n"
                                 "  input x : node f32[2];\n"
                                 "  weight W : f32[2] from \"mp.layer0.W\";\n"
                                 "  output y = x + W;\n"
                                 "}\n";

/* Gives the file other names than those that find_weight knows. */
static void use_names(analysed *p, const char *const *names, size_t count) {
  use_weights(p, "mp.layer0.W F32 2");
  p->env.weight_names = names;
  p->env.weight_count = count;
}

TEST(an_extra_layer_of_many_tensors_is_said_once) {
  enum { COUNT = 400000 };
  analysed *p = open_analysis();
  const char **names = arena_alloc_array(p->memory, COUNT, sizeof *names);
  names[0] = "mp.layer0.W";
  for (int i = 1; i < COUNT; i++) names[i] = arena_printf(p->memory, "mp.layer1.W%d", i);
  use_names(p, names, COUNT);
  run_analysis(p, model, NULL);
  CHECK_STR(text_str(&p->messages), "1:7: warning: w.safetensors has a layer 'mp.layer1' (399999 tensors), but the "
                                    "model has fewer layers: its results will be others\n");
  close_analysis(p);
}

TEST(many_extra_layers_are_said_once_each) {
  enum { COUNT = 100000 };
  analysed *p = open_analysis();
  const char **names = arena_alloc_array(p->memory, COUNT, sizeof *names);
  for (int i = 0; i < COUNT; i++) names[i] = arena_printf(p->memory, "mp.layer%d.%c", i / 2, i % 2 ? 'b' : 'W');
  use_names(p, names, COUNT);
  run_analysis(p, model, NULL);
  int lines = 0;
  for (const char *c = text_str(&p->messages); *c; c++) lines += *c == '\n';
  CHECK_INT(lines, COUNT / 2); /* one line for mp.layer0.b, which is no extra layer */
  CHECK_HAS(text_str(&p->messages), "has a tensor 'mp.layer0.b' that the model does not use\n");
  CHECK_HAS(text_str(&p->messages), "has a layer 'mp.layer49999' (2 tensors)");
  close_analysis(p);
}

TEST(a_layer_is_extra_only_beside_one_of_its_name) {
  static const char *const names[] = {"mp.layer0.W", "mp.layer10.W", "mp.layers.1.W", "norm1.W", "mp.layer1", "0.W"};
  analysed *p = open_analysis();
  use_names(p, names, sizeof names / sizeof *names);
  run_analysis(p, model, NULL);
  CHECK_STR(text_str(&p->messages),
            "1:7: warning: w.safetensors has a layer 'mp.layer10' (1 tensors), but the model has fewer layers: its "
            "results will be others\n"
            "1:7: warning: w.safetensors has a tensor 'mp.layers.1.W' that the model does not use\n"
            "1:7: warning: w.safetensors has a tensor 'norm1.W' that the model does not use\n"
            "1:7: warning: w.safetensors has a tensor 'mp.layer1' that the model does not use\n"
            "1:7: warning: w.safetensors has a tensor '0.W' that the model does not use\n");
  close_analysis(p);
}

static long peak_kilobytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(a_name_of_many_dots_takes_no_more_memory_than_it_has_bytes) {
  enum { DOTS = 40000 };
  analysed *p = open_analysis();
  char *dots = arena_alloc(p->memory, DOTS + 1);
  memset(dots, '.', DOTS);
  long before = peak_kilobytes();
  const char *const names[] = {dots, arena_printf(p->memory, "%s%s", dots, "other")};
  use_names(p, names, 2);
  p->weights.count = 0;
  run_analysis(p, model, NULL);
  CHECK_HAS(text_str(&p->messages), "4:10: error: w.safetensors has no tensor 'mp.layer0.W' for weight 'W'");
  CHECK(peak_kilobytes() - before < 200 * 1024);
  close_analysis(p);
}

TEST(the_shortest_prefix_that_all_names_have_is_named) {
  static const char *const cases[][4] = {
      /* the names of the file, and the prefix that is said; "" where none is */
      {"module.mp.layer0.W", "module.b", "module.c", "module."}, {"a.b.mp.layer0.W", "a.b.c", "a.b.d", "a.b."},
      {"a.a.mp.layer0.W", "a.mp.layer0.W", "a.x", "a."},         {"module.mp.layer0.W", "module.b", "other.c", ""},
      {"module_mp.layer0.W", "module_b", "module_c", ""},        {"module.mp.layer0.W2", "module.b", "module.c", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    analysed *p = open_analysis();
    use_names(p, cases[i], 3);
    p->weights.count = 0;
    run_analysis(p, model, NULL);
    const char *said =
        *cases[i][3]
            ? arena_printf(p->memory, "the names of all tensors in w.safetensors begin with '%s'; strip", cases[i][3])
            : "w.safetensors has no tensor 'mp.layer0.W' for weight 'W'";
    CHECK_HAS(text_str(&p->messages), said);
    close_analysis(p);
  }
}
