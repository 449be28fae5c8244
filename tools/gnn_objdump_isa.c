/* docs/isa.md: the instruction set as a page, a loop over its table; what differs from the paper is written here. */
#include "isa/table.h"
#include "tools/gnn_objdump.h"

#include <string.h>

static const char introduction[] =
    "# The instruction set of the overlay\n\n"
    "Made from `isa/graphagile.def` by `gnn-objdump --print-isa-md` when the project is built. The device is the one "
    "of the GraphAGILE paper (section V): "
    "a Scheduler hands tiling blocks to processing elements (PEs); each has two Edge Buffers (E0, E1), two Weight "
    "Buffers (W0, W1), three Feature Buffers "
    "(F0, F1, F2) and one Adaptive Computation Kernel. `p` stands for the columns of a fiber, 16 unless the device "
    "says less; a *row* is p words of 32 bits.\n\n"
    "## Programs\n\n"
    "`.text` is a sequence of Layer Blocks: a CSI, then the tiling blocks of the layer, each ended by an instruction "
    "with `eot`; HALT follows the last. The "
    "Scheduler reads a CSI, gives its blocks in order to the lowest-numbered PE that can take one, and reads the next "
    "CSI when all are done. Words are 128 bits, "
    "little endian; bits that no field has are zero, and a word in which they are not is refused.\n\n"
    "Every buffer is EMPTY, PENDING (a load was issued) or FULL. A compute waits until its sources are FULL; `unlock` "
    "flags make them EMPTY when it is done. At the "
    "end of a tiling block every buffer is EMPTY. What the rules forbid is a fault of the simulator, never a wrong "
    "number.\n\n"
    "Feature Buffers rotate: F0, F1, F2 of the n-th block of a PE are the physical buffers (i + n) mod 3.\n\n"
    "A *descriptor* (16 bytes) says of one piece of a subshard: first edge in its relation (bits 31:0), number of "
    "edges less one (47:32), number of source "
    "rows less one (61:48), first source row (95:64); the rest is zero. Iteration i of a LOOP has descriptor "
    "`desc_start` + i of the layer's table.\n\n"
    "In text, as `gnn-objdump -d` prints and `gnn-as` reads it, buffers come first, then fields that are not 0 (or not "
    "1, where a field counts from 1), then "
    "flags; addresses are in bytes.\n\n";

