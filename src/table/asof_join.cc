#include "table/asof_join.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "table/grouping.h"

// Both tables are visited in the order of their keys (sorted by index if necessary). In ascending order, the
// last right row of each group is the backward match of the next left row of that group. In descending order,
// the last right row is the forward match. Nearest compares the two. One pass each, for any number of groups.

namespace ergon::table {
namespace {

// Distances between 64-bit keys can be wider than 64 signed bits, never than 64 unsigned ones.
std::uint64_t distance(std::int64_t low, std::int64_t high) {
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}
double distance(double low, double high) { return high - low; }

// The keys of one table with the rows that have one, in ascending order; equal keys stay in table order.
template <typename Key>
struct OrderedKeys {
  std::vector<Key> keys;           // by row
  std::vector<std::size_t> order;  // rows that have a key and a group

  template <typename KeyAt>
  OrderedKeys(const Column& column, const std::vector<GroupId>& groups, KeyAt key_at) {
    keys.reserve(column.size());
    for (std::size_t row = 0; row < column.size(); ++row) {
      keys.push_back(column.missing(row) ? Key{} : key_at(column, row));
      if (!column.missing(row) && groups[row] != kNoGroup) order.push_back(row);
    }
    const auto before = [this](std::size_t a, std::size_t b) { return keys[a] < keys[b]; };
    if (!std::is_sorted(order.begin(), order.end(), before))
      std::stable_sort(order.begin(), order.end(), before);
  }
};

template <typename Key>
class Matcher {
 public:
  using Distance = decltype(distance(Key{}, Key{}));

  Matcher(const OrderedKeys<Key>& left, const OrderedKeys<Key>& right, const SharedGroups& groups,
          Distance tolerance)
      : left_(left), right_(right), groups_(groups), tolerance_(tolerance) {}

  std::vector<std::size_t> backward() const {
    std::vector<std::size_t> match(left_.keys.size(), kNoRow);
    std::vector<std::size_t> last(groups_.count, kNoRow);
    std::size_t next = 0;
    for (const std::size_t row : left_.order) {
      for (; next < right_.order.size() && right_.keys[right_.order[next]] <= left_.keys[row]; ++next) {
        last[groups_.right[right_.order[next]]] = right_.order[next];
      }
      const std::size_t candidate = last[groups_.left[row]];
      if (candidate != kNoRow && distance(right_.keys[candidate], left_.keys[row]) <= tolerance_) {
        match[row] = candidate;
      }
    }
    return match;
  }

  std::vector<std::size_t> forward() const {
    std::vector<std::size_t> match(left_.keys.size(), kNoRow);
    std::vector<std::size_t> first(groups_.count, kNoRow);
    std::size_t left_over = right_.order.size();
    for (std::size_t i = left_.order.size(); i-- > 0;) {
      const std::size_t row = left_.order[i];
      for (; left_over > 0 && right_.keys[right_.order[left_over - 1]] >= left_.keys[row]; --left_over) {
        first[groups_.right[right_.order[left_over - 1]]] = right_.order[left_over - 1];
      }
      const std::size_t candidate = first[groups_.left[row]];
      if (candidate != kNoRow && distance(left_.keys[row], right_.keys[candidate]) <= tolerance_) {
        match[row] = candidate;
      }
    }
    return match;
  }

  std::vector<std::size_t> nearest() const {
    std::vector<std::size_t> match = backward();
    const std::vector<std::size_t> later = forward();
    for (std::size_t row = 0; row < match.size(); ++row) {
      if (later[row] == kNoRow) continue;
      if (match[row] == kNoRow || distance(left_.keys[row], right_.keys[later[row]]) <
                                      distance(right_.keys[match[row]], left_.keys[row])) {
        match[row] = later[row];
      }
    }
    return match;
  }

  AsofMatch match(AsofDirection direction) const {
    AsofMatch result;
    switch (direction) {
      case AsofDirection::backward:
        result.right_row = backward();
        break;
      case AsofDirection::forward:
        result.right_row = forward();
        break;
      case AsofDirection::nearest:
        result.right_row = nearest();
        break;
    }
    result.unmatched =
        static_cast<std::size_t>(std::count(result.right_row.begin(), result.right_row.end(), kNoRow));
    return result;
  }

