#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/timestamp.h"
#include "base/units.h"
#include "table/dictionary.h"
#include "table/values.h"

namespace ergon::table {

enum class Type { int64, float64, timestamp, text };

std::string_view name_of(Type type);
std::optional<Type> type_named(std::string_view name);

// Which rows have no value: one bit a row, and no memory at all while nothing is missing.
class MissingRows {
 public:
  bool any() const { return !words_.empty(); }
  bool at(std::size_t row) const { return any() && (words_[row / 64] >> (row % 64) & 1) != 0; }
  std::size_t count() const;
  void mark(std::size_t row, std::size_t rows);

  // For readers that fill bits from several threads: one word per 64 rows, and settle() when done.
  std::vector<std::uint64_t>& words() { return words_; }
  void settle();

  Bytes memory() const { return bytes(words_.capacity() * sizeof(std::uint64_t)); }

 private:
  std::vector<std::uint64_t> words_;
};

// No row; where a gather finds it, the value is missing.
inline constexpr std::size_t kNoRow = SIZE_MAX;

struct Text {
  Values<Code> codes;  // of missing rows: anything, not to be looked up
  std::shared_ptr<const Dictionary> dictionary;
};

// One typed column. Values of missing rows are present in the arrays but mean nothing; the others are finite.
class Column {
 public:
  explicit Column(Values<std::int64_t> values, MissingRows missing = {});
  explicit Column(Values<double> values, MissingRows missing = {});
  explicit Column(Values<Timestamp> values, MissingRows missing = {});
  explicit Column(Text values, MissingRows missing = {});

  // For tests and small results: an absent value is a missing one.
  static Column of(std::span<const std::optional<std::int64_t>> values);
  static Column of(std::span<const std::optional<double>> values);
  static Column of(std::span<const std::optional<Timestamp>> values);
  static Column of(std::span<const std::optional<std::string>> values);

  Type type() const { return static_cast<Type>(values_.index()); }
  std::size_t size() const;
  bool missing(std::size_t row) const { return missing_.at(row); }
  const MissingRows& missing_rows() const { return missing_; }

  // Contract: the column has this type.
  const Values<std::int64_t>& int64s() const;
  const Values<double>& float64s() const;
  const Values<Timestamp>& timestamps() const;
  const Text& text() const;
  std::string_view text_at(std::size_t row) const { return text().dictionary->at(text().codes[row]); }

  // int64 and float64 columns as numbers, missing rows left out; empty for the other types.
  std::vector<double> numbers() const;
  bool numeric() const { return type() == Type::int64 || type() == Type::float64; }
  // Contract: numeric, and the row is not missing.
  double number_at(std::size_t row) const;

  // The value as it is written to a file; "" if missing.
  std::string cell(std::size_t row) const;

  // The given rows in the given order; kNoRow gives a missing value.
  Column gather(std::span<const std::size_t> rows) const;

  Bytes memory() const;

 private:
  std::variant<Values<std::int64_t>, Values<double>, Values<Timestamp>, Text> values_;
  MissingRows missing_;
};

}  // namespace ergon::table
