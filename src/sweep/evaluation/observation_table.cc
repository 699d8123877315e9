#include "sweep/evaluation/observation_table.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "sweep/evaluation/columns.h"
#include "sweep/evaluation/observations.h"
#include "table/csv/read.h"

namespace ergon::sweep {
namespace {

// Reads the fields of a table.
class ObservationReader {
 public:
  // Errors: a numeric field without any number.
  static Result<ObservationReader> open(const table::Table& table, const FieldSources& sources) {
    ObservationReader cells;
    for (const auto& [field, source] : sources) {
      FieldColumns& columns = cells.fields_[field];
      columns.unit = source.unit;
      for (const std::string& name : source.columns) {
        const auto column = table.column(name);
        if (!column) return column.error();
        columns.columns.push_back(*column);
        if (!name_of_amount(field).empty()) {
          if (const auto checked = check_numbers(**column, name); !checked) return checked.error();
        }
      }
    }
    return cells;
  }

  std::string text(Field field, std::size_t row) const {
    std::string joined;
    const auto columns = fields_.find(field);
    if (columns == fields_.end()) return joined;
    for (const table::Column* column : columns->second.columns) {
      const std::string part = column->cell(row);
      if (!joined.empty() && !part.empty()) joined += ' ';
      joined += part;
    }
    return joined;
  }
  std::optional<double> number(Field field, std::size_t row) const {
    const auto columns = fields_.find(field);
    if (columns == fields_.end()) return std::nullopt;
    const auto number = number_at(*columns->second.columns.front(), row);
    return number ? std::optional(*number * columns->second.unit) : number;
  }
  // The first numeric field of the row with a value that is not a number; "" if there is none.
  std::string_view invalid_number(std::size_t row) const {
    for (const auto& [field, columns] : fields_) {
      const std::string_view name = name_of_amount(field);
      if (name.empty() || columns.columns.front()->numeric()) continue;
      if (!number_at(*columns.columns.front(), row) && !empty(*columns.columns.front(), row)) return name;
    }
    return {};
  }

 private:
  struct FieldColumns {
    std::vector<const table::Column*> columns;
    double unit = 1;
  };

  // Name of a numeric field, for reasons; "" for other fields.
  static std::string_view name_of_amount(Field field) {
    switch (field) {
      case Field::network:
      case Field::device:
      case Field::scenario:
      case Field::valid:
      case Field::reasons:
      case Field::simulated:
        return {};
      case Field::batch:
        return "batch";
      case Field::clock_requested:
      case Field::clock_observed:
        return "clock";
      case Field::time:
        return "time";
      case Field::power_max:
      case Field::power_mean:
        return "power";
      case Field::energy:
        return "energy";
    }
    return {};
  }
  // A column with a cell that is not a number is read as text.
  static std::optional<double> number_at(const table::Column& column, std::size_t row) {
    if (column.missing(row)) return std::nullopt;
    return column.numeric() ? std::optional(column.number_at(row)) : parse_double(trim(column.cell(row)));
  }
  static bool empty(const table::Column& column, std::size_t row) {
    if (column.missing(row)) return true;
    static const std::vector<std::string> words = table::CsvOptions{}.missing_words;
    const std::string cell = column.cell(row);
    return trim(cell).empty() || std::find(words.begin(), words.end(), trim(cell)) != words.end();
  }
  // Errors: the column has values, but no number.
  static Result<> check_numbers(const table::Column& column, const std::string& name) {
    if (column.numeric()) return {};
    std::optional<std::size_t> other;
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (number_at(column, row)) return {};
      if (!other && !empty(column, row)) other = row;
    }
    if (!other) return {};
    return fail(Errc::invalid_input, "column \"{}\" is not numeric; row {} has \"{}\"", printable(name),
                *other + 1, printable(column.cell(*other)));
  }

  std::map<Field, FieldColumns> fields_;
};

bool is_one_of(const std::string& text, std::initializer_list<std::string_view> words) {
  const std::string word = lower(trim(text));
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::int64_t whole(const std::optional<double>& number) {
  constexpr double kMax = 1e15;
  return number && *number > 0 && *number < kMax ? static_cast<std::int64_t>(*number) : 0;
}

std::string excluded_text(const std::map<std::string, std::int64_t>& excluded) {
  std::string text;
  for (const auto& [reason, count] : excluded)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", reason, count);
  return text;
}

}  // namespace

Result<Observations> observations_of(const table::Table& table, const std::vector<std::string>& mappings) {
  const auto sources = field_sources(table.names(), mappings);
  if (!sources) return sources.error();
  const auto cells = ObservationReader::open(table, *sources);
  if (!cells) return cells.error();
  Observations all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    take({.network = cells->text(Field::network, row),
          .device = cells->text(Field::device, row),
          .scenario = cells->text(Field::scenario, row),
          .batch = whole(cells->number(Field::batch, row)),
          .clock_requested_hertz = cells->number(Field::clock_requested, row),
          .clock_observed_hertz = cells->number(Field::clock_observed, row),
          .time_seconds = cells->number(Field::time, row),
          .power_max_watts = cells->number(Field::power_max, row),
          .power_mean_watts = cells->number(Field::power_mean, row),
          .energy_joules = cells->number(Field::energy, row),
          .invalid_number = std::string(cells->invalid_number(row)),
          .valid = !is_one_of(cells->text(Field::valid, row), {"false", "0", "no", "f", "n"}),
          .reasons = cells->text(Field::reasons, row),
          .simulated = is_one_of(cells->text(Field::simulated, row), {"true", "1", "yes", "t", "y"})},
         all);
  }
  if (all.runs.empty()) return fail(Errc::invalid_input, "no valid run: {}", excluded_text(all.excluded));
  std::sort(all.runs.begin(), all.runs.end());
  return all;
}

}  // namespace ergon::sweep
