#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::predict {

// Regression trees whose answers are added up, ready to be asked; who grew them does not matter.
class Forest {
 public:
  // An inner node asks whether a feature is below the threshold, and goes on at `next` if so, otherwise at
  // the one behind it. A leaf has the answer.
  struct Node {
    static constexpr std::uint16_t kLeaf = 0xffff;
    float value = 0;  // the threshold, or the answer
    std::uint16_t feature = kLeaf;
    std::uint32_t next = 0;  // in the same tree

    bool leaf() const { return feature == kLeaf; }
    friend bool operator==(const Node&, const Node&) = default;
  };

  // Errors: a node that leads nowhere, or back.
  Result<> add(std::span<const Node> tree);

  std::size_t trees() const { return roots_.size(); }
  std::size_t nodes() const { return nodes_.size(); }
  bool empty() const { return roots_.empty(); }
  // One more than the highest feature that is asked about.
  std::size_t features() const { return features_; }

  // Contract: `row` has at least features() values.
  double sum(std::span<const float> row) const;
  // Of `count` rows of `width` values each, one behind the other.
  std::vector<double> sums(std::span<const float> rows, std::size_t width) const;

  // One line per tree, and back, to the bit.
  std::vector<std::string> to_lines() const;
  static Result<Forest> from_lines(std::span<const std::string_view> lines);

  friend bool operator==(const Forest&, const Forest&) = default;

 private:
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> roots_;
  std::size_t features_ = 0;
};

}  // namespace ergon::predict
