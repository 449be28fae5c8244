/* A queue of events by time. Events of the same time come out in the order in which they went in, so
 * that a run does not depend on the host. */
#ifndef GNNC_SIM_COMMON_QUEUE_H
#define GNNC_SIM_COMMON_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct queue queue;

/* Creates an empty queue, which the caller destroys. Aborts when memory is out, as queue_push
 * does. */
queue *queue_create(void);
void queue_destroy(queue *q); /* NULL is allowed */

/* Adds an event. */
void queue_push(queue *q, uint64_t time, uint32_t tag);

/* Takes the first event; false when the queue is empty. */
bool queue_pop(queue *q, uint64_t *time, uint32_t *tag);

#endif
