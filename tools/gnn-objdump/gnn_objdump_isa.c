/* docs/isa.md: the instruction set as a page, a loop over its table; what differs from the paper is written here. */
#include "isa/table.h"
#include "tools/gnn-objdump/gnn_objdump.h"

#include <string.h>

static const char introduction[] =
    "# The instruction set of the overlay\n\n"
    "Made from `isa/graphagile/graphagile.def` by `gnn-objdump --print-isa-md` when the project is built. The device "
    "is the one "
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
    "rows less one (61:48), whether its destinations are those of the second tile (62, `second`), whether its source "
    "rows are those of the piece before and in the buffer already (63, `reuse`), first source row (95:64), whether "
    "there are no "
    "edges (96; then 47:32 are zero); the rest is zero. Iteration i of a LOOP has descriptor `desc_start` + i of the "
    "layer's table.\n\n"
    "In text, as `gnn-objdump -d` prints and `gnn-as` reads it, buffers come first, then fields that are not 0 (or not "
    "1, where a field counts from 1), then "
    "flags; addresses are in bytes.\n\n";

static const struct {
  const char *what, *why;
} differences[] = {
    {"Loads and stores of features are two-dimensional",
     "MEMRD and MEMWR move `nfib` fibers of `count` rows, `stride` rows apart in memory. Figure 3 gives a memory "
     "instruction one buffer and one base, so that a tile of k fibers would cost k instructions and its buffer k "
     "locks; with one instruction per tile, programs stay below the sizes of Table VIII and a buffer has one mutex for "
     "the whole tile."},
    {"LOOP and descriptors",
     "Figure 3 has neither, but Table VIII's 96 bytes per tile leave no room for an instruction per subshard. LOOP "
     "repeats a body, and a descriptor per iteration says what is different: the edges of one piece of a subshard and "
     "the source rows that they need. Programs are O(blocks), descriptors O(pieces)."},
    {"Descriptors hold rows of the source",
     "`src_row` and `src_rows` instead of the number of a shard. Edges count their source rows from `src_row`, and a "
     "load with `ind` brings these rows alone: shards may be of any height, and empty rows at their ends are not "
     "moved."},
    {"Descriptors say `reuse` and `second`",
     "Pieces of two destination tiles that need the same source rows follow one another: the rows are loaded once "
     "(`reuse`), and each piece says into which of two Feature Buffers its sums go (`second`). The paper loads a "
     "subfiber for each tile."},
    {"Activation, bias and mean are no fields of GEMM and SpDMM",
     "Algorithms 6 and 7 apply an activation where a tile is done: POST does it, and MEMWR does relu and leaky_relu on "
     "the way out for no cycles. A bias is the row that INIT fills with before the sums begin; a mean is a sum over "
     "edges that weigh one over the degree."},
    {"GEMM has `skip`",
     "Columns are moved, repeated and summed by products with matrices of zeros and ones, and heads kept apart by "
     "block-diagonal ones. 0 times infinity is NaN, so that one such number would reach all columns of its row; with "
     "`skip` a zero of W takes no part, which gating the multiplier does."},
    {"Edges of a piece begin at edge 0 of their buffer", "Figure 3 has a base in the Edge Buffer. A buffer has one "
                                                         "mutex and so holds one piece at a time; the bits are the "
                                                         "`lanes`."},
    {"Operand and result are in different Feature Buffers",
     "GEMM and SpDMM read their operand until the end; a result in the same buffer would change what is still to be "
     "read. A device refuses it (`edge_only` reads none)."},
    {"Masks of columns (`lanes`)",
     "SpDMM and SDDMM say which columns of each fiber take part. Heads narrower than a fiber, values in one column and "
     "the columns behind a matrix's width need no copies and no zeros: what lies there is never read."},
    {"SDDMM combines with the weight that is there, and sums four ways",
     "Algorithm 3 stores an inner product. `combine` replaces, adds, subtracts, multiplies, divides, or takes the "
     "larger or the smaller, so that sums over several loads of fibers and the division of a softmax need no pass of "
     "their own. `inner` also sums both ends (the attention of GAT split into two vectors) or one end alone (a number "
     "per row, taken to the edges)."},
    {"VADD has thirteen functions", "The paper adds. Gates, products of heads and comparisons with `select` are "
                                    "element-wise, too; `bcast_b` lets one column stand for all (the division by a "
                                    "softmax's denominator), and `on_edges` does the same to weights of edges."},
    {"POST has eighteen functions", "The activations that models use, and the constants that shifts and scales need. "
                                    "Figure 3 leaves the functions open."},
    {"The unset word", "INIT can fill with 0x7fc0a61e, a quiet NaN that no arithmetic makes. Max and min replace it by "
                       "the first value they see, and POST `settle` makes 0 of those that are left: rows without edges "
                       "are 0, and -infinity stays a value like any other."},
    {"A table of fp32 constants",
     "POST, MEMWR, INIT and VADD name one of at most 1024 constants. Numbers inside instructions would have room for "
     "16 bits, and three digits are too few for 1 + epsilon of GIN. Constant 0 is 1.0."},
    {"Layers have numbers of 16 bits",
     "Models with many relations and heads have more than 256 Layer Blocks, and statistics name each."},
    {"Buffers are EMPTY, PENDING or FULL",
     "The paper's mutex is one bit. Without PENDING a compute could start on a half-loaded buffer; with it MEMRD "
     "without `wait` may add to a buffer that others fill (parts of a tile; records, then the values of a head)."},
    {"Feature Buffers rotate from block to block",
     "With the same names in all blocks of a layer, the output buffer of the next block is another physical one, so "
     "that it starts while the last store runs (`queue_blocks` = 2). The text of all blocks stays the same."},
    {"Broadcast (`bcast`, an extension, off by default)",
     "PEs that ask for the same rows get them by one transfer. In Algorithms 6 to 8 every PE loads its own copy of "
     "each subfiber, which 77 GB/s for all PEs do not carry in the times that the paper prints. `share` says how many "
     "PEs will ask, so "
     "that source tiles and edges can be shared by different groups of PEs. Only devices with `has_broadcast` take "
     "it."},
    {"Packed edges (`form=packed`, an extension, off by default)",
     "Four bytes per edge (two row numbers of 14 bits) instead of twelve where all weights are 1: a third of the "
     "traffic of edges. Only devices with `has_packed_edges` take them."},
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
  text_append(out, "## Where this differs from the paper\n\nFigure 3 of the paper names fields and leaves widths, "
                   "functions and timing open. Where "
                   "the table above says something else or more:\n\n");
  for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
    text_printf(out, "* **%s.** %s\n", differences[i].what, differences[i].why);
}
