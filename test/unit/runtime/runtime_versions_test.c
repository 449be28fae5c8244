/* Models of another version of the ABI: a library of version 1, whose tables lay otherwise, and a linked one. Nothing of them is
 * read but the version. */
#include "runtime/gnnc/runtime.h"
#include "support/file.h"
#include "unit.h"

#include <unistd.h>

/* As generated C of version 1 ended: the name is where version 2 has the size. */
static const char version_1[] = "/* gnnc model old: by hand. */\n"
                                "#include <stddef.h>\n"
                                "#include <stdint.h>\n"
                                "typedef struct info_1 { int32_t abi_version; const char *name;\n"
                                "  int32_t num_inputs, num_weights, num_outputs; } info_1;\n"
                                "size_t old_bound_bytes(const void *g) { (void)g; return 0; }\n"
                                "int old_bind(void) { return 0; }\n"
                                "size_t old_workspace_bytes(const void *b) { (void)b; return 0; }\n"
                                "int old_run(void) { return 0; }\n"
                                "static const info_1 info = {1, \"old\", 3, 2, 1};\n"
                                "const info_1 *old_info(void) { return &info; }\n";

TEST(a_library_of_version_1_is_refused_by_its_name) {
  char file[] = "/tmp/gnnc-versions-XXXXXX.c";
  int opened = mkstemps(file, 2);
  gnnc_program *program = NULL;
  CHECK(opened >= 0);
  if (opened < 0) return;
  CHECK_OK(file_write(file, version_1, sizeof version_1 - 1));
  CHECK_FAILS(gnnc_program_open(file, NULL, &program),
              "model 'old' speaks version 1 of the ABI, this program version 3");
  CHECK(!program);
  CHECK(!unlink(file));
}

TEST(a_linked_model_of_another_version_is_refused) {
  static const struct {
    int32_t abi_version;
    int32_t other[64]; /* no pointers where version 2 has them */
  } later = {.abi_version = GNNC_ABI_VERSION + 1, .other = {7, 7, 7, 7, 7, 7, 7}};
  gnnc_program *program = NULL;
  CHECK_FAILS(gnnc_program_of_model((const gnnc_model_info *)(const void *)&later, &program),
              "the model speaks version 4 of the ABI, this program version 3");
  CHECK(!program);
}

TEST(the_library_knows_its_version) {
  CHECK(strspn(gnnc_version(), "0123456789.") == strlen(gnnc_version()) && strchr(gnnc_version(), '.'));
}
