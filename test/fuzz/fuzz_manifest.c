/* room: runtime. The runtime opens a good image with any bytes as its manifest: it refuses the
 * manifest with a message, or the program runs and every output that the manifest lists can be
 * read. In the first byte of the input, bit 0 says whether the rest is the manifest (clear) or
 * changes bytes of a good one (set); bits 1 and 2 choose the program: runs of the overlay alone,
 * the overlay with host steps, the host alone, or rows in layouts that fold. */
#define _GNU_SOURCE
#include "isa/sextans/format.h"
#include "runtime/program.h"
#include "test/unit/isa/isa_image_fixture.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* a limit on the numbers of a manifest; the run allocates and computes a few times as much */
enum { MOST_NUMBERS = 1 << 14, PROGRAMS = 4 };

/* The manifest, with ' in the place of ". */
static const char *const good[PROGRAMS] = {
    "{'model':'small','inputs':[],"
    "'outputs':[{'name':'z','kind':'rows','domain':'node','rows':8,'shape':[4],'width':4,'address':20736,'stride':8,"
    "'order':0},"
    "{'name':'v','kind':'values','domain':'edge','rows':8,'shape':[2],'width':2,'heads':2,'addresses':[20736,20768],"
    "'order':null}],"
    "'baked':[]}",
    "{'model':'mixed','inputs':[],"
    "'outputs':[{'name':'y','kind':'rows','domain':'node','set':'g','rows':8,'shape':[4],'width':4,'array':1,"
    "'order':0},"
    "{'name':'v','kind':'values','domain':'edge','rows':4,'shape':[2],'width':2,'array':2,'order':null}],"
    "'arrays':[{'name':'x','rows':8,'width':4,'data':16},{'name':'y','rows':8,'width':4},"
    "{'name':'v','rows':4,'width':2}],"
    "'edge_lists':[{'name':'in','from_rows':8,'to_rows':8,'edges':4,'src':0,'dst':16,'weight':32}],"
    "'steps':[{'op':'relayout','name':'x','in':0,'place':{'layout':'fibers','address':20480,'stride':8,'order':0}},"
    "{'run':[0,7]},{'run':[7,12]},"
    "{'op':'relayout','name':'y','out':1,'place':{'layout':'fibers','address':20736,'stride':8,'order':null}},"
    "{'op':'sddmm','list':0,'src':1,'dst':0,'heads':2,'inner':'dot','combine':'replace','out':2},"
    "{'op':'relayout','in':2,'place':{'layout':'values','addresses':[20480,20496],'order':16}}]}",
    "{'model':'alone','inputs':[],"
    "'outputs':[{'name':'y','kind':'rows','domain':'plain','rows':1,'shape':[2],'width':2,'array':5,'order':null}],"
    "'arrays':[{'name':'x','rows':3,'width':2,'data':48},{'name':'w','rows':4,'width':2,'data':48},"
    "{'name':'h','rows':3,'width':2},{'name':'c','rows':3,'width':4},{'name':'s','rows':2,'width':4},"
    "{'name':'y','rows':1,'width':2},{'name':'e','rows':4,'width':2},"
    "{'name':'b','rows':2,'width':2,'data':64},{'name':'t','rows':2,'width':2}],"
    "'edge_lists':[{'name':'in','from_rows':3,'to_rows':2,'edges':4,'src':0,'dst':16,'weight':32},"
    "{'name':'pool','from_rows':2,'to_rows':1,'edges':2,'src':0,'dst':16}],"
    "'steps':[{'op':'gemm','in':0,'weights':1,'bias':7,'addend':0,'out':2,'segments':[0,1,3],"
    "'functions':['leaky_relu 0.5','tanh']},"
    "{'op':'concat','a':2,'b':0,'out':3},{'op':'spmm','list':0,'in':3,'reduce':'mean','out':4},"
    "{'op':'sddmm','list':0,'src':0,'dst':7,'heads':2,'inner':'dot','combine':'mul','values':1,'out':6},"
    "{'op':'vadd','a':6,'b':1,'function':'select','condition':6,'scale':0.5,'out':6},"
    "{'op':'columns','in':4,'begin':2,'out':8},{'op':'map','in':2,'out':2,'functions':['clamp -1 1']},"
    "{'op':'spmm','list':1,'in':8,'reduce':'max','out':5}]}",
    "{'model':'folds','inputs':[],"
    "'outputs':[{'name':'y','kind':'rows','domain':'plain','rows':1,'shape':[8],'width':8,'array':2,'order':null}],"
    "'arrays':[{'name':'x','rows':3,'width':2,'data':48},{'name':'h','rows':3,'width':2},"
    "{'name':'y','rows':1,'width':8}],'steps':["
    "{'op':'relayout','in':0,'place':{'layout':'sextans_b','address':65536,'rows':5,'order':32}},"
    "{'op':'relayout','out':1,'place':{'layout':'sextans_b','address':65536,'rows':5,'order':32}},"
    "{'op':'relayout','in':1,'place':{'layout':'sextans_ct','address':66048,'rows':2,'order':null}},"
    "{'op':'relayout','in':1,'place':{'layout':'sextans_a','address':131072,'stride':1,'rows':8,'order':52}},"
    "{'op':'relayout','out':2,'place':{'layout':'sextans_a','address':131072,'stride':1,'rows':8,'order':null}}]}",
};

