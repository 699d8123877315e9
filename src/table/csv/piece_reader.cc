#include "table/csv/piece_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::table::csv {
namespace {

std::string_view noun(Type type) {
  switch (type) {
    case Type::int64:
      return "a whole number";
    case Type::float64:
      return "a number";
    case Type::timestamp:
      return "a time such as 2018-11-08T07:41:31.055Z";
    case Type::text:
      return "text";
  }
  return "";
}

}  // namespace

PieceReader::PieceReader(std::string_view text, const CsvOptions& options,
                         const std::vector<ColumnBuilder*>& builders, std::size_t first_row,
                         std::size_t worker)
    : text_(text), options_(options), builders_(builders), row_(first_row) {
  words_first_ = std::any_of(options.missing_words.begin(), options.missing_words.end(),
                             [](const std::string& word) { return narrowest_type(word) != Type::text; });
  outcome_.worker = worker;
}

bool PieceReader::operator()(const RawField& field, bool ends_row) {
  const bool nothing_on_the_line = ends_row && column_ == 0 && field.text.empty() && builders_.size() > 1;
  if (nothing_on_the_line) {
    ++outcome_.notes.blank_lines;
    return true;
  }
  if (column_ < builders_.size()) {
    if (!store(field)) return false;
  } else if (field.quotes > 0 && !quote_fault(field).empty()) {
    return fault_at(field, std::nullopt, std::string(quote_fault(field)));
  }
  ++column_;
  return !ends_row || end_row(field);
}

bool PieceReader::store(const RawField& field) {
  const auto value = field_value(field, scratch_);
  if (!value) return fault_at(field, column_, std::string(quote_fault(field)));
  ColumnBuilder* const builder = builders_[column_];
  if (builder == nullptr) return true;
  store_value(*builder, *value, field.quoted());
  if (!misfit_) return true;
  return fault_at(field, column_, std::move(*misfit_));
}

void PieceReader::store_value(ColumnBuilder& builder, std::string_view value, bool quoted) {
  if (value.empty() && !quoted) return builder.put_missing(row_);
  const KnownType type = builder.type();
  if (type == Type::text) {
    builder.put(row_, value, outcome_.worker);
    return;
  }
  value = without_blanks(value);
  if (words_first_ && means_missing(value, options_.missing_words)) return builder.put_missing(row_);
  if (builder.put(row_, value, outcome_.worker)) return;
  if (means_missing(value, options_.missing_words)) return builder.put_missing(row_);
  if (builder.inferred()) {
    outcome_.wider[column_] = join(outcome_.wider[column_], narrowest_type(value));
  } else {
    misfit_ = fmt::format("\"{}\" is not {}", printable(value, 40), noun(*type));
  }
}

bool PieceReader::end_row(const RawField& last) {
  const std::size_t fields = column_;
  const std::size_t wanted = builders_.size();
  if (fields != wanted && options_.ragged == RaggedRows::reject) {
    return fault_at(last, std::nullopt,
                    fmt::format("has {}, and the header has {}", counted(fields, "field"), wanted));
  }
  if (fields < wanted) ++outcome_.notes.padded_rows;
  if (fields > wanted) outcome_.notes.dropped_fields += fields - wanted;
  for (std::size_t column = fields; column < wanted; ++column) {
    if (builders_[column] != nullptr) builders_[column]->put_missing(row_);
  }
  ++row_;
  ++outcome_.rows;
  column_ = 0;
  return true;
}

bool PieceReader::fault_at(const RawField& field, std::optional<std::size_t> column, std::string message) {
  outcome_.fault =
      Fault{static_cast<std::size_t>(field.text.data() - text_.data()), column, std::move(message)};
  return false;
}

}  // namespace ergon::table::csv
