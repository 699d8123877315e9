#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::predict {

// An ensemble of regression trees; the prediction is the sum over all trees. Independent of the learner.
class Forest {
 public:
  // An inner node continues at `next` if the feature is below the threshold, otherwise at `next + 1`. A leaf
  // holds the value.
  struct Node {
    static constexpr std::uint16_t kLeaf = 0xffff;
    float value = 0;  // threshold of an inner node, value of a leaf
    std::uint16_t feature = kLeaf;
    std::uint32_t next = 0;  // index in the same tree

    bool leaf() const { return feature == kLeaf; }
    friend bool operator==(const Node&, const Node&) = default;
  };

  // Errors: a child index that is out of range or not below its parent.
  Result<> add(std::span<const Node> tree);

  std::size_t trees() const { return roots_.size(); }
  std::size_t nodes() const { return nodes_.size(); }
  bool empty() const { return roots_.empty(); }
  // Highest feature index in use, plus one.
  std::size_t features() const { return features_; }

  // Contract: `row` has at least features() values.
  double sum(std::span<const float> row) const;
  // One sum per row; `rows` holds rows of `width` values each.
  std::vector<double> sums(std::span<const float> rows, std::size_t width) const;

  // One line per tree; the round trip is exact.
  std::vector<std::string> to_lines() const;
  static Result<Forest> from_lines(std::span<const std::string_view> lines);

  friend bool operator==(const Forest&, const Forest&) = default;

 private:
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> roots_;
  std::size_t features_ = 0;
};

}  // namespace ergon::predict
