/* The end of the program at places that correct code never reaches: it prints the place, also in
 * release builds, and does not continue with a wrong result. Errors that a user or a file can cause
 * use status and diag. */
#ifndef GNNC_SUPPORT_UNREACHABLE_H
#define GNNC_SUPPORT_UNREACHABLE_H

_Noreturn void unreachable_at(const char *file, int line, const char *what);

/* Prints "internal error: <what> (support/elementwise.c:47); please report it" to standard error
 * and aborts. */
#define UNREACHABLE(what) unreachable_at(__FILE__, __LINE__, what)

#endif
