/* Prints scripts for bash. Options that take names of files have no values: bash itself completes
 * them where the script finds nothing. */
#include "support/completion.h"

#include "support/program.h"
#include "support/text.h"

#include <stdio.h>
#include <string.h>

/* Finds the option whose value is completed. bash makes words of "--emit", "=" and "gnn"; zsh keeps
 * "--emit=gnn" whole. */
static const char script_begin[] =
    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} option= prefix= values= options=\n"
    "  local is_joined=1\n"
    "  COMPREPLY=()\n"
    "  if [[ $word == \"=\" ]]; then option=$before word=\n"
    "  elif [[ $before == \"=\" ]]; then option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "  elif [[ $word == --*=* ]]; then option=${word%%=*} prefix=${word%%=*}= word=${word#*=}\n"
    "  else option=$before is_joined=\n"
    "  fi\n";

static const char script_end[] =
    "  if [[ -n $values ]]; then\n"
    "    COMPREPLY=($(compgen -P \"$prefix\" -W \"$values\" -- \"$word\"))\n"
    "  elif [[ $word == -* || -n $is_command ]]; then\n"
    "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
    "  fi\n"
    "  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null\n"
    "  return 0\n"
    "}\n";

static const completion_values common[] = {
    {"color", "auto always never"}, {"progress", "auto always never"}, {"completion", "bash"}, {NULL, NULL}};

static const char *find_values(const completion_values *list, const char *name) {
  for (; list && list->name; list++)
    if (!strcmp(list->name, name)) return list->values;
  return NULL;
}

void completion_add_table(arena *a, completion_rows *rows, const struct option *table,
                          const completion_values *values) {
  for (; table->name; table++)
    VEC_PUSH(a, rows, (completion_row){NULL, table->name, table->has_arg, find_values(values, table->name)});
}

/* "_gnn_run" for "gnn-run". */
static void print_function_name(const char *program) {
  putchar('_');
  for (; *program; program++) putchar(*program == '-' ? '_' : *program);
}

static bool is_of(const completion_row *row, const char *command) {
  return command ? row->command && !strcmp(row->command, command) : !row->command;
}

/* Prints the values of options and the list of options of a command, or of the program itself. */
static void print_options(const completion_rows *rows, const char *command, const char *words) {
  printf("  case $option in\n");
  for (size_t i = 0; i < rows->count; i++) {
    const completion_row *row = &rows->items[i];
    if (!row->name || !is_of(row, command) || row->has_arg == no_argument) continue;
    const char *values = row->values ? row->values : find_values(common, row->name);
    if (values)
      printf("    --%s) %svalues='%s' ;;\n", row->name,
             row->has_arg == optional_argument ? "[[ -n $is_joined ]] && " : "", values);
  }
  printf("  esac\n  options='");
  for (size_t i = 0; i < rows->count; i++) {
    const completion_row *row = &rows->items[i];
    if (row->name && is_of(row, command)) printf("--%s%s ", row->name, row->has_arg == required_argument ? "=" : "");
  }
  printf("%s'\n", words ? words : "");
}

/* Whether row `i` is the first one of its command. */
static bool begins_command(const completion_rows *rows, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (is_of(&rows->items[k], rows->items[i].command)) return false;
  return rows->items[i].command != NULL;
}

/* Prints the choice between the commands, whose names complete the first word. */
static void print_commands(const completion_rows *rows, const char *words) {
  printf("  if [[ $COMP_CWORD == 1 ]]; then is_command=1; fi\n");
  printf("  case ${COMP_WORDS[1]} in\n");
  for (size_t i = 0; i < rows->count; i++)
    if (begins_command(rows, i)) {
      printf("  %s)\n", rows->items[i].command);
      print_options(rows, rows->items[i].command, NULL);
      printf("  ;;\n");
    }
  printf("  *)\n");
  text names = {0};
  for (size_t i = 0; i < rows->count; i++)
    if (begins_command(rows, i)) text_printf(&names, "%s ", rows->items[i].command);
  if (words) text_append(&names, words);
  print_options(rows, NULL, text_str(&names));
  text_free(&names);
  printf("  ;;\n  esac\n  if [[ -n $is_command ]]; then values=; fi\n");
}

bool completion_print(const char *program, const char *shell, const completion_rows *rows, const char *words) {
  if (strcmp(shell, "bash") != 0) {
    program_usage(NULL, "--completion=%s: expected bash, whose script zsh takes after bashcompinit", shell);
    return false;
  }
  bool has_commands = false;
  for (size_t i = 0; i < rows->count; i++) has_commands |= rows->items[i].command != NULL;
  printf("# Completion of %s for bash; for zsh after 'autoload -U +X bashcompinit && bashcompinit'.\n", program);
  print_function_name(program);
  printf("() {\n%s  local is_command=\n", script_begin);
  if (has_commands)
    print_commands(rows, words);
  else
    print_options(rows, NULL, words);
  printf("%scomplete -o default -F ", script_end);
  print_function_name(program);
  printf(" %s\n", program);
  return true;
}
