/* Prints --help: the options of gnnc_options.def, and the switches, targets and presets from their
 * tables. */
#include "tools/gnnc/gnnc_help.h"

#include "codegen/backend.h"

#include <stdio.h>
#include <string.h>

typedef struct help_row {
  const char *group; /* a title where not NULL */
  const char *name, *argument, *help;
  char letter;
} help_row;

static const help_row rows[] = {
#define GROUP(title) {title, NULL, NULL, NULL, 0},
#define OPTION(id, name, letter, argument, help) {NULL, name, argument, help, letter},
#include "tools/gnnc/gnnc_options.def"
#undef GROUP
#undef OPTION
};
enum { ROW_COUNT = sizeof rows / sizeof *rows, HELP_COLUMN = 30, HELP_WIDTH = 100 };

/* Prints one explanation in the right-hand column, wrapped at blanks. */
static void print_wrapped(const char *help, int column) {
  if (column >= HELP_COLUMN) {
    putchar('\n');
    column = 0;
  }
  while (*help) {
    size_t room = HELP_WIDTH - HELP_COLUMN;
    size_t size = strlen(help);
    if (size > room) {
      size = room;
      while (size > 1 && help[size] != ' ') size--;
    }
    printf("%*s%.*s\n", HELP_COLUMN - column, "", (int)size, help);
    help += size;
    while (*help == ' ') help++;
    column = 0;
  }
}

static void print_option(const help_row *row) {
  char letter[8] = "    ";
  if (row->letter) snprintf(letter, sizeof letter, "-%c, ", row->letter);
  bool has_argument = row->argument;
  print_wrapped(row->help, printf("  %s--%s%s%s", letter, row->name, has_argument && row->argument[1] != '=' ? "=" : "",
                                  has_argument ? row->argument : ""));
}

static void print_targets(void) {
  printf("\nTargets\n");
  for (const backend *const *b = backend_table; *b; b++) print_wrapped((*b)->summary, printf("  %s", (*b)->name));
  printf("\nPresets\n");
  for (const backend *const *b = backend_table; *b; b++)
    for (size_t i = 0; i < (*b)->num_presets; i++)
      print_wrapped((*b)->presets[i].summary, printf("  %s (%s)", (*b)->presets[i].name, (*b)->name));
}

static void print_switches(void) {
  arena *a = arena_create();
  printf("\nSwitches\n");
  for (int i = 0; i < FEATURE_count; i++)
    print_wrapped(feature_help(a, (feature)i), printf("  -f[no-]%s", feature_get((feature)i)->name));
  arena_destroy(a);
}

void gnnc_help_print(void) {
  printf("usage: gnnc [OPTION...] MODEL.gnn\n\n"
         "Compiles a graph neural network to a program for an accelerator, or to portable C.\n\n"
         "  gnnc gcn.gnn --graph cora.safetensors --weights gcn.safetensors -o gcn.bin\n"
         "  gnnc --target=c gcn.gnn --graph cora.safetensors --weights gcn.safetensors -o gcn.c\n"
         "  gnnc --emit=gnn gcn.gnn --weights gcn.safetensors\n");
  for (int i = 0; i < ROW_COUNT; i++) {
    if (rows[i].group)
      printf("\n%s\n", rows[i].group);
    else if (rows[i].help)
      print_option(&rows[i]);
  }
  print_targets();
  print_switches();
  printf("\nExit status: 0 success, 1 an error of the model, a file or the system, 2 wrong usage.\n");
}

void gnnc_help_print_version(void) {
  arena *a = arena_create();
  printf("gnnc %s (LLVM/MLIR 22.1; targets %s)\n", GNNC_VERSION, backend_names(a));
  arena_destroy(a);
}
