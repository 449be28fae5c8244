/* gnn-objdump: shows the contents of program images. */
#include "isa/text/listing.h"
#include "support/command_line.h"
#include "support/completion.h"
#include "support/program.h"
#include "tools/gnn-objdump/gnn_objdump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_done, EXIT_failed, EXIT_usage };

static const char help[] =
    "usage: gnn-objdump [OPTION...] IMAGE...\n\n"
    "Prints the contents of images of programs for simulated machines; without an option a summary.\n\n"
    "Options:\n"
    "  -d, --disassemble      the instructions, by layer and tiling block\n"
    "      --layer=N          with -d: the instructions of this layer alone\n"
    "  -h, --headers          the sections\n"
    "  -m, --memory           the memory map: sections and symbols by address\n"
    "  -t, --tensors          inputs, outputs and other tensors\n"
    "  -s, --steps            runs of the device and the steps of the host between them\n"
    "      --assembly         the image without its manifest, as text for gnn-as\n"
    "      --manifest         what the runtime reads, as JSON\n"
    "      --device           the device of the program, as JSON for --device=FILE\n"
    "      --print-isa-md[=MACHINE]\n"
    "                         the page isa_MACHINE.md about the instruction set, by default\n"
    "                         of the default machine; needs no image\n"
    "      --color=WHEN       messages in colour: auto (on a terminal, unless NO_COLOR is set),\n"
    "                         always or never\n"
    "      --completion=SHELL print the script that completes options in this shell: bash\n"
    "      --help             print this and exit\n"
    "      --version          print the version and exit\n\n"
    "Exit status: 0 success, 1 an error of a file or the system, 2 wrong usage.\n";

typedef enum part {
  PART_disassembly,
  PART_headers,
  PART_memory,
  PART_tensors,
  PART_steps,
  PART_assembly,
  PART_manifest,
  PART_device,
  PARTS
} part;

typedef struct options {
  bool wants[PARTS];
  bool wants_any;
  int64_t layer; /* -1: all */
} options;

static int fail(status s) {
  program_error("%s", status_message(s));
  status_free(s);
  return EXIT_failed;
}

/* Prints text with control characters of names replaced, so that files cannot control the terminal.
 * The end of the program reports a failed write. */
static int print(text *out) {
  text shown = {0};
  text_append_printable_lines(&shown, text_str(out));
  fwrite(text_str(&shown), 1, shown.size, stdout);
  text_free(&shown);
  text_free(out);
  return EXIT_done;
}

static status print_disassembly(const image *im, const options *o, text *out) {
  return o->layer < 0 ? listing_print(im, out) : listing_print_layer(im, (uint64_t)o->layer, out);
}

static void print_device(const image *im, text *out) {
  char *json = device_json(&im->device);
  text_printf(out, "%s\n", json);
  free(json);
}

static status print_parts(const image *im, const char *name, const options *o, text *out) {
  if (!o->wants_any) objdump_print_summary(im, name, out);
  for (int p = 0; p < PARTS; p++) {
    if (!o->wants[p]) continue;
    if (out->size) text_append(out, "\n");
    switch ((part)p) {
    case PART_disassembly: RETURN_IF_ERROR(print_disassembly(im, o, out)); break;
    case PART_headers: objdump_print_sections(im, out); break;
    case PART_memory: RETURN_IF_ERROR(objdump_print_memory(im, out)); break;
    case PART_tensors: RETURN_IF_ERROR(objdump_print_tensors(im, out)); break;
    case PART_steps: RETURN_IF_ERROR(objdump_print_steps(im, out)); break;
    case PART_manifest: RETURN_IF_ERROR(objdump_print_manifest(im, out)); break;
    case PART_assembly: RETURN_IF_ERROR(listing_print_assembly(im, out)); break;
    default: print_device(im, out); break;
    }
  }
  return STATUS_OK;
}

static int run(const char *path, const options *o, bool is_one_of_many) {
  arena *a = arena_create();
  image im;
  text out = {0};
  int exit_code = EXIT_done;
  status s = image_open(a, path, &im); /* the message names the file */
  if (!s) {
    if (is_one_of_many && o->wants_any) text_printf(&out, "; %s\n", path);
    s = status_context(print_parts(&im, path, o, &out), "%s", path);
    image_close(&im);
  }
  if (s) exit_code = fail(s);
  if (exit_code)
    text_free(&out);
  else
    exit_code = print(&out);
  arena_destroy(a);
  return exit_code;
}

