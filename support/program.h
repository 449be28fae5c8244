/* How every program begins and ends. */
#ifndef GNNC_SUPPORT_PROGRAM_H
#define GNNC_SUPPORT_PROGRAM_H

/* The first call of a main; `name` is that of the program for messages. Files that are opened later
 * get none of the descriptors 0 to 2, whatever the caller closed, and signals that end the program
 * remove its temporaries. */
void program_begin(const char *name);

/* The last call of a main: returns `exit_code`, or 1 after saying that standard output could not be
 * written. */
int program_end(int exit_code);

#endif
