/* Reads the lists of a split as masks:
 *
 *   split/time/train.csv.gz valid.csv.gz test.csv.gz    ->  train_mask, val_mask, test_mask
 *
 * Splits of edges (split/time/train.pt) are files of PyTorch and become nothing. */
#include "data/convert.h"
#include "data/import/number_table.h"
#include "data/import/ogb.h"

#include <string.h>

static const struct {
  const char *file, *field;
} lists[] = {{"train.csv", "train_mask"}, {"valid.csv", "val_mask"}, {"test.csv", "test_mask"}};

/* Finds the only split that has lists; NULL when there is none. */
static status find_split(const ogb *o, const char *inside, const char **out) {
  folder_names names = folder_list(o->folder, o->memory, "split");
  *out = NULL;
  for (size_t i = 0; i < names.count; i++) {
    const char *base = arena_printf(o->memory, "split/%s%s%s", names.items[i], *inside ? "/" : "", inside);
    if (!folder_has(o->folder, arena_printf(o->memory, "%s/%s", base, lists[0].file))) continue;
    if (o->options->split && strcmp(o->options->split, names.items[i]) != 0) continue;
    if (*out)
      return status_error(STATUS_CODE_mismatch, "%s: has the splits '%s' and '%s', --split=NAME chooses one",
                          o->folder->path, *out + strlen("split/"), base + strlen("split/"));
    *out = base;
  }
  if (o->options->split && !*out && !*inside)
    return status_error(STATUS_CODE_mismatch,
                        "%s: has no split '%s' with lists train.csv.gz, valid.csv.gz, test.csv.gz", o->folder->path,
                        o->options->split);
  return STATUS_OK;
}

status ogb_read_split(ogb *o, const char *inside, int64_t mask_count, ogb_range range, const char *what) {
  const char *base;
  RETURN_IF_ERROR(find_split(o, inside, &base));
  for (size_t i = 0; base && i < sizeof lists / sizeof *lists; i++) {
    const char *path = arena_printf(o->memory, "%s/%s", base, lists[i].file);
    tensor t;
    if (!folder_has(o->folder, path)) continue;
    RETURN_IF_ERROR(number_table_read_file(o->memory, o->folder, path, &t));
    RETURN_IF_ERROR(number_table_check_list(&t, -1, range.count, what));
    const tensor *there = tensor_set_find(o->set, lists[i].field);
    void *mask = there ? (void *)(uintptr_t)there->data : NULL;
    if (!there) RETURN_IF_ERROR(tensor_set_add(o->set, lists[i].field, DTYPE_BOOL, 1, &mask_count, &mask));
    for (int64_t k = 0; k < t.count; k++) ((unsigned char *)mask)[range.begin + convert_element_i64(&t, k)] = 1;
  }
  return STATUS_OK;
}