/* Prints the page of a machine; NULL: of the default one. */
static int print_page(const char *name) {
  const char *nearest = NULL;
  const machine *m = name ? machine_find(name, &nearest) : machine_default();
  text page = {0};
  if (!m) {
    program_error("--print-isa-md=%s: there is no such machine%s%s%s", name, nearest ? "; did you mean '" : "",
                  nearest ? nearest : "", nearest ? "'?" : "");
    return EXIT_usage;
  }
  objdump_print_isa_md(m, &page);
  return print(&page);
}

/* Prints the script of --completion. */
static int complete(const char *shell, const struct option *longs) {
  arena *a = arena_create();
  completion_rows rows = {0};
  text machines = {0};
  for (const machine *const *m = machine_table; *m; m++)
    text_printf(&machines, "%s%s", machines.size ? " " : "", (*m)->name);
  completion_add_table(a, &rows, longs, (completion_values[]){{"print-isa-md", text_str(&machines)}, {NULL, NULL}});
  bool is_good = completion_print("gnn-objdump", shell, &rows, NULL);
  text_free(&machines);
  arena_destroy(a);
  return is_good ? EXIT_done : EXIT_usage;
}

/* Reads the command line. Returns -1 to continue, else the exit status. */
static int read_options(int argc, char **argv, options *o) {
  enum {
    LONG_part = 1000,
    LONG_layer = 2000,
    LONG_isa = 2001,
    LONG_help = 2002,
    LONG_version = 2003,
    LONG_color = 2004,
    LONG_completion = 2005
  };
  static const struct option longs[] = {{"disassemble", no_argument, NULL, LONG_part + PART_disassembly},
                                        {"headers", no_argument, NULL, LONG_part + PART_headers},
                                        {"memory", no_argument, NULL, LONG_part + PART_memory},
                                        {"tensors", no_argument, NULL, LONG_part + PART_tensors},
                                        {"steps", no_argument, NULL, LONG_part + PART_steps},
                                        {"manifest", no_argument, NULL, LONG_part + PART_manifest},
                                        {"assembly", no_argument, NULL, LONG_part + PART_assembly},
                                        {"device", no_argument, NULL, LONG_part + PART_device},
                                        {"layer", required_argument, NULL, LONG_layer},
                                        {"print-isa-md", optional_argument, NULL, LONG_isa},
                                        {"color", required_argument, NULL, LONG_color},
                                        {"completion", required_argument, NULL, LONG_completion},
                                        {"help", no_argument, NULL, LONG_help},
                                        {"version", no_argument, NULL, LONG_version},
                                        {NULL, 0, NULL, 0}};
  static const char letters[] = "dhmts", with_colon[] = ":dhmts";
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, with_colon, longs, NULL)) != -1;) {
    const char *letter = found < 128 ? strchr(letters, found) : NULL;
    int p = letter ? (int)(letter - letters) : found - LONG_part;
    char *end;
    if (found == '?' || found == ':') {
      command_line_explain(NULL, argv, longs, found);
      return EXIT_usage;
    }
    switch (found) {
    case LONG_layer:
      o->layer = strtoll(optarg, &end, 10);
      if (*end || end == optarg || o->layer < 0) {
        program_error("--layer=%s: expected the number of a layer", optarg);
        return EXIT_usage;
      }
      p = PART_disassembly;
      break;
    case LONG_color:
      if (!command_line_set_colour(NULL, optarg)) return EXIT_usage;
      break;
    case LONG_completion: return complete(optarg, longs);
    case LONG_isa: return print_page(optarg);
    case LONG_help: fputs(help, stdout); return EXIT_done;
    case LONG_version: printf("gnn-objdump %s\n", GNNC_VERSION); return EXIT_done;
    default: break;
    }
    if (p >= 0 && p < PARTS) o->wants[p] = o->wants_any = true;
  }
  if (optind < argc) return -1;
  program_error("no image; see gnn-objdump --help");
  return EXIT_usage;
}

int main(int argc, char **argv) {
  options o = {.layer = -1};
  program_begin("gnn-objdump");
  int exit_code = read_options(argc, argv, &o);
  if (exit_code >= 0) return program_end(exit_code);
  exit_code = EXIT_done;
  for (int i = optind; i < argc; i++) {
    int one = run(argv[i], &o, optind + 1 < argc);
    if (one) exit_code = one;
  }
  return program_end(exit_code);
}
