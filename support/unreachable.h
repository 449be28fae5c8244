/* Places that correct code never reaches: the program ends with the place, in release builds too,
 * instead of going on with a wrong number. For what a user or a file can cause there are status and
 * diag. */
#ifndef GNNC_SUPPORT_UNREACHABLE_H
#define GNNC_SUPPORT_UNREACHABLE_H

_Noreturn void unreachable_at(const char *file, int line, const char *what);

/* "internal error: no function of the table (support/elementwise.c:47)" on standard error, then
 * abort. */
#define UNREACHABLE(what) unreachable_at(__FILE__, __LINE__, what)

#endif
