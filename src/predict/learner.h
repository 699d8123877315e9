#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "predict/forest.h"

namespace ergon::predict {

// Rows of features beside what they led to.
struct Examples {
  std::size_t width = 0;
  std::vector<float> features;  // row after row
  std::vector<float> answers;
  std::vector<float> weights;  // how much each row counts

  std::size_t rows() const { return answers.size(); }
  void add(std::span<const float> row, double answer, double weight = 1);
};

// How trees are grown: one after the other, each on what the others left (boosted), or side by side on random
// parts of the rows (forest).
enum class Growth : std::uint8_t { boosted, forest };
std::string_view name_of(Growth growth);

struct Recipe {
  Growth growth = Growth::boosted;
  int trees = 250;
  int depth = 6;
  double step = 0.06;  // how much of what is left a tree may explain
  double rows = 0.8;   // the share of rows, and of features, that a tree sees
  double columns = 0.4;
  double least_weight = 2;  // of the rows in a leaf
  std::uint64_t seed = 1;

  static Recipe for_rows(std::size_t rows);
  static Recipe forest_of(int trees);
};

// Whoever grows trees. The answers' median is taken off first and added to the first tree's leaves, so that a
// forest answers by itself.
class Learner {
 public:
  virtual ~Learner() = default;
  // The same examples and recipe give the same forest. Errors: too few examples; numbers that are none.
  virtual Result<Forest> grow(const Examples& examples, const Recipe& recipe) const = 0;
  virtual std::string_view name() const = 0;
};

}  // namespace ergon::predict
