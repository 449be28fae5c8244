/* An exchange that is watched, and may be slowed down: what a timeline needs, and a network that is slower than threads.
 *
 *   begin   asks whether it may, calls that of the engine, then says when it was called and when it returned
 *   end     of the engine, then waits for what is left of the delay
 *   share   asks as begin does, and is that of the engine
 *   share_edges, transpose   ask as begin does, call that of the engine, then wait for what is left of the delay
 *
 * The rank computes during the delay, as while a message is on its way. */
#ifndef GNNC_RUNTIME_COMM_COMM_WATCH_H
#define GNNC_RUNTIME_COMM_COMM_WATCH_H

#include "runtime/gnnc/abi.h"

typedef struct comm_watch_options {
  double delay_seconds; /* rows are there no sooner after begin has returned */
  void (*begun)(double called,
                double returned);    /* clock_seconds(), in the thread that called begin; NULL: nobody asks */
  gnnc_result (*before)(void *user); /* begin returns what it returns, if not GNNC_OK; NULL: begin may */
  void *user;
} comm_watch_options;

typedef struct comm_watch {
  comm_watch_options options;
  gnnc_comm watched;
  double returned; /* of the last begin */
} comm_watch;

/* Puts the watch, which must outlive the use of the exchange, before its functions. */
void comm_watch_put(comm_watch *w, const comm_watch_options *options, gnnc_comm *exchange);

#endif
