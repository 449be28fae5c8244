/* gnn-train --plot: the curve as SVG, in two panels: the training loss, and the metric on the rows of
 * each mask. A dotted line marks the best epoch. */
#include "support/number.h"
#include "support/text.h"
#include "tools/gnn-train/gnn_train.h"

#include <inttypes.h>
#include <math.h>

enum { WIDTH = 880, HEIGHT = 340, PANEL_WIDTH = 360, PANEL_HEIGHT = 240, PANEL_TOP = 40, MOST_POINTS = 1000 };
enum { LINES = 3 };

static const char *const colours[LINES] = {"#1f77b4", "#ff7f0e", "#2ca02c"};

typedef struct panel {
  const char *title, *names[LINES]; /* NULL: no such line */
  int left;
  int64_t epochs, best;
  double low, high, step; /* of the vertical axis: its ends are multiples of step */
} panel;

/* ---- numbers ---- */

static double value_at(const train_epoch *e, bool is_loss, int line) {
  if (is_loss) return e->loss;
  return line == 0 ? e->train : line == 1 ? e->val : e->test;
}

/* Returns 1, 2 or 5 times a power of ten, so that about `parts` of them make the span. */
static double round_step(double span, int parts) {
  double power = pow(10, floor(log10(span / parts))), rest = span / parts / power;
  return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

static void set_axis(panel *p, const fit *f, bool is_loss) {
  double low = (double)INFINITY, high = -(double)INFINITY;
  for (size_t i = 0; i < f->epochs.count; i++)
    for (int k = 0; k < LINES; k++) {
      double value = p->names[k] ? value_at(&f->epochs.items[i], is_loss, k) : (double)NAN;
      low = fmin(low, value);
      high = fmax(high, value);
    }
  if (!(low <= high)) low = 0, high = 1;
  if (high - low < 1e-9 * fmax(fabs(low), 1e-30)) low -= 0.5, high += 0.5;
  p->step = round_step(high - low, 5);
  p->low = floor(low / p->step) * p->step;
  p->high = ceil(high / p->step) * p->step;
}

static double x_of(const panel *p, int64_t epoch) {
  return p->left + (p->epochs > 1 ? (double)PANEL_WIDTH * (double)(epoch - 1) / (double)(p->epochs - 1)
                                  : (double)PANEL_WIDTH / 2.0);
}

static double y_of(const panel *p, double value) {
  return (double)PANEL_TOP + (double)PANEL_HEIGHT * (p->high - value) / (p->high - p->low);
}

/* ---- drawing ---- */

static void draw_vertical_axis(text *t, const panel *p) {
  int64_t ticks = llround((p->high - p->low) / p->step);
  for (int64_t i = 0; i <= ticks; i++) {
    double value = p->low + (double)i * p->step, y = y_of(p, value);
    if (fabs(value) < p->step / 2) value = 0;
    text_printf(t, "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' stroke='#ddd'/>", p->left, y, p->left + PANEL_WIDTH, y);
    text_printf(t, "<text x='%d' y='%.1f' text-anchor='end'>%.6g</text>\n", p->left - 6, y + 4, value);
  }
}

static void draw_horizontal_axis(text *t, const panel *p) {
  int64_t step = p->epochs > 1 ? number_max(1, (int64_t)round_step((double)p->epochs, 5)) : 1;
  for (int64_t epoch = step; epoch <= p->epochs; epoch += step) {
    text_printf(t, "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#333'/>", x_of(p, epoch),
                PANEL_TOP + PANEL_HEIGHT, x_of(p, epoch), PANEL_TOP + PANEL_HEIGHT + 4);
    text_printf(t, "<text x='%.1f' y='%d' text-anchor='middle'>%" PRId64 "</text>\n", x_of(p, epoch),
                PANEL_TOP + PANEL_HEIGHT + 18, epoch);
  }
  text_printf(t, "<text x='%d' y='%d' text-anchor='middle'>epoch</text>\n", p->left + PANEL_WIDTH / 2,
              PANEL_TOP + PANEL_HEIGHT + 38);
}

static void draw_frame(text *t, const panel *p) {
  text_printf(t, "<text x='%d' y='%d' text-anchor='middle' font-weight='bold'>%s</text>\n", p->left + PANEL_WIDTH / 2,
              PANEL_TOP - 14, p->title);
  draw_vertical_axis(t, p);
  draw_horizontal_axis(t, p);
  text_printf(t, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#333'/>\n", p->left, PANEL_TOP,
              PANEL_WIDTH, PANEL_HEIGHT);
  text_printf(t, "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#777' stroke-dasharray='2 3'/>\n", x_of(p, p->best),
              PANEL_TOP, x_of(p, p->best), PANEL_TOP + PANEL_HEIGHT);
}

/* Draws every value, or as many as fit, and the last; a value that is no number ends a piece. */
static void draw_line(text *t, const panel *p, const fit *f, bool is_loss, int line) {
  int64_t stride = number_ceil_div(p->epochs, MOST_POINTS);
  bool is_open = false;
  for (int64_t epoch = 1; epoch <= p->epochs;
       epoch = epoch + stride > p->epochs && epoch < p->epochs ? p->epochs : epoch + stride) {
    double value = value_at(&f->epochs.items[epoch - 1], is_loss, line);
    if (!isfinite(value)) {
      if (is_open) text_append(t, "'/>\n");
      is_open = false;
      continue;
    }
    if (!is_open) text_printf(t, "<polyline fill='none' stroke='%s' stroke-width='1.5' points='", colours[line]);
    text_printf(t, "%s%.1f,%.1f", is_open ? " " : "", x_of(p, epoch), y_of(p, value));
    is_open = true;
  }
  if (is_open) text_append(t, "'/>\n");
}

/* Names of the lines, in a row below the panel. */
static void draw_legend(text *t, const panel *p) {
  int at = p->left, y = PANEL_TOP + PANEL_HEIGHT + 54;
  for (int k = 0; k < LINES; k++) {
    if (!p->names[k]) continue;
    text_printf(t, "<line x1='%d' y1='%d' x2='%d' y2='%d' stroke='%s' stroke-width='3'/>", at, y - 4, at + 18, y - 4,
                colours[k]);
    text_printf(t, "<text x='%d' y='%d'>%s</text>\n", at + 24, y, p->names[k]);
    at += 70;
  }
}

static void draw_panel(text *t, const fit *f, panel *p, bool is_loss) {
  p->epochs = (int64_t)f->epochs.count;
  p->best = f->record.best_epoch;
  set_axis(p, f, is_loss);
  draw_frame(t, p);
  for (int k = 0; k < LINES; k++)
    if (p->names[k]) draw_line(t, p, f, is_loss, k);
  draw_legend(t, p);
}

status fit_write_plot(const fit *f, const char *path) {
  text t = {0};
  panel loss = {.title = "training loss", .names = {"train"}, .left = 64};
  panel metric = {.title = fit_metric_name(f->judge.metric), .left = 64 + PANEL_WIDTH + 80};
  for (int i = 0; i < LINES; i++) metric.names[i] = f->judge.has[i] ? score_mask_names[i] : NULL;
  text_printf(&t,
              "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
              "font-family='sans-serif' font-size='12' fill='#333'>\n"
              "<rect width='%d' height='%d' fill='white'/>\n",
              WIDTH, HEIGHT + 10, WIDTH, HEIGHT + 10, WIDTH, HEIGHT + 10);
  draw_panel(&t, f, &loss, true);
  draw_panel(&t, f, &metric, false);
  text_append(&t, "</svg>\n");
  status s = file_write(path, text_str(&t), t.size);
  text_free(&t);
  return s;
}
