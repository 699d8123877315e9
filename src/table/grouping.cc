#include "table/grouping.h"

#include <bit>
#include <unordered_map>

// Keys are combined one column at a time: the group so far and the value of the column identify the next
// group. Maps a value to 64 bits that are equal exactly if the values are.

namespace ergon::table {
namespace {

struct GroupAndValue {
  GroupId group;
  std::uint64_t value;
  bool missing;
  friend bool operator==(const GroupAndValue&, const GroupAndValue&) = default;
};

struct Hash {
  std::size_t operator()(const GroupAndValue& key) const {
    std::uint64_t h = key.value * 0x9E3779B97F4A7C15 + key.group + (key.missing ? 0x5851F42D4C957F2D : 0);
    h ^= h >> 32;
    return h * 0xD6E8FEB86659FD93;
  }
};

// Gives equal values equal bits, across several columns of one kind.
class ValueBits {
 public:
  explicit ValueBits(bool as_float) : as_float_(as_float) {}

  // The bits of every row; missing rows hold anything.
  std::vector<std::uint64_t> of(const Column& column) {
    std::vector<std::uint64_t> bits(column.size());
    if (column.type() == Type::text) {
      std::vector<Code> shared;
      for (Code code = 0; code < column.text().dictionary->size(); ++code) {
        shared.push_back(texts_.code_of(column.text().dictionary->at(code)));
      }
      for (std::size_t row = 0; row < bits.size(); ++row) {
        if (!column.missing(row)) bits[row] = shared[column.text().codes[row]];
      }
    } else if (column.type() == Type::timestamp) {
      for (std::size_t row = 0; row < bits.size(); ++row) {
        bits[row] = static_cast<std::uint64_t>(column.timestamps()[row].ns);
      }
    } else {
      for (std::size_t row = 0; row < bits.size(); ++row) bits[row] = number_bits(column, row);
    }
    return bits;
  }

 private:
  std::uint64_t number_bits(const Column& column, std::size_t row) const {
    if (!as_float_) return static_cast<std::uint64_t>(column.int64s()[row]);
    const double number =
        column.type() == Type::int64 ? static_cast<double>(column.int64s()[row]) : column.float64s()[row];
    return std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number);  // -0 is 0
  }

  bool as_float_;
  Dictionary texts_;
};

class Folding {
 public:
  // Replaces the group of every row by that of (group, value). A missing value gives kNoGroup or a group of
  // its own.
  void fold(std::vector<GroupId>& groups, const Column& column, const std::vector<std::uint64_t>& bits,
            bool missing_is_a_key) {
    for (std::size_t row = 0; row < groups.size(); ++row) {
      if (groups[row] == kNoGroup) continue;
      const bool missing = column.missing(row);
      if (missing && !missing_is_a_key) {
        groups[row] = kNoGroup;
        continue;
      }
      const GroupAndValue key{groups[row], missing ? 0 : bits[row], missing};
      groups[row] = known_.try_emplace(key, static_cast<GroupId>(known_.size())).first->second;
    }
  }
  std::size_t count() const { return known_.size(); }

 private:
  std::unordered_map<GroupAndValue, GroupId, Hash> known_;
};

bool any_float(const Column& a, const Column& b) {
  return a.type() == Type::float64 || b.type() == Type::float64;
}

}  // namespace

Result<Grouping> group_rows(const Table& table, std::span<const std::string> keys) {
  Grouping grouping;
  grouping.group_of_row.assign(table.rows(), 0);
  std::size_t count = table.rows() > 0 ? 1 : 0;
  for (const std::string& key : keys) {
    const auto column = table.column(key);
    if (!column) return column.error();
    Folding folding;
    ValueBits bits(any_float(**column, **column));
    folding.fold(grouping.group_of_row, **column, bits.of(**column), true);
    count = folding.count();
  }
  grouping.first_row.assign(count, kNoRow);
  for (std::size_t row = table.rows(); row-- > 0;) grouping.first_row[grouping.group_of_row[row]] = row;
  return grouping;
}

Result<SharedGroups> group_rows_alike(const Table& left, std::span<const std::string> left_keys,
                                      const Table& right, std::span<const std::string> right_keys) {
  ERGON_EXPECTS(left_keys.size() == right_keys.size());
  SharedGroups groups{std::vector<GroupId>(left.rows(), 0), std::vector<GroupId>(right.rows(), 0), 1};
  for (std::size_t i = 0; i < left_keys.size(); ++i) {
    const auto a = left.column(left_keys[i]);
    if (!a) return a.error();
    const auto b = right.column(right_keys[i]);
    if (!b) return b.error();
    const bool comparable = (*a)->type() == (*b)->type() || ((*a)->numeric() && (*b)->numeric());
    if (!comparable) {
      return fail(Errc::invalid_input,
                  "column \"{}\" holds {} values and column \"{}\" {} values: they never match", left_keys[i],
                  name_of((*a)->type()), right_keys[i], name_of((*b)->type()));
    }
    Folding folding;
    ValueBits bits(any_float(**a, **b));
    folding.fold(groups.left, **a, bits.of(**a), false);
    folding.fold(groups.right, **b, bits.of(**b), false);
    groups.count = folding.count();
  }
  return groups;
}

}  // namespace ergon::table
