/* Bump allocation with one lifetime: everything taken from an arena is freed with it. */
#ifndef GNNC_SUPPORT_ARENA_H
#define GNNC_SUPPORT_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct arena arena;

/* Returns a new, empty arena, owned by the caller; aborts with a message when memory is out. */
arena *arena_create(void);

/* Frees the arena and everything taken from it; NULL is allowed. */
void arena_destroy(arena *a);

/* Returns `size` zeroed bytes aligned for any type; never NULL (aborts when memory is out). */
void *arena_alloc(arena *a, size_t size);

/* Returns `count * size` zeroed bytes; an overflowing product aborts like memory that is out. */
void *arena_alloc_array(arena *a, size_t count, size_t size);

/* The same for sizes that come from a file or a user: NULL when memory is out or the product
 * overflows. */
void *arena_try_alloc(arena *a, size_t size);
void *arena_try_alloc_array(arena *a, size_t count, size_t size);

/* Returns a NUL-terminated copy of a string, or of its first `length` bytes. */
char *arena_strdup(arena *a, const char *s);
char *arena_strndup(arena *a, const char *s, size_t length);

/* Returns formatted text, as printf would print it. */
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(arena *a, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

#endif
