#include "predict/learn/forest.h"

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <ostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace ergon::predict {
namespace {

using Node = Forest::Node;

// A tree with pointers to its children.
struct Drawn {
  std::uint16_t feature = 0;
  float value = 0;
  std::unique_ptr<Drawn> below, otherwise;

  double walk(std::span<const float> row) const {
    if (!below) return static_cast<double>(value);
    return row[feature] < value ? below->walk(row) : otherwise->walk(row);
  }
};

// Any finite number, of any size.
float any_number(Random& random) {
  for (;;) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
    if (std::isfinite(value)) return value;
  }
}

constexpr std::uint16_t kFeatures = 7;

// Features are small integers, so that some equal a threshold.
float any_feature(Random& random) { return static_cast<float>(random.below(9)) - 4; }

std::unique_ptr<Drawn> any_tree(Random& random, int depth) {
  auto tree = std::make_unique<Drawn>();
  if (depth == 0 || random.below(5) == 0) {
    tree->value = any_number(random);
    return tree;
  }
  tree->feature = static_cast<std::uint16_t>(random.below(kFeatures));
  tree->value = any_feature(random);
  tree->below = any_tree(random, depth - 1);
  tree->otherwise = any_tree(random, depth - 1);
  return tree;
}

std::vector<Node> nodes_of(const Drawn& root) {
  std::vector<Node> nodes(1);
  std::vector<const Drawn*> drawn{&root};
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    nodes[i].value = drawn[i]->value;
    if (!drawn[i]->below) continue;
    nodes[i].feature = drawn[i]->feature;
    nodes[i].next = static_cast<std::uint32_t>(nodes.size());
    for (const auto* child : {drawn[i]->below.get(), drawn[i]->otherwise.get()}) {
      drawn.push_back(child);
      nodes.emplace_back();
    }
  }
  return nodes;
}

struct Grove {
  std::vector<std::unique_ptr<Drawn>> drawn;
  Forest forest;

  double walk(std::span<const float> row) const {
    double sum = 0;
    for (const auto& tree : drawn) sum += tree->walk(row);
    return sum;
  }
};

Grove any_grove(Random& random) {
  Grove grove;
  for (std::uint64_t left = random.below(6); left > 0; --left) {
    grove.drawn.push_back(any_tree(random, static_cast<int>(random.below(6))));
    EXPECT_TRUE(grove.forest.add(nodes_of(*grove.drawn.back())));
  }
  return grove;
}

std::vector<float> any_rows(Random& random, std::size_t count, std::size_t width) {
  std::vector<float> rows(count * width);
  for (float& value : rows) value = any_feature(random);
  return rows;
}

std::vector<std::string_view> views_of(const std::vector<std::string>& lines) {
  return {lines.begin(), lines.end()};
}

Result<Forest> read(const std::vector<std::string>& lines) { return Forest::from_lines(views_of(lines)); }

TEST(Forest, SumEqualsAWalkFromTheRoots) {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    const Grove grove = any_grove(random);
    EXPECT_EQ(grove.forest.trees(), grove.drawn.size());
    for (int j = 0; j < 20; ++j) {
      const auto row = any_rows(random, 1, kFeatures);
      ASSERT_EQ(grove.forest.sum(row), grove.walk(row));
    }
  }
}

TEST(Forest, SumsEqualTheSumOfEachRow) {
  Random random(12);
  for (int i = 0; i < 100; ++i) {
    const Grove grove = any_grove(random);
    const std::size_t width = kFeatures + random.below(3), count = random.below(20);
    const auto rows = any_rows(random, count, width);
    const auto sums = grove.forest.sums(rows, width);
    ASSERT_EQ(sums.size(), count);
    for (std::size_t j = 0; j < count; ++j)
      ASSERT_EQ(sums[j], grove.forest.sum(std::span(rows).subspan(j * width, width)));
  }
}

TEST(Forest, RoundTripIsExact) {
  Random random(13);
  for (int i = 0; i < 300; ++i) {
    const Grove grove = any_grove(random);
    const auto lines = grove.forest.to_lines();
    EXPECT_EQ(lines.size(), grove.forest.trees());
    const auto again = read(lines);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, grove.forest);
    EXPECT_EQ(again->to_lines(), lines);
    EXPECT_EQ(again->features(), grove.forest.features());
    EXPECT_EQ(again->nodes(), grove.forest.nodes());
  }
}

