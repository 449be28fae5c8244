/* Writes Chrome trace events when they happen, one per line (see trace.h):
 *
 *   {"name": "spdmm", "ph": "X", "pid": 1, "tid": 4, "ts": 12.3, "dur": 4.5, "args": {"edges": 512}}
 *
 * Unit i is process i + 1; process 0 has the tracks that all units share. */
#include "sim/common/trace.h"

#include <stdlib.h>

struct trace {
  FILE *file;
  double us_per_cycle;
  uint64_t shift;
  int32_t unit_tracks; /* tracks of each unit */
  bool has_events;
};

static void start_event(trace *t) {
  fputs(t->has_events ? ",\n" : "\n", t->file);
  t->has_events = true;
}

/* Writes a string; names may come from a model, so quotes, backslashes and control characters are
 * escaped. */
static void write_string(FILE *f, const char *s) {
  fputc('"', f);
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      fprintf(f, "\\%c", c);
    else if (c < 0x20)
      fprintf(f, "\\u%04x", c);
    else
      fputc(c, f);
  }
  fputc('"', f);
}

/* Writes the name of a process, or of a track if tid is not negative; the viewer sorts by these
 * numbers. */
static void write_label(trace *t, int32_t pid, int32_t tid, const char *name) {
  const char *what = tid < 0 ? "process" : "thread";
  start_event(t);
  fprintf(t->file, "{\"name\": \"%s_name\", \"ph\": \"M\", \"pid\": %d, \"tid\": %d, \"args\": {\"name\": ", what, pid,
          tid < 0 ? 0 : tid);
  write_string(t->file, name);
  fputs("}}", t->file);
  start_event(t);
  fprintf(t->file,
          "{\"name\": \"%s_sort_index\", \"ph\": \"M\", \"pid\": %d, \"tid\": %d, \"args\": {\"sort_index\": %d}}",
          what, pid, tid < 0 ? 0 : tid, tid < 0 ? pid : tid);
}

static void write_origin(FILE *f, const sim_origin *origin) {
  fputs("\"otherData\": {\"made_by\": ", f);
  write_string(f, origin->made_by);
  fputs(", \"program\": ", f);
  write_string(f, origin->program);
  fputs("}, ", f);
}

trace *trace_begin(FILE *file, const device *d, const sim_origin *origin, const char *unit, int32_t units,
                   const char *const *unit_tracks, const char *const *device_tracks) {
  trace *t = calloc(1, sizeof *t);
  if (!t) abort();
  t->file = file;
  t->us_per_cycle = d->common.cycle_ns / 1000;
  while (unit_tracks[t->unit_tracks]) t->unit_tracks++;
  fputs("{", file);
  if (origin) write_origin(file, origin);
  fputs("\"displayTimeUnit\": \"ns\", \"traceEvents\": [", file);
  write_label(t, 0, -1, d->common.name);
  for (int32_t i = 0; device_tracks[i]; i++) write_label(t, 0, t->unit_tracks + i, device_tracks[i]);
  for (int32_t u = 0; u < units; u++) {
    char name[32];
    snprintf(name, sizeof name, "%s %d", unit, u);
    write_label(t, u + 1, -1, name);
    for (int32_t i = 0; i < t->unit_tracks; i++) write_label(t, u + 1, i, unit_tracks[i]);
  }
  return t;
}

void trace_shift(trace *t, uint64_t cycles) {
  if (t) t->shift = cycles;
}

void trace_interval(trace *t, int32_t track, int32_t unit, const char *name, uint64_t begin, uint64_t end,
                    const char *args) {
  start_event(t);
  fputs("{\"name\": ", t->file);
  write_string(t->file, name);
  fprintf(t->file, ", \"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %.6f, \"dur\": %.6f",
          track < t->unit_tracks ? unit + 1 : 0, (int)track, (double)(t->shift + begin) * t->us_per_cycle,
          (double)(end - begin) * t->us_per_cycle);
  if (args) fprintf(t->file, ", \"args\": %s", args);
  fputc('}', t->file);
}

void trace_counter(trace *t, const char *name, const char *unit, uint64_t cycle, double value) {
  start_event(t);
  fputs("{\"name\": ", t->file);
  write_string(t->file, name);
  fprintf(t->file, ", \"ph\": \"C\", \"pid\": 0, \"ts\": %.6f, \"args\": {",
          (double)(t->shift + cycle) * t->us_per_cycle);
  write_string(t->file, unit);
  fprintf(t->file, ": %.6g}}", value);
}

status trace_end(trace *t) {
  status s = STATUS_OK;
  if (!t) return s;
  fputs("\n]}\n", t->file);
  if (fflush(t->file) || ferror(t->file)) s = status_error(STATUS_CODE_io, "cannot write the trace");
  free(t);
  return s;
}