static const struct {
  const char *what, *why;
} differences[] = {
    {"Loads and stores of features are two-dimensional",
     "MEMRD and MEMWR move `nfib` fibers of `count` rows, `stride` rows apart in memory. The paper moves one sequence "
     "per instruction, so that a tile of k fibers costs k loads. "
     "With one instruction per tile, programs stay below the sizes of Table VIII, and a buffer has one mutex for the "
     "whole tile."},
    {"Descriptors hold rows of the source",
     "A descriptor says which source rows its edges need (`src_row`, `src_rows`), not only the number of its shard. "
     "Source rows of edges count from `src_row`. A load with `ind` brings these "
     "rows alone: shards may be of any height, empty rows at their ends are not moved, and the loop body is the same "
     "for all pieces."},
    {"Masks of columns (`lanes`)",
     "SpDMM and SDDMM say which columns of each fiber take part. Heads narrower than a fiber, values in one column and "
     "the columns behind a matrix's width need no copies and no zeros: what lies there is never read."},
    {"SDDMM combines with the weight that is there, and sums four ways",
     "`combine` replaces, adds, subtracts, multiplies, divides, or takes the larger or smaller one, so that partial "
     "sums over fibers and softmax's division need no second pass. `inner` also allows sums of the two ends (GAT's "
     "attention split into two vectors), or one end alone (gathering a number per row to edges)."},
    {"VADD has thirteen functions",
     "The paper adds. Residual connections, gates, products of heads and comparisons with `select` are element-wise, "
     "too; `bcast_b` lets one column stand for all (division by a softmax's denominator), and `on_edges` "
     "does the same to weights of edges."},
    {"POST has eighteen functions", "The activations that models use, and the constants a division or a shift needs. "
                                    "`settle` belongs to the unset word."},
    {"The unset word",
     "INIT can fill with 0x7fc0a61e, a quiet NaN that no arithmetic makes. Max and min replace it by the first value "
     "they see, and POST `settle` makes 0 of those that are left: rows without edges are 0, and "
     "-infinity stays a value like any other."},
    {"A table of fp32 constants",
     "POST, MEMWR, INIT and VADD name one of at most 1024 constants instead of holding 16 bits of bfloat16. 1 + "
     "epsilon of GIN or a slope of 0.2 as bfloat16 would cost three decimal digits. Constant 0 is 1.0."},
    {"`layer_id` has 16 bits",
     "Typed models and long ones have more than 256 layers. The bits come from `tb_len`, which is not needed: blocks "
     "end with `eot`. The shard count is the compiler's business."},
    {"Feature Buffers rotate per block",
     "With the same names in all blocks of a layer the second block's output buffer is another physical one, so that "
     "it starts while the first one's store runs (`queue_blocks` = 2). The compiler emits one text for all."},
    {"MEMRD without `wait` adds to a buffer",
     "Several loads may fill one buffer (parts of a tile, records and then the values of a head). The paper's one-bit "
     "mutex becomes EMPTY, PENDING, FULL; without PENDING a compute could start on a half-loaded buffer."},
    {"LOOP", "The paper's figures give each tile its own instructions; with descriptors a block of any number of "
             "pieces is a few words, which keeps the program O(blocks)."},
    {"Broadcast (`bcast`, off by default)",
     "Several PEs that ask for the same rows get them by one transfer. Algorithms 6 to 8 let every PE load its own "
     "copy of each subfiber, which at 77 GB/s for all cannot give the times the paper prints. A device has it only "
     "if its description says `has_broadcast`."},
    {"Packed edges (`form=packed`, off by default)",
     "Four bytes per edge (two row numbers of 14 bits) instead of twelve for relations without weights: a third of the "
     "traffic of large sparse layers. A device has it only if its description says `has_packed_edges`."},
};

static void print_words(text *out, const char *words) {
  for (; *words; words++) text_printf(out, *words == '|' ? "\\|" : "%c", *words);
}

static void print_values(text *out) {
  text_append(out, "## Values\n\n| kind | what | names |\n|---|---|---|\n");
  for (int kind = 0; kind < ISA_VALUES_KINDS; kind++) {
    const isa_values_info *v = &isa_values_table[kind];
    text_printf(out, "| %s | ", v->name);
    print_words(out, v->doc);
    text_append(out, " |");
    for (uint64_t i = 0; i < v->count && kind != ISA_VALUES_FLAG; i++)
      text_printf(out, " %s %llu%s", isa_value_name((isa_values)kind, i), (unsigned long long)i,
                  i + 1 < v->count ? "," : "");
    text_append(out, " |\n");
  }
  text_append(out, "\n");
}

static void print_instruction(text *out, const isa_insn_info *info) {
  text_printf(out, "### `%s` (0x%02x): %s\n\n%s\n\n", info->name, (unsigned)info->op, info->summary, info->doc);
  if (!info->count) return;
  text_append(out, "| bits | field | kind | largest | what |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < info->count; i++) {
    const isa_field_info *f = &info->fields[i];
    text_printf(out, "| %u:%u | `%s` | %s | %llu | ", f->low + f->width - 1, f->low, f->name,
                isa_values_table[f->kind].name, (unsigned long long)isa_field_largest(f));
    print_words(out, f->doc);
    text_append(out, " |\n");
  }
  text_append(out, "\n");
}

void objdump_print_isa_md(text *out) {
  text_append(out, introduction);
  print_values(out);
  text_append(out, "## Instructions\n\nBits 5:0 of every word are the opcode.\n\n");
  for (int i = 0; i < ISA_INSNS; i++) print_instruction(out, &isa_table[i]);
  text_append(out, "## Where this differs from the paper\n\nSection V-C of the paper draws the fields and leaves "
                   "widths and several meanings open; these are the "
                   "places where the table says something else, and why.\n\n");
  for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
    text_printf(out, "* **%s.** %s\n", differences[i].what, differences[i].why);
}
