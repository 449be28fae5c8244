/* Threads that stand ready: work on arrays is cut into as many shares as there are workers.
 * Starting a thread costs what 50,000 edges cost; a crew is started once, on the first work that is worth it. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_HOST_CREW_H
#define GNNC_CODEGEN_GRAPHAGILE_HOST_CREW_H

#include <stdint.h>

typedef struct host_crew host_crew;

enum { HOST_CREW_MOST = 64 };

/* A crew of `workers` (1 .. HOST_CREW_MOST, else clamped), the caller counted. No thread starts yet. NULL when memory is out. */
host_crew *host_crew_create(int workers);
void host_crew_destroy(host_crew *c); /* NULL is allowed */

/* How many workers there are; 1 without a crew. */
int host_crew_workers(const host_crew *c);

/* Calls work(user, share, shares) once for each share 0 .. shares - 1 and returns when all are done. `shares` is the number of workers, or 1 where `cost`, in edges
 * or what takes as long, is too little for threads. The caller takes shares, too; all of them where threads cannot be started or come late. One round at a time. */
void host_crew_run(host_crew *c, int64_t cost, void (*work)(void *user, int share, int shares), void *user);

/* The part [*begin, *end) of 0 .. count - 1 that a share gets. */
void host_crew_cut(int64_t count, int share, int shares, int64_t *begin, int64_t *end);

#endif
