#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/naive_join.h"
#include "table/asof_join.h"
#include "table/random_values.h"

namespace ergon::table {
namespace {

using test::NaiveJoin;
__extension__ using Wide = __int128;

template <typename T>
using Optionals = std::vector<std::optional<T>>;

// Few distinct values, so that ties and duplicates are the rule; now and then missing, and sorted half the
// time.
template <typename T>
Optionals<T> random_keys(rc::Gen<T> value) {
  auto drawn =
      *rc::gen::container<std::vector<std::pair<int, T>>>(rc::gen::pair(rc::gen::inRange(0, 9), value));
  if (*rc::gen::arbitrary<bool>()) {
    std::sort(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  }
  Optionals<T> keys;
  for (const auto& [chance, key] : drawn) keys.push_back(chance == 0 ? std::nullopt : std::optional<T>(key));
  return keys;
}

rc::Gen<std::int64_t> whole_key() {
  return rc::gen::weightedOneOf<std::int64_t>(
      {{12, rc::gen::inRange<std::int64_t>(-20, 21)},
       {1, rc::gen::element<std::int64_t>(INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, INT64_MAX)}});
}

// Quarters, so that distances are exact.
rc::Gen<double> number_key() {
  return rc::gen::map(rc::gen::inRange(-40, 41), [](int quarters) { return quarters * 0.25; });
}

// Up to two `by` columns: texts, and whole numbers against fractional ones.
struct RandomGroups {
  Optionals<std::string> left_text, right_text;
  Optionals<std::int64_t> left_number;
  Optionals<double> right_number;
  bool by_text = *rc::gen::arbitrary<bool>();
  bool by_number = *rc::gen::inRange(0, 3) == 0;

  RandomGroups(std::size_t left, std::size_t right)
      : left_text(random_values<std::string>(left, {"a", "b", "", "only left"})),
        right_text(random_values<std::string>(right, {"", "b", "a", "only right"})),
        left_number(random_values<std::int64_t>(left, {0, 1, 2})),
        right_number(random_values<double>(right, {-0.0, 1.0, 1.5, 2.0})) {}

  bool same(std::size_t l, std::size_t r) const {
    if (by_text && !(left_text[l] && right_text[r] && *left_text[l] == *right_text[r])) return false;
    if (!by_number) return true;
    return left_number[l] && right_number[r] && static_cast<double>(*left_number[l]) == *right_number[r];
  }

  void add_to(Table& left, Table& right, AsofOptions& options) const {
    left.add("node", Column::of(left_text));
    right.add("host", Column::of(right_text));
    left.add("gpu", Column::of(left_number));
    right.add("gpu", Column::of(right_number));
    if (by_text) options.by.emplace_back("node", "host");
    if (by_number) options.by.emplace_back("gpu", "gpu");
  }
};

AsofDirection random_direction() {
  return *rc::gen::element(AsofDirection::backward, AsofDirection::forward, AsofDirection::nearest);
}

template <typename Key, typename Distance>
void expect_agreement(Table& left, Table& right, AsofOptions options, NaiveJoin<Key, Distance> naive) {
  const RandomGroups groups(naive.left.size(), naive.right.size());
  groups.add_to(left, right, options);
  options.left_on = "t";
  options.right_on = "t";
  options.direction = random_direction();
  naive.same_group = [&](std::size_t l, std::size_t r) { return groups.same(l, r); };

  const auto match = asof_match(left, right, options);
  if (!match) RC_FAIL(match.error().message);
  const std::vector<std::size_t> expected = naive.match(options.direction);
  RC_ASSERT(match->right_row == expected);
  RC_ASSERT(match->unmatched ==
            static_cast<std::size_t>(std::count(expected.begin(), expected.end(), kNoRow)));

  const auto joined = asof_join(left, right, options);
  if (!joined) RC_FAIL(joined.error().message);
  RC_ASSERT(joined->unmatched == match->unmatched);
  RC_ASSERT(joined->table.rows() == left.rows());
  const Column& key = **joined->table.column("t_right");
  for (std::size_t row = 0; row < expected.size(); ++row) {
    RC_ASSERT(key.missing(row) == (expected[row] == kNoRow));
    if (!key.missing(row)) RC_ASSERT(key.cell(row) == (*right.column("t"))->cell(expected[row]));
  }
}

RC_GTEST_PROP(AsofJoinProperty, TimesMatchAsTheNaiveJoinMatchesThem, ()) {
  NaiveJoin<std::int64_t, Wide> naive{.left = random_keys(whole_key()), .right = random_keys(whole_key())};
  AsofOptions options;
  if (*rc::gen::arbitrary<bool>()) {
    naive.tolerance = *rc::gen::inRange<std::int64_t>(0, 12);
    options.time_tolerance = Seconds{static_cast<double>(*naive.tolerance) * 1e-9};
  }
  const auto times = [](const Optionals<std::int64_t>& keys) {
    Optionals<Timestamp> column;
    for (const auto& key : keys) column.push_back(key ? std::optional(Timestamp{*key}) : std::nullopt);
    return Column::of(column);
  };
  Table left, right;
  left.add("t", times(naive.left));
  right.add("t", times(naive.right));
  expect_agreement(left, right, options, naive);
}

RC_GTEST_PROP(AsofJoinProperty, WholeNumbersMatchAsTheNaiveJoinMatchesThem, ()) {
  NaiveJoin<std::int64_t, Wide> naive{.left = random_keys(whole_key()), .right = random_keys(whole_key())};
  AsofOptions options;
  if (*rc::gen::arbitrary<bool>()) {
    // Whole numbers are apart by whole numbers: half a unit more changes nothing.
    naive.tolerance = *rc::gen::inRange<std::int64_t>(0, 12);
    options.number_tolerance = static_cast<double>(*naive.tolerance) + *rc::gen::element(0.0, 0.5);
  }
  Table left, right;
  left.add("t", Column::of(naive.left));
  right.add("t", Column::of(naive.right));
  expect_agreement(left, right, options, naive);
}

RC_GTEST_PROP(AsofJoinProperty, NumbersMatchAsTheNaiveJoinMatchesThem, ()) {
  NaiveJoin<double, double> naive{.left = random_keys(number_key()), .right = random_keys(number_key())};
  AsofOptions options;
  if (*rc::gen::arbitrary<bool>()) {
    naive.tolerance = *rc::gen::inRange(0, 12) * 0.25;
    options.number_tolerance = naive.tolerance;
  }
  Table left, right;
  left.add("t", Column::of(naive.left));
  right.add("t", Column::of(naive.right));
  expect_agreement(left, right, options, naive);
}

RC_GTEST_PROP(AsofJoinProperty, WholeNumbersMatchFractionalOnes, ()) {
  const auto whole = random_keys(rc::gen::inRange<std::int64_t>(-9, 10));
  NaiveJoin<double, double> naive{.left = {}, .right = random_keys(number_key())};
  for (const auto& key : whole) {
    naive.left.push_back(key ? std::optional(static_cast<double>(*key)) : std::nullopt);
  }
  Table left, right;
  left.add("t", Column::of(whole));
  right.add("t", Column::of(naive.right));
  expect_agreement(left, right, AsofOptions{}, naive);
}

}  // namespace
}  // namespace ergon::table
