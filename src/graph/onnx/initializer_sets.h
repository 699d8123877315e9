#pragma once

#include <string>
#include <vector>

#include "graph/onnx/value_info.h"

namespace ergon::graph::onnx {

// The initializers that each constant was computed from. Sets form a graph: a computed constant refers to the
// sets of its inputs instead of copying them, so that long chains stay cheap.
class InitializerSets {
 public:
  struct Initializer {
    Shape shape;
    ElementType type = ElementType::float32;
    bool counted = false;  // an operation already counts it as a weight
  };

  InitializerSetId add_initializer(const Shape& shape, ElementType type) {
    entries_.push_back({{}, {shape, type, false}, true});
    return static_cast<InitializerSetId>(entries_.size() - 1);
  }

  InitializerSetId unite(std::vector<InitializerSetId> from) {
    std::erase(from, kNoInitializers);
    if (from.empty()) return kNoInitializers;
    if (from.size() == 1) return from.front();
    entries_.push_back({std::move(from), {}, false});
    return static_cast<InitializerSetId>(entries_.size() - 1);
  }

  // The initializers of a set, without duplicates, in order of use.
  std::vector<Initializer*> members(InitializerSetId set) {
    std::vector<Initializer*> found;
    if (set == kNoInitializers) return found;
    std::vector<bool> seen(entries_.size(), false);
    std::vector<InitializerSetId> open{set};
    while (!open.empty()) {
      const auto here = static_cast<std::size_t>(open.back());
      open.pop_back();
      if (seen[here]) continue;
      seen[here] = true;
      SetNode& entry = entries_[here];
      if (entry.is_initializer) found.push_back(&entry.initializer);
      for (std::size_t i = entry.from.size(); i > 0; --i) open.push_back(entry.from[i - 1]);
    }
    return found;
  }

 private:
  struct SetNode {
    std::vector<InitializerSetId> from;
    Initializer initializer;
    bool is_initializer;
  };
  std::vector<SetNode> entries_;
};

}  // namespace ergon::graph::onnx
