#include "table/csv/read.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/text.h"
#include "table/csv/header.h"
#include "table/csv/piece_reader.h"
#include "table/csv/scan.h"
#include "table/text_input.h"

// Two parallel passes over the text. The first divides it into pieces and finds which rows begin in each
// (scan.h). The second writes every value directly to its row: there is one copy of the data and nothing to
// concatenate. Types that were not given are inferred from the first rows; a column with a later value that
// does not fit is read again with a type that fits all its values.

namespace ergon::table {
namespace csv {
namespace {

constexpr std::size_t kSampleBytes = 1 << 16;

class Reader {
 public:
  using Release = std::function<void(std::size_t begin, std::size_t end)>;

  Reader(std::string_view text, const CsvOptions& options, Release release)
      : text_(text), options_(options), release_(std::move(release)) {}

  Result<CsvTable> read();

 private:
  Result<> scan();
  void guess_types();
  // Reads the chosen columns that have no builder yet. Returns those that need a wider type.
  Result<std::vector<KnownType>> fill();
  Error describe(const Fault& fault) const;

  std::string_view text_;
  const CsvOptions& options_;
  Release release_;
  Header header_;
  std::vector<std::size_t> chosen_;  // header columns to read, in the caller's order
  std::vector<PieceRows> pieces_;    // offsets count from the body
  std::size_t workers_ = 1;
  std::size_t rows_ = 0;          // blank lines included
  std::vector<KnownType> types_;  // by header column
  std::vector<bool> inferred_;
  std::vector<std::unique_ptr<ColumnBuilder>> builders_;  // by header column
  // Per header column the runs that filled it: a column that was read again was filled by other workers.
  std::vector<std::vector<FilledRun>> runs_;
  CsvNotes notes_;
};

Result<> Reader::scan() {
  const std::string_view body = text_.substr(header_.body);
  const std::size_t piece_size = std::max<std::size_t>(1, options_.piece_size);
  const std::size_t count = (body.size() + piece_size - 1) / piece_size;
  workers_ = worker_count(options_.threads, count);
  std::vector<PieceScan> scans(count);
  parallel_for(count, workers_, [&](std::size_t i, std::size_t) {
    if (options_.stop.stop_requested()) return;
    scans[i] = scan_piece(body.substr(i * piece_size, piece_size));
    release_(header_.body + i * piece_size, header_.body + std::min(body.size(), (i + 1) * piece_size));
  });
  if (options_.stop.stop_requested()) return fail(Errc::cancelled, "interrupted while reading");
  pieces_ = resolve_rows(body, piece_size, scans);
  for (const PieceRows& piece : pieces_) rows_ += piece.rows;
  return {};
}

void Reader::guess_types() {
  types_.assign(header_.names.size(), std::nullopt);
  inferred_.assign(header_.names.size(), true);
  std::size_t column = 0;
  std::string scratch;
  const std::string_view sample = text_.substr(header_.body);
  walk_fields(sample, 0, kSampleBytes, options_.separator, [&](const RawField& field, bool ends_row) {
    const auto value = field_value(field, scratch);
    if (!value) return false;
    const std::string_view trimmed = without_blanks(*value);
    if (column < types_.size() && !means_missing(trimmed, options_.missing_words)) {
      types_[column] = join(types_[column], narrowest_type(trimmed));
    }
    column = ends_row ? 0 : column + 1;
    return true;
  });
  for (const auto& [name, type] : options_.types) {
    const auto index = static_cast<std::size_t>(std::find(header_.names.begin(), header_.names.end(), name) -
                                                header_.names.begin());
    if (index == header_.names.size()) continue;
    types_[index] = type;
    inferred_[index] = false;
  }
}

Result<std::vector<KnownType>> Reader::fill() {
  const std::string_view body = text_.substr(header_.body);
  std::vector<ColumnBuilder*> targets(header_.names.size(), nullptr);
  for (const std::size_t column : chosen_) {
    if (builders_[column] != nullptr) continue;
    builders_[column] = std::make_unique<ColumnBuilder>(types_[column], inferred_[column], rows_, workers_);
    targets[column] = builders_[column].get();
  }
  std::vector<PieceOutcome> outcomes(pieces_.size());
  std::atomic<std::size_t> first_fault{pieces_.size()};
  std::atomic<std::size_t> bytes_done{0};
  const bool first_time = notes_.text_bytes == 0;
  parallel_for(pieces_.size(), workers_, [&](std::size_t i, std::size_t worker) {
    // Row boundaries after an error are unreliable; reading stops there.
    if (options_.stop.stop_requested() || i > first_fault) return;
    const PieceRows& piece = pieces_[i];
    PieceReader reader(body, options_, targets, piece.first_row, worker);
    walk_fields(body, piece.begin, piece.limit, options_.separator, std::ref(reader));
    outcomes[i] = std::move(reader).outcome();
    if (outcomes[i].fault) {
      std::size_t known = first_fault;
      while (i < known && !first_fault.compare_exchange_weak(known, i)) {
      }
    }
    const std::size_t piece_begin = i == 0 ? 0 : pieces_[i - 1].limit - 1;
    release_(header_.body + piece_begin, header_.body + piece.limit - 1);
    const std::size_t done = bytes_done += piece.limit - 1 - piece_begin;
    const bool calling_thread = worker == 0;
    if (calling_thread && first_time && options_.on_progress) options_.on_progress(done, body.size());
  });
  if (options_.stop.stop_requested()) return fail(Errc::cancelled, "interrupted while reading");
  if (first_fault < pieces_.size()) return describe(*outcomes[first_fault].fault);
  if (first_time && options_.on_progress) options_.on_progress(body.size(), body.size());

  std::vector<KnownType> wider(header_.names.size());
  std::vector<FilledRun> runs;
  notes_ = {.text_bytes = text_.size()};
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const PieceOutcome& outcome = outcomes[i];
    runs.push_back({pieces_[i].first_row, outcome.rows, outcome.worker});
    notes_.blank_lines += outcome.notes.blank_lines;
    notes_.padded_rows += outcome.notes.padded_rows;
    notes_.dropped_fields += outcome.notes.dropped_fields;
    for (const auto& [column, needed] : outcome.wider) wider[column] = join(wider[column], needed);
  }
  for (std::size_t column = 0; column < targets.size(); ++column) {
    if (targets[column] != nullptr) runs_[column] = runs;
  }
  return wider;
}

Error Reader::describe(const Fault& fault) const {
  const std::string_view before = text_.substr(0, header_.body + fault.offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  if (!fault.column) return fail(Errc::invalid_input, "line {}: {}", line, fault.message);
  return fail(Errc::invalid_input, "line {}, column {} ({}): {}", line, *fault.column + 1,
              printable(header_.names[*fault.column]), fault.message);
}

Result<CsvTable> Reader::read() {
  if (std::string_view("\"\r\n").find(options_.separator) != std::string_view::npos) {
    return fail(Errc::invalid_input, "quotes and line ends cannot separate fields");
  }
  auto header = read_header(text_, options_);
  if (!header) return header.error();
  header_ = std::move(*header);
  auto chosen = chosen_columns(header_, options_);
  if (!chosen) return chosen.error();
  chosen_ = std::move(*chosen);
  if (auto scanned = scan(); !scanned) return scanned.error();
  guess_types();

  builders_.resize(header_.names.size());
  runs_.resize(header_.names.size());
  for (bool all_fit = false; !all_fit;) {
    const auto wider = fill();
    if (!wider) return wider.error();
    all_fit = true;
    for (const std::size_t column : chosen_) {
      if (!(*wider)[column]) continue;
      types_[column] = join(types_[column], (*wider)[column]);
      builders_[column].reset();
      all_fit = false;
    }
  }

  CsvTable result{.table = {}, .notes = notes_};
  for (const std::size_t column : chosen_) {
    result.table.add(header_.names[column], std::move(*builders_[column]).finish(runs_[column]));
    builders_[column].reset();
  }
  if (result.table.rows() == 0 && options_.rows_required) {
    return fail(Errc::invalid_input, "has a header but no rows");
  }
  return result;
}

Result<CsvTable> read_text(std::string_view text, std::string_view source, const CsvOptions& options,
                           Reader::Release release) {
  auto result = Reader(text, options, std::move(release)).read();
  if (!result) return result.error().in(source);
  return result;
}

}  // namespace
}  // namespace csv

Result<char> parse_separator(std::string_view text) {
  const std::string_view mark = text == "tab" ? "\t" : text;
  if (mark.size() == 1 && mark != "\"" && mark != "\n" && mark != "\r") return mark.front();
  return fail(Errc::invalid_input, "\"{}\" is not a valid separator; expected one character, or tab", text);
}

Result<CsvTable> read_csv(const std::filesystem::path& path, const CsvOptions& options) {
  const auto input = TextInput::open(path, options.stop);
  if (!input) return input.error();
  const std::string source = path == "-" ? "standard input" : path.string();
  return csv::read_text(input->text(), source, options,
                        [&](std::size_t begin, std::size_t end) { input->release(begin, end); });
}

Result<CsvTable> parse_csv(std::string_view text, std::string_view source, const CsvOptions& options) {
  return csv::read_text(text, source, options, [](std::size_t, std::size_t) {});
}

}  // namespace ergon::table
