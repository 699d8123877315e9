#include "graph/idioms/idioms.h"

#include "graph/idioms/patterns.h"

namespace ergon::graph {

Network read_idioms(const Network& network) {
  Rewriting rewriting(network);
  // Attention is found by what the others leave of it.
  for (const auto read :
       {read_bias, read_activation, read_layer_norm, read_group_norm, read_view, read_attention}) {
    for (NodeId id = 0; id < rewriting.nodes(); ++id) {
      if (!rewriting.gone(id)) read(rewriting, id);
    }
  }
  return std::move(rewriting).finish();
}

}  // namespace ergon::graph
