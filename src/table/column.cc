#include "table/column.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/contract.h"
#include "base/text.h"

namespace ergon::table {
namespace {

constexpr std::array<std::string_view, 4> kTypeNames{"int", "float", "timestamp", "text"};

template <typename T>
Column from_optionals(std::span<const std::optional<T>> given) {
  Values<T> values;
  MissingRows missing;
  for (std::size_t row = 0; row < given.size(); ++row) {
    values.push_back(given[row].value_or(T{}));
    if (!given[row]) missing.mark(row, given.size());
  }
  return Column(std::move(values), std::move(missing));
}

template <typename T>
Values<T> gathered(const Values<T>& values, std::span<const std::size_t> rows) {
  Values<T> result;
  result.reserve(rows.size());
  for (const std::size_t row : rows) result.push_back(row == kNoRow ? T{} : values[row]);
  return result;
}

}  // namespace

std::string_view name_of(Type type) { return kTypeNames[static_cast<std::size_t>(type)]; }

std::optional<Type> type_named(std::string_view name) {
  const auto found = std::find(kTypeNames.begin(), kTypeNames.end(), name);
  if (found == kTypeNames.end()) return std::nullopt;
  return static_cast<Type>(found - kTypeNames.begin());
}

std::size_t MissingRows::count() const {
  std::size_t total = 0;
  for (const std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
  return total;
}

void MissingRows::mark(std::size_t row, std::size_t rows) {
  if (words_.empty()) words_.assign((rows + 63) / 64, 0);
  words_[row / 64] |= std::uint64_t{1} << (row % 64);
}

void MissingRows::settle() {
  const bool none = std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
  if (none) words_ = {};
}

Column::Column(Values<std::int64_t> values, MissingRows missing)
    : values_(std::move(values)), missing_(std::move(missing)) {}
Column::Column(Values<double> values, MissingRows missing)
    : values_(std::move(values)), missing_(std::move(missing)) {}
Column::Column(Values<Timestamp> values, MissingRows missing)
    : values_(std::move(values)), missing_(std::move(missing)) {}
Column::Column(Text values, MissingRows missing) : values_(std::move(values)), missing_(std::move(missing)) {
  ERGON_EXPECTS(text().dictionary != nullptr);
}

Column Column::of(std::span<const std::optional<std::int64_t>> values) { return from_optionals(values); }
Column Column::of(std::span<const std::optional<double>> values) { return from_optionals(values); }
Column Column::of(std::span<const std::optional<Timestamp>> values) { return from_optionals(values); }
Column Column::of(std::span<const std::optional<std::string>> values) {
  auto dictionary = std::make_shared<Dictionary>();
  Values<Code> codes;
  MissingRows missing;
  for (std::size_t row = 0; row < values.size(); ++row) {
    codes.push_back(values[row] ? dictionary->code_of(*values[row]) : Code{0});
    if (!values[row]) missing.mark(row, values.size());
  }
  dictionary->compact();
  return Column(Text{std::move(codes), std::move(dictionary)}, std::move(missing));
}

std::size_t Column::size() const {
  switch (type()) {
    case Type::int64:
      return int64s().size();
    case Type::float64:
      return float64s().size();
    case Type::timestamp:
      return timestamps().size();
    case Type::text:
      return text().codes.size();
  }
  return 0;
}

const Values<std::int64_t>& Column::int64s() const { return std::get<0>(values_); }
const Values<double>& Column::float64s() const { return std::get<1>(values_); }
const Values<Timestamp>& Column::timestamps() const { return std::get<2>(values_); }
const Text& Column::text() const { return std::get<3>(values_); }

double Column::number_at(std::size_t row) const {
  ERGON_EXPECTS(numeric());
  return type() == Type::int64 ? static_cast<double>(int64s()[row]) : float64s()[row];
}

std::vector<double> Column::numbers() const {
  std::vector<double> result;
  if (!numeric()) return result;
  result.reserve(size());
  for (std::size_t row = 0; row < size(); ++row) {
    if (!missing(row)) result.push_back(number_at(row));
  }
  return result;
}

std::string Column::cell(std::size_t row) const {
  if (missing(row)) return "";
  switch (type()) {
    case Type::int64:
      return std::to_string(int64s()[row]);
    case Type::float64:
      return shortest_text(float64s()[row]);
    case Type::timestamp:
      return to_text(timestamps()[row]);
    case Type::text:
      return std::string(text_at(row));
  }
  return "";
}

Column Column::gather(std::span<const std::size_t> rows) const {
  MissingRows missing;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == kNoRow || this->missing(rows[i])) missing.mark(i, rows.size());
  }
  switch (type()) {
    case Type::int64:
      return Column(gathered(int64s(), rows), std::move(missing));
    case Type::float64:
      return Column(gathered(float64s(), rows), std::move(missing));
    case Type::timestamp:
      return Column(gathered(timestamps(), rows), std::move(missing));
    case Type::text:
      break;
  }
  return Column(Text{gathered(text().codes, rows), text().dictionary}, std::move(missing));
}

Bytes Column::memory() const {
  switch (type()) {
    case Type::int64:
      return bytes(int64s().capacity() * sizeof(std::int64_t)) + missing_.memory();
    case Type::float64:
      return bytes(float64s().capacity() * sizeof(double)) + missing_.memory();
    case Type::timestamp:
      return bytes(timestamps().capacity() * sizeof(Timestamp)) + missing_.memory();
    case Type::text:
      break;
  }
  return bytes(text().codes.capacity() * sizeof(Code)) + text().dictionary->memory() + missing_.memory();
}

}  // namespace ergon::table
