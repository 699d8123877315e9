#include <bit>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "table/csv/read.h"
#include "table/csv/write.h"

namespace ergon::table {
namespace {

template <typename T>
rc::Gen<std::vector<std::optional<T>>> values_of(std::size_t rows, rc::Gen<T> value) {
  return rc::gen::container<std::vector<std::optional<T>>>(
      rows,
      rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 4), std::move(value)), [](std::pair<int, T> drawn) {
        return drawn.first == 0 ? std::optional<T>() : std::optional<T>(std::move(drawn.second));
      }));
}

rc::Gen<std::int64_t> whole_number() {
  return rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(),
                        rc::gen::element<std::int64_t>(INT64_MIN, INT64_MAX, 0, -1, 7));
}

// Any bits that are a number.
rc::Gen<double> number() {
  return rc::gen::suchThat(rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                                        [](std::uint64_t bits) { return std::bit_cast<double>(bits); }),
                           [](double value) { return value - value == 0; });
}

// The years that a Timestamp is good for.
rc::Gen<Timestamp> moment() {
  const std::int64_t first = parse_timestamp("1678-01-01")->ns;
  const std::int64_t last = parse_timestamp("2261-12-31T23:59:59.999999999Z")->ns;
  // As unsigned numbers, because the whole range is wider than 63 bits.
  const auto begin = static_cast<std::uint64_t>(first);
  const auto width = static_cast<std::uint64_t>(last) - begin;
  const auto any = rc::gen::map(rc::gen::inRange<std::uint64_t>(0, width), [=](std::uint64_t ns) {
    return Timestamp{static_cast<std::int64_t>(begin + ns)};
  });
  const auto round = rc::gen::map(rc::gen::inRange<std::int64_t>(-9'000'000, 9'000'000),
                                  [](std::int64_t ms) { return Timestamp{ms * 1'000'000}; });
  return rc::gen::oneOf(any, round,
                        rc::gen::element(Timestamp{first}, Timestamp{last}, Timestamp{0}, Timestamp{-1}));
}

rc::Gen<std::string> text() {
  const auto letters = rc::gen::container<std::string>(
      rc::gen::element('a', 'b', '0', ',', ';', '"', '\n', '\r', ' ', '\t', '\xc3', '\x01', '-'));
  return rc::gen::oneOf(letters,
                        rc::gen::element<std::string>("", "NA", "null", "007", "1", "\"", "\r", " x "));
}

Column random_column(Type type, std::size_t rows) {
  switch (type) {
    case Type::int64:
      return Column::of(*values_of(rows, whole_number()));
    case Type::float64:
      return Column::of(*values_of(rows, number()));
    case Type::timestamp:
      return Column::of(*values_of(rows, moment()));
    case Type::text:
      return Column::of(*values_of(rows, text()));
  }
  return Column(Values<double>{});
}

bool equal_at(const Column& a, const Column& b, std::size_t row) {
  if (a.missing(row) || b.missing(row)) return a.missing(row) && b.missing(row);
  switch (a.type()) {
    case Type::int64:
      return a.int64s()[row] == b.int64s()[row];
    case Type::float64:
      return std::bit_cast<std::uint64_t>(a.float64s()[row]) ==
             std::bit_cast<std::uint64_t>(b.float64s()[row]);
    case Type::timestamp:
      return a.timestamps()[row] == b.timestamps()[row];
    case Type::text:
      return a.text_at(row) == b.text_at(row);
  }
  return false;
}

RC_GTEST_PROP(CsvWriteProperty, WhatIsWrittenReadsBackTheSame, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 5);
  const auto rows = *rc::gen::inRange<std::size_t>(0, 30);
  Table table;
  CsvOptions options;
  options.rows_required = false;
  options.piece_size = *rc::gen::inRange<std::size_t>(1, 200);
  options.threads = *rc::gen::inRange<std::size_t>(1, 4);
  for (std::size_t i = 0; i < columns; ++i) {
    const Type type = *rc::gen::element(Type::int64, Type::float64, Type::timestamp, Type::text);
    const auto name =
        *rc::gen::element<std::string>("plain", "with,comma", "with \"quotes\"", "with\nline", "\xc3\xa9");
    const std::string unique = name + std::to_string(i);
    table.add(unique, random_column(type, rows));
    options.types[unique] = type;
  }

  std::string written;
  const auto done = write_csv(table, [&](std::string_view more) {
    written += more;
    return Result<>{};
  });
  RC_ASSERT(static_cast<bool>(done));
  RC_LOG() << "written: " << rc::toString(written) << std::endl;
  const auto read = parse_csv(written, "written", options);
  if (!read) RC_FAIL(read.error().message);
  RC_ASSERT(std::vector(read->table.names().begin(), read->table.names().end()) ==
            std::vector(table.names().begin(), table.names().end()));
  RC_ASSERT(read->table.rows() == rows);
  for (std::size_t i = 0; i < columns; ++i) {
    RC_ASSERT(read->table.columns()[i].type() == table.columns()[i].type());
    for (std::size_t row = 0; row < rows; ++row) {
      RC_ASSERT(equal_at(read->table.columns()[i], table.columns()[i], row));
    }
  }
}

}  // namespace
}  // namespace ergon::table
