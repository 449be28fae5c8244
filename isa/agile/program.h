/* A program of AGILE, record by record: the registers, and what the device does. The check of
 * images, the simulator and the listing read programs with it.
 *
 *   layer ; writes of registers ; write layer_config_valid
 *   write fetch_layer_weights ; poll its done ; write its ack            one or more times
 *   write start_nodeslot_fetch ; poll its done ; write its ack ; poll nodeslots_empty */
#ifndef GNNC_ISA_AGILE_PROGRAM_H
#define GNNC_ISA_AGILE_PROGRAM_H

#include "isa/agile/agile.h"

/* What a register holds. */
typedef enum agile_form {
  AGILE_FORM_number,
  AGILE_FORM_address,
  AGILE_FORM_real, /* the bits of an fp32 number */
  AGILE_FORM_activation,
  AGILE_FORM_aggregation,
  AGILE_FORM_precisions, /* a mask */
  AGILE_FORM_command,
  AGILE_FORM_state,
} agile_form;

typedef struct agile_register_info {
  const char *name;
  agile_form form;
  unsigned bits;
  const char *doc;
} agile_register_info;

/* The row of a register; NULL for a number that no register has. */
const agile_register_info *agile_register(uint64_t number);

/* What the device waits for. */
typedef enum agile_phase {
  AGILE_PHASE_idle,
  AGILE_PHASE_fetching, /* of weights: the host has to poll */
  AGILE_PHASE_fetched,  /* and then to acknowledge */
  AGILE_PHASE_reading,  /* of descriptors: the same */
  AGILE_PHASE_read,
  AGILE_PHASE_running, /* the host has to poll that nodeslots are empty */
} agile_phase;

/* What a record makes the device do. */
typedef enum agile_action { AGILE_ACTION_none, AGILE_ACTION_fetch, AGILE_ACTION_start } agile_action;

/* The device between two records. It begins as zeros. */
typedef struct agile_state {
  uint64_t reg[AGILE_COUNT_REGISTER];
  agile_phase phase;
  bool is_in_layer, has_weights;
  uint64_t layer;
} agile_state;

/* Executes a record: changes *s, and says what the device does with the registers as they are now.
 * The error says what is wrong about the record or its place. */
status agile_state_step(agile_state *s, const agile_insn *in, agile_action *action);

/* An fp32 number in a register. */
float agile_state_real(const agile_state *s, int reg);

/* The value of a step of messages and of weights in a fixed precision. */
float agile_state_x_scale(const agile_state *s, int precision);
float agile_state_w_scale(const agile_state *s, int precision);

/* Aggregated nodes that a transformation waits for on a device: wait_count, or where that is 0 as
 * many as it has room for. */
uint64_t agile_state_wait_count(const agile_state *s, const agile_device *d);

#endif
