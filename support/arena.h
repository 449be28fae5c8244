/* Bump allocation: all memory that is allocated from an arena is freed together with the arena. */
#ifndef GNNC_SUPPORT_ARENA_H
#define GNNC_SUPPORT_ARENA_H

#include "support/spill.h"

#include <stdarg.h>
#include <stddef.h>

typedef struct arena arena;

/* Returns a new, empty arena, owned by the caller. Ends the program with a message when memory is
 * out. */
arena *arena_create(void);

/* The same with memory in a file, which lives longer than the arena. */
arena *arena_create_in(spill *s);

/* Frees the arena and all its memory; accepts NULL. */
void arena_destroy(arena *a);

/* Returns `size` zeroed bytes, aligned for any type and owned by the arena. Never returns NULL: the
 * program ends with a message when memory is out. */
void *arena_alloc(arena *a, size_t size);

/* Returns `count * size` zeroed bytes; a product that overflows ends the program, as memory that is
 * out does. */
void *arena_alloc_array(arena *a, size_t count, size_t size);

/* The same two functions for sizes that come from a file or a user: they return NULL when memory is
 * out, when the size exceeds the memory of the machine, or when the product overflows. */
void *arena_try_alloc(arena *a, size_t size);
void *arena_try_alloc_array(arena *a, size_t count, size_t size);

/* Return a NUL-terminated copy of a string, or of its first `length` bytes, in the arena. */
char *arena_strdup(arena *a, const char *s);
char *arena_strndup(arena *a, const char *s, size_t length);

/* Return formatted text in the arena, as printf would print it. */
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(arena *a, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

#endif
