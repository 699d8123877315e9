#pragma once

#include <string>
#include <vector>

#include "graph/onnx/known.h"

namespace ergon::graph::onnx {

// What constants were computed from. A constant of constants points to their origins instead of copying them,
// so that long chains stay cheap; whoever wants the initialisers walks.
class Origins {
 public:
  struct Root {
    Shape shape;
    ElementType type = ElementType::float32;
    bool credited = false;  // an operation counts it among its weights already
  };

  Origin root(const Shape& shape, ElementType type) {
    entries_.push_back({{}, {shape, type, false}, true});
    return static_cast<Origin>(entries_.size() - 1);
  }

  Origin together(std::vector<Origin> from) {
    std::erase(from, kNoOrigin);
    if (from.empty()) return kNoOrigin;
    if (from.size() == 1) return from.front();
    entries_.push_back({std::move(from), {}, false});
    return static_cast<Origin>(entries_.size() - 1);
  }

  // The initialisers behind an origin, each once, first come first.
  std::vector<Root*> roots(Origin origin) {
    std::vector<Root*> found;
    if (origin == kNoOrigin) return found;
    std::vector<bool> seen(entries_.size(), false);
    std::vector<Origin> open{origin};
    while (!open.empty()) {
      const auto here = static_cast<std::size_t>(open.back());
      open.pop_back();
      if (seen[here]) continue;
      seen[here] = true;
      Entry& entry = entries_[here];
      if (entry.is_root) found.push_back(&entry.root);
      for (std::size_t i = entry.from.size(); i > 0; --i) open.push_back(entry.from[i - 1]);
    }
    return found;
  }

 private:
  struct Entry {
    std::vector<Origin> from;
    Root root;
    bool is_root;
  };
  std::vector<Entry> entries_;
};

}  // namespace ergon::graph::onnx