 private:
  const OrderedKeys<Key>& left_;
  const OrderedKeys<Key>& right_;
  const SharedGroups& groups_;
  Distance tolerance_;
};

template <typename Key, typename KeyAt, typename Distance>
AsofMatch match_keys(const Column& left, const Column& right, const SharedGroups& groups,
                     AsofDirection direction, Distance tolerance, KeyAt key_at) {
  const OrderedKeys<Key> left_keys(left, groups.left, key_at);
  const OrderedKeys<Key> right_keys(right, groups.right, key_at);
  return Matcher<Key>(left_keys, right_keys, groups, tolerance).match(direction);
}

}  // namespace

std::string_view name_of(AsofDirection direction) {
  constexpr std::array<std::string_view, 3> kDirectionNames = {"backward", "forward", "nearest"};
  return kDirectionNames[static_cast<std::size_t>(direction)];
}

std::pair<std::string, std::string> parse_column_pair(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return {std::string(text), std::string(text)};
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Result<AsofMatch> asof_match(const Table& left, const Table& right, const AsofOptions& options) {
  const auto left_key = left.column(options.left_on);
  if (!left_key) return left_key.error().in(options.left_name);
  const auto right_key = right.column(options.right_on);
  if (!right_key) return right_key.error().in(options.right_name);
  const bool times = (*left_key)->type() == Type::timestamp && (*right_key)->type() == Type::timestamp;
  const bool numbers = (*left_key)->numeric() && (*right_key)->numeric();
  if (!times && !numbers) {
    return fail(
        Errc::invalid_input,
        "column \"{}\" holds {} values and column \"{}\" {} values; both must be times, or both numbers",
        options.left_on, name_of((*left_key)->type()), options.right_on, name_of((*right_key)->type()));
  }
  if (times && options.number_tolerance)
    return fail(Errc::invalid_input, "the tolerance between two times is a time");
  if (numbers && options.time_tolerance)
    return fail(Errc::invalid_input, "the tolerance between two numbers is a number");
  const double tolerance =
      times ? options.time_tolerance.value_or(Seconds{}).si() : options.number_tolerance.value_or(0);
  if (!(tolerance >= 0)) return fail(Errc::invalid_input, "the tolerance is negative");

  std::vector<std::string> left_by, right_by;
  for (const auto& [l, r] : options.by) {
    if (const auto column = left.column(l); !column) return column.error().in(options.left_name);
    if (const auto column = right.column(r); !column) return column.error().in(options.right_name);
    left_by.push_back(l);
    right_by.push_back(r);
  }
  const auto groups = group_rows_alike(left, left_by, right, right_by);
  if (!groups) return groups.error();

  if (times) {
    const double tolerance_ns = std::round(tolerance * 1e9);
    const bool limited = options.time_tolerance && tolerance_ns < 0x1p64;
    return match_keys<std::int64_t>(
        **left_key, **right_key, *groups, options.direction,
        limited ? static_cast<std::uint64_t>(tolerance_ns) : UINT64_MAX,
        [](const Column& column, std::size_t row) { return column.timestamps()[row].ns; });
  }
  const bool whole = (*left_key)->type() == Type::int64 && (*right_key)->type() == Type::int64;
  if (whole) {
    const bool limited = options.number_tolerance && tolerance < 0x1p64;
    return match_keys<std::int64_t>(
        **left_key, **right_key, *groups, options.direction,
        limited ? static_cast<std::uint64_t>(tolerance) : UINT64_MAX,
        [](const Column& column, std::size_t row) { return column.int64s()[row]; });
  }
  return match_keys<double>(**left_key, **right_key, *groups, options.direction,
                            options.number_tolerance.value_or(std::numeric_limits<double>::infinity()),
                            [](const Column& column, std::size_t row) { return column.number_at(row); });
}

Result<AsofJoined> asof_join(const Table& left, const Table& right, const AsofOptions& options) {
  const auto match = asof_match(left, right, options);
  if (!match) return match.error();
  AsofJoined joined{.table = left, .unmatched = match->unmatched};
  for (std::size_t i = 0; i < right.names().size(); ++i) {
    const std::string& name = right.names()[i];
    const bool repeated_key = std::any_of(options.by.begin(), options.by.end(), [&](const auto& pair) {
      return pair.second == name && pair.first == name;
    });
    if (repeated_key) continue;
    std::string shown = name;
    while (joined.table.has(shown)) shown += "_right";
    joined.table.add(shown, right.columns()[i].gather(match->right_row));
  }
  return joined;
}

}  // namespace ergon::table