TEST(Forest, RoundTripOfExtremeNumbersIsExact) {
  using Limits = std::numeric_limits<float>;
  for (const float value : {0.0F, 0.1F, 1.0F / 3, -1e-45F, Limits::min(), Limits::denorm_min(), Limits::max(),
                            Limits::lowest(), std::nextafter(1.0F, 2.0F), 16777217.0F}) {
    Forest forest;
    ASSERT_TRUE(forest.add(std::vector{Node{.value = value}}));
    const auto again = read(forest.to_lines());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->sum({}), static_cast<double>(value));
  }
  Forest negative;
  ASSERT_TRUE(negative.add(std::vector{Node{.value = -0.0F}}));
  EXPECT_EQ(read(negative.to_lines())->to_lines(), std::vector<std::string>{"=-0"});
}

TEST(Forest, SumIsZeroWithoutTrees) {
  const Forest none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.features(), 0U);
  EXPECT_EQ(none.sum({}), 0);
  EXPECT_EQ(none.sums(std::vector<float>(6), 3), std::vector<double>(2));
  EXPECT_EQ(read(none.to_lines()).value(), none);
}

TEST(Forest, AFeatureEqualToTheThresholdIsNotBelowIt) {
  Forest forest;
  ASSERT_TRUE(forest.add(std::vector<Node>{{2.5F, 3, 1}, {10, Node::kLeaf, 0}, {20, Node::kLeaf, 0}}));
  EXPECT_EQ(forest.features(), 4U);
  EXPECT_EQ(forest.sum(std::vector<float>{0, 0, 0, 2.4F}), 10);
  EXPECT_EQ(forest.sum(std::vector<float>{0, 0, 0, 2.5F}), 20);
  EXPECT_EQ(forest.sum(std::vector<float>{0, 0, 0, NAN}), 20);
}

struct BadTree {
  const char* name;
  std::vector<Node> nodes;

  friend void PrintTo(const BadTree& each, std::ostream* out) { *out << each.name; }
};

class InvalidTrees : public testing::TestWithParam<BadTree> {};

TEST_P(InvalidTrees, AreRejectedAndLeaveTheForestUnchanged) {
  Forest forest;
  ASSERT_TRUE(forest.add(std::vector<Node>{{1, 2, 1}, {}, {}}));
  const Forest before = forest;
  const auto added = forest.add(GetParam().nodes);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().kind, Errc::invalid_input);
  EXPECT_FALSE(added.error().message.empty());
  EXPECT_EQ(forest, before);
}

INSTANTIATE_TEST_SUITE_P(Forest, InvalidTrees,
                         testing::Values(BadTree{"NowhereAsThereIsNoNode", {}},
                                         BadTree{"NowhereAsNothingFollows", {{0, 9, 1}}},
                                         BadTree{"NowhereAsTheSecondWayIsMissing", {{0, 9, 1}, {}}},
                                         BadTree{"FarBeyondTheEnd", {{0, 9, 0xffffffff}, {}, {}}},
                                         BadTree{"BackToThemselves", {{0, 9, 0}, {}, {}}},
                                         BadTree{"BackToTheirParent", {{0, 9, 1}, {0, 9, 0}, {}, {}, {}}},
                                         BadTree{"BackAfterASoundNode", {{0, 9, 1}, {}, {0, 9, 1}, {}, {}}}),
                         [](const auto& each) { return std::string(each.param.name); });

class InvalidLines : public testing::TestWithParam<const char*> {};

TEST_P(InvalidLines, AreRejectedWithAMessage) {
  const auto forest = read({"0<1:1 =2 =3", GetParam()});
  ASSERT_FALSE(forest);
  EXPECT_EQ(forest.error().kind, Errc::invalid_input);
  EXPECT_FALSE(forest.error().message.empty());
}

INSTANTIATE_TEST_SUITE_P(Forest, InvalidLines,
                         testing::Values("", " ", "=", "=x", "=1x", "= 1", "1", "0<1", "0<1:", "0<:1 =1 =2",
                                         "<1:1 =1 =2", "0>1:1 =1 =2", "-1<1:1 =1 =2", "65535<1:1 =1 =2",
                                         "65536<1:1 =1 =2", "0<1:0 =1 =2", "0<1:2 =1 =2", "0<1:1 =1",
                                         "0<1:1  =1 =2", "0<1:-1 =1 =2", "0<1:4294967297 =1 =2", "=1e999",
                                         "=0x10", "\x01"),
                         [](const auto& each) { return fmt::format("Number{}", each.index); });

TEST(Forest, RejectsValuesThatAreNotFinite) {
  for (const char* line : {"=nan", "=inf", "=-inf", "0<nan:1 =1 =2", "0<inf:1 =1 =2"})
    EXPECT_FALSE(read({line})) << line;
}

}  // namespace
}  // namespace ergon::predict
