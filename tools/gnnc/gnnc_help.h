/* --help and --version. */
#ifndef GNNC_TOOLS_GNNC_GNNC_HELP_H
#define GNNC_TOOLS_GNNC_GNNC_HELP_H

void gnnc_help_print(void);
void gnnc_help_print_version(void);

#endif
