#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/naive_group_by.h"
#include "table/group_by.h"
#include "table/random_values.h"

namespace ergon::table {
namespace {

using Rows = std::vector<std::size_t>;
template <typename T>
using Optionals = std::vector<std::optional<T>>;

Table random_table() {
  const auto rows = *rc::gen::inRange<std::size_t>(0, 60);
  Table table;
  table.add("text", Column::of(random_values<std::string>(rows, {"a", "b", "", "missing"})));
  table.add("whole",
            Column::of(random_values<std::int64_t>(rows, {0, 1, -1, INT64_MAX / 64, INT64_MIN / 64})));
  table.add("number", Column::of(random_values<double>(rows, {0.0, -0.0, 0.25, -7.5, 1024.0})));
  table.add("time", Column::of(random_values<Timestamp>(rows, {Timestamp{0}, Timestamp{-1}, Timestamp{5}})));
  return table;
}

std::vector<std::string> random_keys() {
  std::vector<std::string> keys;
  for (const char* name : {"text", "whole", "number", "time"}) {
    if (*rc::gen::inRange(0, 3) == 0) keys.emplace_back(name);
  }
  if (keys.size() == 2 && *rc::gen::arbitrary<bool>()) std::swap(keys[0], keys[1]);
  return keys;
}

Column aggregated(const Table& table, const std::vector<std::string>& keys, Aggregate what,
                  const std::string& of) {
  const Aggregation wanted[] = {{what, of, "result"}};
  const auto result = group_by(table, keys, wanted);
  if (!result) RC_FAIL(result.error().message);
  return **result->column("result");
}

bool less(const Column& column, std::size_t a, std::size_t b) {
  if (column.type() == Type::text) return column.text_at(a) < column.text_at(b);
  if (column.type() == Type::timestamp) return column.timestamps()[a] < column.timestamps()[b];
  if (column.type() == Type::int64) return column.int64s()[a] < column.int64s()[b];
  return column.float64s()[a] < column.float64s()[b];
}

RC_GTEST_PROP(GroupByProperty, OneRowForEachCombinationOfKeysInOrderOfAppearance, ()) {
  const Table table = random_table();
  const auto keys = random_keys();
  const auto groups = test::naive_groups(table, keys);
  const auto result = group_by(table, keys, {});
  if (!result) RC_FAIL(result.error().message);
  RC_ASSERT(std::vector(result->names().begin(), result->names().end()) == keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Column& original = **table.column(keys[i]);
    const Column& key = result->columns()[i];
    RC_ASSERT(key.type() == original.type());
    RC_ASSERT(key.size() == groups.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
      RC_ASSERT(key.missing(group) == original.missing(groups[group][0]));
      RC_ASSERT(key.cell(group) == original.cell(groups[group][0]));
    }
  }
}

RC_GTEST_PROP(GroupByProperty, CountsAreTheSizesOfTheGroups, ()) {
  const Table table = random_table();
  const auto keys = random_keys();
  const auto groups = test::naive_groups(table, keys);
  const auto of = *rc::gen::element<std::string>("", "text", "whole", "number", "time");
  const Column counts = aggregated(table, keys, Aggregate::count, of);
  RC_ASSERT(counts.size() == groups.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto expected =
        of.empty() ? groups[group].size() : test::rows_with_a_value(**table.column(of), groups[group]).size();
    RC_ASSERT(!counts.missing(group));
    RC_ASSERT(counts.int64s()[group] == static_cast<std::int64_t>(expected));
  }
}

RC_GTEST_PROP(GroupByProperty, FirstLastMinAndMaxAreValuesOfTheGroup, ()) {
  const Table table = random_table();
  const auto keys = random_keys();
  const auto groups = test::naive_groups(table, keys);
  const Column& column = **table.column(*rc::gen::element<std::string>("text", "whole", "number", "time"));
  const std::string name = table.names()[static_cast<std::size_t>(&column - table.columns().data())];
  const auto what = *rc::gen::element(Aggregate::first, Aggregate::last, Aggregate::min, Aggregate::max);
  const Column results = aggregated(table, keys, what, name);
  RC_ASSERT(results.size() == groups.size());
  RC_ASSERT(results.type() == column.type());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const Rows rows = test::rows_with_a_value(column, groups[group]);
    RC_ASSERT(results.missing(group) == rows.empty());
    if (rows.empty()) continue;
    std::size_t best = what == Aggregate::last ? rows.back() : rows.front();
    for (const std::size_t row : rows) {
      if (what == Aggregate::min && less(column, row, best)) best = row;
      if (what == Aggregate::max && less(column, best, row)) best = row;
    }
    const bool zero = column.type() == Type::float64 && column.float64s()[best] == 0;
    RC_ASSERT((zero ? results.float64s()[group] == 0 : results.cell(group) == column.cell(best)));
  }
}

RC_GTEST_PROP(GroupByProperty, DistinctCountsDifferentValues, ()) {
  const Table table = random_table();
  const auto keys = random_keys();
  const auto groups = test::naive_groups(table, keys);
  const auto of = *rc::gen::element<std::string>("text", "whole", "number", "time");
  const Column& column = **table.column(of);
  const Column results = aggregated(table, keys, Aggregate::distinct, of);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    std::set<std::string> different;
    for (const std::size_t row : test::rows_with_a_value(column, groups[group])) {
      const std::string cell = column.cell(row);
      different.insert(column.numeric() && cell == "-0" ? "0" : cell);
    }
    RC_ASSERT(results.int64s()[group] == static_cast<std::int64_t>(different.size()));
  }
}