/* Four edges between a few rows with their weights, and then small numbers. */
static const struct {
  int32_t src[4], dst[4];
  float weight[4], numbers[24];
} lists = {{0, 1, 2, 0}, {0, 0, 1, 1}, {1, 2, 3, 4}, {1, -2, 3, -4, 5, -6, 7, -8, 9, 0, 1, 2, 3, 4, 5, 6}};

/* Orders of the fixture's rows, of 5 rows that fold, and of 8 numbers; elements of A; `halt`. */
static const int32_t orders[] = {7, 6, 5, 4, 3, 2, 1, 0, 2, -1, 0, 2, 1, 5, 4, 3, 3, -1, 2, 1, 0};
static uint64_t elements[64];
static const unsigned char halt[128] = {2};

static void fail_if(status s) {
  if (!s) return;
  fprintf(stderr, "%s\n", status_message(s));
  abort();
}

/* The only file of the run; it lies in memory. */
static const char *write_file(const unsigned char *bytes, size_t size) {
  static char path[64];
  static int fd = -1;
  if (fd < 0) {
    fd = memfd_create("image", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  if (ftruncate(fd, 0) || pwrite(fd, bytes, size, 0) != (ssize_t)size) abort();
  return path;
}

/* A graph of eight nodes with a field "x" of four columns. */
static const graph *small_graph(void) {
  static graph *made;
  if (made) return made;
  tensor_set *set = tensor_set_create("g");
  void *ends = NULL, *x = NULL;
  fail_if(tensor_set_add(set, "edge_index", DTYPE_I64, 2, (int64_t[]){2, 4}, &ends));
  fail_if(tensor_set_add(set, "x", DTYPE_F32, 2, (int64_t[]){8, 4}, &x));
  tensor_set_put_metadata_int(set, "num_nodes", 8);
  fail_if(graph_create(set, &made));
  return made;
}

static void run(const program_binary *p, const graph *g, bool is_timing_only) {
  program_session *s = NULL;
  tensor_set *outputs = tensor_set_create("outputs");
  program_request request = {.graph = g, .simulation = {.is_timing_only = is_timing_only}};
  status failed = program_session_create(p, &request, &s);
  bool may_fail = g || (!is_timing_only && (p->num_inputs || p->num_baked)); /* a wrong graph, or none */
  if (!may_fail) fail_if(failed);
  if (!failed) failed = program_session_run(s);
  if (failed && strstr(status_message(failed), " non-zeros, its place has ")) may_fail = true; /* moves find that */
  if (!may_fail) fail_if(failed);
  if (!failed && !is_timing_only) {
    fail_if(program_session_read(s, outputs));
    if (outputs->count != (size_t)p->num_outputs) abort();
  }
  if (failed && !*status_message(failed)) abort();
  status_free(failed);
  tensor_set_destroy(outputs);
  program_session_destroy(s);
}

static bool is_small(const program_binary *p) {
  int64_t numbers = 0;
  for (int32_t i = 0; i < p->steps.num_arrays && numbers <= MOST_NUMBERS; i++)
    numbers += p->steps.arrays[i].rows * p->steps.arrays[i].width;
  for (int32_t i = 0; i < p->steps.num_lists && numbers <= MOST_NUMBERS; i++) numbers += p->steps.lists[i].to_rows;
  return numbers <= MOST_NUMBERS;
}

static image image_that_folds(void) {
  image im = {.isa_major = sextans_machine.isa_major, .isa_minor = sextans_machine.isa_minor, .compiler = "gnnc test"};
  device_default(&im.device, &sextans_machine);
  for (int i = 0; i < 64; i++) elements[i] = i % 8 ? SEXTANS_BUBBLE : sextans_element(0, 1, 2);
  im.sections[IMAGE_TEXT] = (image_section){4096, sizeof halt, halt};
  im.sections[IMAGE_FEATURES] = (image_section){65536, 4096, NULL};
  im.sections[IMAGE_WEIGHTS] = (image_section){131072, sizeof elements, (const unsigned char *)elements};
  im.sections[IMAGE_ROWS] = (image_section){0, sizeof orders, (const unsigned char *)orders};
  im.sections[IMAGE_LISTS] = (image_section){0, sizeof lists, (const unsigned char *)&lists};
  return im;
}

/* The image of a fixture, turned into a program of the host if is_host. */
static image image_of(const image_fixture *f, bool is_host) {
  image im = f->image;
  im.graph_fingerprint = 0;
  im.sections[IMAGE_LISTS] = (image_section){0, sizeof lists, (const unsigned char *)&lists};
  if (!is_host) return im;
  device_default(&im.device, &host_machine);
  im.isa_major = host_machine.isa_major;
  im.isa_minor = host_machine.isa_minor;
  for (int k = 0; k < IMAGE_SECTIONS; k++)
    if (!(host_machine.sections >> k & 1)) im.sections[k] = (image_section){0};
  im.num_symbols = 0;
  return im;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  bool is_change = data[0] % 2;
  int which = data[0] / 2 % PROGRAMS;
  image im = which == 3 ? image_that_folds() : image_of(&f, which == 2);
  size_t length = is_change ? strlen(good[which]) : size - 1;
  unsigned char *manifest = arena_alloc(a, length + 1);
  memcpy(manifest, is_change ? (const void *)good[which] : data + 1, length);
  for (size_t i = 0; is_change && i < length; i++)
    if (manifest[i] == '\'') manifest[i] = '"';
  for (size_t i = 1; is_change && i + 3 <= size; i += 3)
    manifest[((size_t)data[i] | (size_t)data[i + 1] << 8) % length] = data[i + 2];
  im.sections[IMAGE_PROGRAM] = (image_section){0, length, manifest};
  unsigned char *bytes = NULL;
  size_t count = 0;
  fail_if(image_write_memory(&im, &bytes, &count));
  program_binary *p = NULL;
  status s = program_open(write_file(bytes, count), &p);
  if (s && (p || !*status_message(s))) abort();
  if (is_change && size == 1) fail_if(s); /* the unchanged manifests must be good */
  if (!s && is_small(p)) {
    run(p, NULL, false);
    run(p, NULL, true);
    run(p, small_graph(), false);
  }
  status_free(s);
  program_close(p);
  free(bytes);
  arena_destroy(a);
  return 0;
}
