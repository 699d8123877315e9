#include "fleet/reading/log_source.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/contract.h"
#include "base/parallel.h"
#include "base/text.h"

namespace ergon::fleet {
namespace {

constexpr std::size_t kPiecesPerWorker = 4;

}  // namespace

LogSource::LogSource(Log log, NameTables& names, const TaskLevels& levels, const ReadOptions& options)
    : log_(std::move(log)), options_(options) {
  for (std::size_t worker = 0; worker < options.workers; ++worker) {
    checkpoint_readers_.emplace_back(names, levels, options.zone_ns);
    sample_readers_.emplace_back(names, options.zone_ns);
  }
}

Result<> LogSource::read(RowBatch& batch) {
  const auto pieces = log_.next(options_.chunk_bytes, options_.workers * kPiecesPerWorker);
  if (log_.kind() == LogKind::checkpoints) {
    read_checkpoints(pieces, batch);
  } else {
    read_samples(pieces, batch);
    for (const Metric metric : kAllMetrics) {
      if (!log_.done() || !mostly_out_of_range(metric, counts_)) continue;
      const auto m = static_cast<std::size_t>(metric);
      return fail(Errc::invalid_input, "{}; {} in total; use --map-gpu {}=COLUMN if it is another column",
                  out_of_range_text_of(metric), counted(counts_.out_of_range[m], "such value"),
                  kMetricNames[m]);
    }
  }
  return {};
}

std::string LogSource::out_of_range_text_of(Metric metric) const {
  const OutOfRangeValue* first = nullptr;
  for (const SampleReader& each : sample_readers_) {
    const auto& own = each.out_of_range()[static_cast<std::size_t>(metric)];
    if (own && (first == nullptr || own->position < first->position)) first = &*own;
  }
  ERGON_EXPECTS(first != nullptr);
  const std::string_view before = log_.text().substr(0, first->position);
  return fmt::format("{}, line {}: {}", log_.file().string(), 1 + std::ranges::count(before, '\n'),
                     out_of_range_text(metric, first->text));
}

void LogSource::read_checkpoints(std::span<const std::string_view> pieces, RowBatch& batch) {
  const std::size_t first = batch.checkpoints.size();
  batch.checkpoints.resize(first + pieces.size());
  std::vector<RowCounts> counts(pieces.size());
  parallel_for(pieces.size(), options_.workers, [&](std::size_t i, std::size_t worker) {
    auto& rows = batch.checkpoints[first + i];
    checkpoint_readers_[worker].read(log_.text(), pieces[i], log_.columns(), rows, counts[i]);
    for (Checkpoint& row : rows) row.task_offset |= options_.number << kOffsetBits;
    log_.release(pieces[i]);
  });
  for (const RowCounts& each : counts) batch.checkpoint_counts += each, rows_ += each.rows;
  for (std::size_t i = first; i < batch.checkpoints.size(); ++i) {
    for (const Checkpoint& row : batch.checkpoints[i]) log_.reach(row.at);
  }
}

void LogSource::read_samples(std::span<const std::string_view> pieces, RowBatch& batch) {
  const std::size_t first = batch.samples.size();
  batch.samples.resize(first + pieces.size());
  std::vector<RowCounts> counts(pieces.size());
  parallel_for(pieces.size(), options_.workers, [&](std::size_t i, std::size_t worker) {
    sample_readers_[worker].read(log_.text(), pieces[i], log_.columns(), log_.host(),
                                 batch.samples[first + i], counts[i]);
    log_.release(pieces[i]);
  });
  for (const RowCounts& each : counts) batch.sample_counts += each, counts_ += each, rows_ += each.rows;
  for (std::size_t i = first; i < batch.samples.size(); ++i) {
    for (const Sample& row : batch.samples[i]) log_.reach(row.at);
  }
}

std::string_view LogSource::task_name(std::uint64_t task_offset) const {
  return name_at(log_.text(), task_offset & ((std::uint64_t{1} << kOffsetBits) - 1));
}

std::vector<std::string> LogSource::warnings() const {
  std::vector<std::string> all;
  const std::string file = log_.file().string();
  if (rows_ == 0) all.push_back(file + ": no rows");
  for (const Metric metric : kAllMetrics) {
    const std::uint64_t count = counts_.out_of_range[static_cast<std::size_t>(metric)];
    if (count > 0)
      all.push_back(fmt::format("{}; {} not used", out_of_range_text_of(metric),
                                count == 1 ? "it is" : fmt::format("{} such values are", count)));
  }
  if (log_.grew())
    all.push_back(file + " grew during reading; rows appended after the start are not included");
  if (!log_.text().ends_with('\n') && rows_ > 0)
    all.push_back(file + ": the last line has no newline; it may be truncated if the file is being written");
  return all;
}

}  // namespace ergon::fleet
