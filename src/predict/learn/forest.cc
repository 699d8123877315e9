#include "predict/learn/forest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/contract.h"
#include "base/text.h"

namespace ergon::predict {
namespace {

constexpr std::size_t kMaxNodes = 1U << 20;

// "12<0.25:1" goes to node 1 if feature 12 is below 0.25, otherwise to node 2; "=0.5" is a leaf.
bool read_node(std::string_view text, Forest::Node& node) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](auto& value) {
    const auto [rest, failure] = std::from_chars(at, end, value);
    if (failure != std::errc()) return false;
    at = rest;
    return true;
  };
  const auto sign = [&](char wanted) { return at < end && *at++ == wanted; };
  if (!text.empty() && text[0] == '=') {
    ++at;
    return number(node.value) && at == end;
  }
  return number(node.feature) && sign('<') && number(node.value) && sign(':') && number(node.next) &&
         at == end && !node.leaf();
}

}  // namespace

Result<> Forest::add(std::span<const Node> tree) {
  if (tree.empty() || tree.size() > kMaxNodes)
    return fail(Errc::invalid_input, "a tree has {} nodes; expected 1 to {}", tree.size(), kMaxNodes);
  std::size_t features = features_;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const Node& node = tree[i];
    if (!std::isfinite(node.value))
      return fail(Errc::invalid_input, "node {} of a tree has a value that is not finite", i);
    if (node.leaf()) continue;
    if (node.next <= i || std::size_t{node.next} + 1 >= tree.size())
      return fail(Errc::invalid_input, "node {} of a tree of {} nodes has an invalid child {}", i,
                  tree.size(), node.next);
    features = std::max(features, std::size_t{node.feature} + 1);
  }
  features_ = features;
  const auto root = static_cast<std::uint32_t>(nodes_.size());
  roots_.push_back(root);
  for (Node node : tree) {
    if (!node.leaf()) node.next += root;
    nodes_.push_back(node);
  }
  return {};
}

double Forest::sum(std::span<const float> row) const {
  ERGON_EXPECTS(row.size() >= features_);
  double total = 0;
  for (const std::uint32_t root : roots_) {
    const Node* node = &nodes_[root];
    while (!node->leaf()) node = &nodes_[node->next + (row[node->feature] < node->value ? 0 : 1)];
    total += static_cast<double>(node->value);
  }
  return total;
}

std::vector<double> Forest::sums(std::span<const float> rows, std::size_t width) const {
  ERGON_EXPECTS(width >= features_ && width > 0);
  const std::size_t count = rows.size() / width;
  std::vector<double> totals(count, 0.0);
  // Tree by tree, so that a tree stays in the cache for all rows. Several rows at a time, because one row
  // alone stalls on memory at every step.
  constexpr std::size_t kLanes = 8;
  std::array<std::uint32_t, kLanes> at{};
  for (const std::uint32_t root : roots_) {
    for (std::size_t first = 0; first < count; first += kLanes) {
      const std::size_t lanes = std::min(kLanes, count - first);
      at.fill(root);
      for (bool inside = true; inside;) {
        inside = false;
        for (std::size_t i = 0; i < lanes; ++i) {
          const Node& node = nodes_[at[i]];
          if (node.leaf()) continue;
          at[i] = node.next + (rows[(first + i) * width + node.feature] < node.value ? 0 : 1);
          inside = true;
        }
      }
      for (std::size_t i = 0; i < lanes; ++i) totals[first + i] += static_cast<double>(nodes_[at[i]].value);
    }
  }
  return totals;
}

std::vector<std::string> Forest::to_lines() const {
  std::vector<std::string> lines;
  for (std::size_t t = 0; t < roots_.size(); ++t) {
    const std::size_t end = t + 1 < roots_.size() ? roots_[t + 1] : nodes_.size();
    std::string line;
    for (std::size_t i = roots_[t]; i < end; ++i) {
      if (!line.empty()) line += ' ';
      const Node& node = nodes_[i];
      line += node.leaf() ? fmt::format("={}", node.value)
                          : fmt::format("{}<{}:{}", node.feature, node.value, node.next - roots_[t]);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<Forest> Forest::from_lines(std::span<const std::string_view> lines) {
  Forest forest;
  std::vector<Node> tree;
  for (const std::string_view line : lines) {
    tree.clear();
    std::size_t begin = 0;
    while (begin < line.size()) {
      const std::size_t end = std::min(line.find(' ', begin), line.size());
      Node node;
      const std::string_view text = line.substr(begin, end - begin);
      if (!read_node(text, node))
        return fail(Errc::invalid_input, "\"{}\" is not a valid tree node", printable(text));
      tree.push_back(node);
      begin = end + 1;
    }
    if (const auto added = forest.add(tree); !added) return added.error();
  }
  return forest;
}

}  // namespace ergon::predict
