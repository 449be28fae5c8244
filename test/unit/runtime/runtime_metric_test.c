/* Accuracy, F1, AUC, MRR and MAE of scores that can be checked by hand. */
#include "runtime/metric.h"
#include "unit.h"

#define ROWS(scores_, labels_, rows_, columns_, has_class_)                                                            \
  {.scores = scores_, .labels = labels_, .rows = rows_, .columns = columns_, .has_class = has_class_}

/* Predicted 0 1 1 2, labels 0 1 2 2. */
static const float three[] = {3, 1, 0, 0, 2, 1, 0, 2, 1, 0, 0, 5};
static const double of_three[] = {0, 1, 2, 2};

TEST(f1_of_one_class_per_row_is_the_accuracy_and_the_mean_over_classes) {
  arena *a = arena_create();
  const metric_rows m = ROWS(three, of_three, 4, 3, true);
  double micro = 0, macro = 0;
  metric_f1(a, &m, &micro, &macro);
  CHECK_NEAR(metric_accuracy(&m), 0.75, 1e-15);
  CHECK_NEAR(micro, 0.75, 1e-15);
  CHECK_NEAR(macro, (1 + 2.0 / 3 + 2.0 / 3) / 3, 1e-15);
  arena_destroy(a);
}

TEST(a_class_that_nothing_has_is_not_in_the_mean) {
  arena *a = arena_create();
  static const double labels[] = {0, 1, 1, 0};
  static const float scores[] = {1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0};
  const metric_rows m = ROWS(scores, labels, 4, 3, true);
  double micro = 0, macro = 0;
  metric_f1(a, &m, &micro, &macro);
  CHECK_NEAR(macro, 1, 1e-15);
  arena_destroy(a);
}

TEST(several_labels_per_row_are_decided_at_zero) {
  arena *a = arena_create();
  static const float scores[] = {1, -1, 2, 3, -2, -1};
  static const double labels[] = {1, 1, 1, 0, 0, 0};
  const metric_rows m = ROWS(scores, labels, 3, 2, false); /* column 0: yes yes no, column 1: no yes no */
  double micro = 0, macro = 0;
  metric_f1(a, &m, &micro, &macro);
  CHECK_NEAR(metric_accuracy(&m), 4.0 / 6, 1e-15);
  CHECK_NEAR(micro, 2.0 * 2 / (2 * 2 + 1 + 1), 1e-15);
  CHECK_NEAR(macro, (1 + 0.0) / 2, 1e-15);
  arena_destroy(a);
}

TEST(auc_counts_pairs_and_half_of_the_ties) {
  arena *a = arena_create();
  static const float scores[] = {0.1f, 0.4f, 0.35f, 0.8f, 0.4f};
  static const double labels[] = {0, 0, 1, 1, 1};
  const metric_rows m = ROWS(scores, labels, 5, 1, true);
  CHECK_NEAR(metric_auc(a, &m), (1 + 0 + 1 + 1 + 1 + 0.5) / 6, 1e-15); /* of 0.35, 0.8, 0.4 against 0.1 and 0.4 */
  static const double equal[] = {1, 1, 1, 1, 1};
  const metric_rows none = ROWS(scores, equal, 5, 1, true);
  CHECK(isnan(metric_auc(a, &none)));
  arena_destroy(a);
}

TEST(auc_of_two_columns_is_that_of_their_difference) {
  arena *a = arena_create();
  static const float scores[] = {5, 4, 1, 3, -2, -4, 0, 9}; /* differences -1 2 -2 9 */
  static const double labels[] = {0, 1, 1, 1};
  const metric_rows m = ROWS(scores, labels, 4, 2, true);
  CHECK_NEAR(metric_auc(a, &m), 2.0 / 3, 1e-15);
  arena_destroy(a);
}

TEST(auc_of_several_classes_is_the_mean_over_those_with_both) {
  arena *a = arena_create();
  const metric_rows m = ROWS(three, of_three, 4, 3, true);
  CHECK_NEAR(metric_auc(a, &m), (1 + 2.5 / 3 + 3.5 / 4) / 3, 1e-6); /* rows 1 and 2 are equal */
  static const double labels[] = {0, 1, 1, 0};
  const metric_rows two = ROWS(three, labels, 4, 3, true);
  CHECK(metric_auc(a, &two) > 0);
  arena_destroy(a);
}

TEST(mrr_takes_the_rank_of_the_label_and_half_of_the_ties) {
  static const float scores[] = {3, 1, 2, 1, 1, 0, NAN, 1, 2};
  static const double labels[] = {2, 0, 0};
  const metric_rows m = ROWS(scores, labels, 3, 3, true);
  CHECK_NEAR(metric_mrr(&m), (1.0 / 2 + 1 / 1.5 + 1.0 / 3) / 3, 1e-15);
}

TEST(mrr_of_edges_ranks_each_yes_among_the_nos_of_its_source) {
  arena *a = arena_create();
  static const float scores[] = {0.9f, 0.5f, 0.7f, 0.2f, 0.2f, 0.1f};
  static const double labels[] = {0, 1, 1, 1, 0, 0};
  static const int64_t groups[] = {4, 4, 4, 7, 7, 7};
  const metric_rows m = ROWS(scores, labels, 6, 1, false);
  CHECK_NEAR(metric_mrr_of_groups(a, &m, groups), (1.0 / 2 + 1.0 / 2 + 1 / 1.5) / 3, 1e-15);
  arena_destroy(a);
}

TEST(mae_is_the_mean_distance) {
  static const float scores[] = {1, -2, 0.5f, 4};
  static const double labels[] = {0, 0, 0.5, 6};
  const metric_rows m = ROWS(scores, labels, 2, 2, false);
  CHECK_NEAR(metric_mae(&m), 1.25, 1e-15);
}
