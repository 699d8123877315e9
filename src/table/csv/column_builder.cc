#include "table/csv/column_builder.h"

#include <algorithm>
#include <atomic>

#include "base/parallel.h"
#include "base/text.h"

namespace ergon::table::csv {
namespace {

template <typename T>
void close_gaps(Values<T>& values, std::span<const FilledRun> runs) {
  std::size_t to = 0;
  for (const FilledRun& run : runs) {
    if (to != run.first_row) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(run.first_row), run.rows,
                  values.begin() + static_cast<std::ptrdiff_t>(to));
    }
    to += run.rows;
  }
  if (to == values.size()) return;
  values.resize(to);
  values.shrink_to_fit();
}

MissingRows without_gaps(const MissingRows& missing, std::span<const FilledRun> runs, std::size_t rows) {
  MissingRows result;
  std::size_t to = 0;
  for (const FilledRun& run : runs) {
    for (std::size_t row = run.first_row; row < run.first_row + run.rows; ++row, ++to) {
      if (missing.at(row)) result.mark(to, rows);
    }
  }
  return result;
}

}  // namespace

ColumnBuilder::ColumnBuilder(KnownType type, bool inferred, std::size_t rows, std::size_t workers)
    : type_(type), inferred_(inferred), rows_(rows) {
  missing_.words().assign((rows + 63) / 64, 0);
  if (!type) return;
  switch (*type) {
    case Type::int64:
      int64s_.resize(rows);
      break;
    case Type::float64:
      float64s_.resize(rows);
      break;
    case Type::timestamp:
      timestamps_.resize(rows);
      break;
    case Type::text:
      codes_.resize(rows);
      texts_.resize(workers);
      break;
  }
}

void ColumnBuilder::put_missing(std::size_t row) {
  // Adjacent rows of two workers may share a word of the mask.
  std::atomic_ref<std::uint64_t> word(missing_.words()[row / 64]);
  word.fetch_or(std::uint64_t{1} << (row % 64), std::memory_order_relaxed);
}

bool ColumnBuilder::put(std::size_t row, std::string_view value, std::size_t worker) {
  if (!type_) return false;
  switch (*type_) {
    case Type::int64: {
      const auto number = inferred_ ? inferred_int64(value) : parse_int64(value);
      int64s_[row] = number.value_or(0);
      return number.has_value();
    }
    case Type::float64: {
      const auto number = inferred_ ? inferred_float64(value) : parse_double(value);
      float64s_[row] = number.value_or(0);
      return number.has_value();
    }
    case Type::timestamp: {
      const auto time = parse_timestamp(value);
      timestamps_[row] = time.value_or(Timestamp{});
      return time.has_value();
    }
    case Type::text:
      return put_text(row, value, texts_[worker]);
  }
  return false;
}

bool ColumnBuilder::put_text(std::size_t row, std::string_view value, WorkerTexts& texts) {
  if (!texts.any || texts.dictionary.at(texts.last) != value) {
    texts.last = texts.dictionary.code_of(value);
    texts.any = true;
    if (texts.dictionary.size() > texts.first_rows.size()) texts.first_rows.push_back(row);
  }
  codes_[row] = texts.last;
  return true;
}

std::shared_ptr<const Dictionary> ColumnBuilder::merge_texts(std::span<const FilledRun> runs) {
  if (texts_.size() == 1) {
    texts_[0].dictionary.compact();
    return std::make_shared<const Dictionary>(std::move(texts_[0].dictionary));
  }
  struct Appearance {
    std::size_t row;
    std::size_t worker;
    Code code;
  };
  std::vector<Appearance> appearances;
  for (std::size_t worker = 0; worker < texts_.size(); ++worker) {
    const auto& first_rows = texts_[worker].first_rows;
    for (std::size_t code = 0; code < first_rows.size(); ++code) {
      appearances.push_back({first_rows[code], worker, static_cast<Code>(code)});
    }
  }
  std::sort(appearances.begin(), appearances.end(),
            [](const auto& a, const auto& b) { return a.row < b.row; });

  auto merged = std::make_shared<Dictionary>();
  std::vector<std::vector<Code>> new_codes(texts_.size());
  for (std::size_t worker = 0; worker < texts_.size(); ++worker) {
    new_codes[worker].resize(texts_[worker].first_rows.size());
  }
  for (const Appearance& seen : appearances) {
    new_codes[seen.worker][seen.code] = merged->code_of(texts_[seen.worker].dictionary.at(seen.code));
  }
  parallel_for(runs.size(), texts_.size(), [&](std::size_t i, std::size_t) {
    const FilledRun& run = runs[i];
    const std::vector<Code>& renamed = new_codes[run.worker];
    for (std::size_t row = run.first_row; row < run.first_row + run.rows; ++row) {
      if (!missing_.at(row)) codes_[row] = renamed[codes_[row]];
    }
  });
  merged->compact();
  return merged;
}

Column ColumnBuilder::finish(std::span<const FilledRun> runs) && {
  std::size_t filled = 0;
  for (const FilledRun& run : runs) filled += run.rows;
  // A column whose values are all missing has no type.
  if (!type_) {
    codes_.resize(rows_);
    texts_.resize(1);
  }
  std::shared_ptr<const Dictionary> dictionary;
  if (type_.value_or(Type::text) == Type::text) dictionary = merge_texts(runs);

  if (filled != rows_) missing_ = without_gaps(missing_, runs, filled);
  missing_.settle();
  switch (type_.value_or(Type::text)) {
    case Type::int64:
      close_gaps(int64s_, runs);
      return Column(std::move(int64s_), std::move(missing_));
    case Type::float64:
      close_gaps(float64s_, runs);
      return Column(std::move(float64s_), std::move(missing_));
    case Type::timestamp:
      close_gaps(timestamps_, runs);
      return Column(std::move(timestamps_), std::move(missing_));
    case Type::text:
      break;
  }
  close_gaps(codes_, runs);
  return Column(Text{std::move(codes_), std::move(dictionary)}, std::move(missing_));
}

}  // namespace ergon::table::csv