RC_GTEST_PROP(GroupByProperty, SumsOfWholeNumbersAreExact, ()) {
  const Table table = random_table();
  const auto keys = random_keys();
  const auto groups = test::naive_groups(table, keys);
  const Column& column = **table.column("whole");
  const Column sums = aggregated(table, keys, Aggregate::sum, "whole");
  RC_ASSERT(sums.type() == Type::int64);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const Rows rows = test::rows_with_a_value(column, groups[group]);
    std::int64_t sum = 0;
    for (const std::size_t row : rows) sum += column.int64s()[row];
    RC_ASSERT(sums.missing(group) == rows.empty());
    if (!rows.empty()) RC_ASSERT(sums.int64s()[group] == sum);
  }
}

RC_GTEST_PROP(GroupByProperty, MomentsFollowTheirDefinitions, ()) {
  const Table table = random_table();
  const auto keys = random_keys();
  const auto groups = test::naive_groups(table, keys);
  const Column& column = **table.column("number");
  const Column sums = aggregated(table, keys, Aggregate::sum, "number");
  const Column means = aggregated(table, keys, Aggregate::mean, "number");
  const Column deviations = aggregated(table, keys, Aggregate::deviation, "number");
  const Column medians = aggregated(table, keys, Aggregate::median, "number");
  for (std::size_t group = 0; group < groups.size(); ++group) {
    std::vector<double> numbers;
    for (const std::size_t row : test::rows_with_a_value(column, groups[group])) {
      numbers.push_back(column.float64s()[row]);
    }
    RC_ASSERT(sums.missing(group) == numbers.empty());
    RC_ASSERT(means.missing(group) == numbers.empty());
    RC_ASSERT(medians.missing(group) == numbers.empty());
    RC_ASSERT(deviations.missing(group) == (numbers.size() < 2));
    if (numbers.empty()) continue;
    const auto n = static_cast<double>(numbers.size());
    double sum = 0;
    for (const double number : numbers) sum += number;  // exact: all are quarters
    RC_ASSERT(sums.float64s()[group] == sum);
    RC_ASSERT(means.float64s()[group] == sum / n);
    double squares = 0;
    for (const double number : numbers) squares += (number - sum / n) * (number - sum / n);
    if (numbers.size() > 1) {
      RC_ASSERT(std::abs(deviations.float64s()[group] - std::sqrt(squares / (n - 1))) <= 1e-9);
    }
    std::sort(numbers.begin(), numbers.end());
    const double median = (numbers[(numbers.size() - 1) / 2] + numbers[numbers.size() / 2]) / 2;
    RC_ASSERT(std::abs(medians.float64s()[group] - median) <= 1e-9);
  }
}

}  // namespace
}  // namespace ergon::table
