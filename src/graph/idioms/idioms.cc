#include "graph/idioms/idioms.h"

#include "graph/idioms/patterns.h"

namespace ergon::graph {

Network fuse_idioms(const Network& network) {
  NetworkRewriter rewriting(network);
  // Attention last: its pattern expects the other rewrites to be done.
  for (const auto read : {fuse_bias, fuse_activation, fuse_layer_norm, fuse_rms_norm, fuse_group_norm,
                          simplify_view, fuse_attention}) {
    for (NodeId id = 0; id < rewriting.nodes(); ++id) {
      if (!rewriting.is_removed(id)) read(rewriting, id);
    }
  }
  return std::move(rewriting).finish();
}

}  // namespace ergon::graph
