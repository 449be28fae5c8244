// A C++ program with a model of another file: it prints the model's output for the first of two nodes, which one edge
// connects.
#include "twice.h"

#include <cstdio>
#include <vector>

int main() {
  const int32_t src[] = {0}, dst[] = {1};
  const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float y[8] = {};
  gnnc_graph graph = {};
  graph.size = sizeof graph;
  graph.num_nodes = 2;
  graph.num_edges = 1;
  graph.src = src;
  graph.dst = dst;
  std::vector<char> bound(twice_bound_bytes(&graph));
  int64_t index = 0;
  if (twice_bind(&graph, nullptr, bound.data(), bound.size(), &index) != GNNC_OK) return 1;
  std::vector<char> workspace(twice_workspace_bytes(bound.data(), nullptr) + 1);
  twice_inputs inputs = {};
  inputs.x = x;
  twice_outputs outputs = {};
  outputs.y = y;
  if (twice_run(bound.data(), &inputs, &outputs, workspace.data(), nullptr) != GNNC_OK) return 1;
  std::printf("%g\n", static_cast<double>(y[4]));
  return 0;
}
