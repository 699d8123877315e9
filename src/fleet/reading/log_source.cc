#include "fleet/reading/log_source.h"

#include "base/parallel.h"

namespace ergon::fleet {
namespace {

constexpr std::size_t kPiecesPerWorker = 4;

}  // namespace

LogSource::LogSource(Log log, Vocabulary& words, const TaskLevels& levels, const Setting& setting)
    : log_(std::move(log)), setting_(setting) {
  for (std::size_t worker = 0; worker < setting.workers; ++worker) {
    checkpoint_readers_.emplace_back(words, levels, setting.zone_ns);
    sample_readers_.emplace_back(words, setting.zone_ns);
  }
}

Result<> LogSource::read(Batch& batch) {
  const auto pieces = log_.next(setting_.stretch, setting_.workers * kPiecesPerWorker);
  if (log_.kind() == LogKind::checkpoints) {
    read_checkpoints(pieces, batch);
  } else {
    read_samples(pieces, batch);
  }
  return {};
}

void LogSource::read_checkpoints(std::span<const std::string_view> pieces, Batch& batch) {
  const std::size_t first = batch.checkpoints.size();
  batch.checkpoints.resize(first + pieces.size());
  std::vector<RowCounts> counts(pieces.size());
  parallel_for(pieces.size(), setting_.workers, [&](std::size_t i, std::size_t worker) {
    auto& rows = batch.checkpoints[first + i];
    checkpoint_readers_[worker].read(log_.text(), pieces[i], log_.places(), rows, counts[i]);
    for (Checkpoint& row : rows) row.place |= setting_.number << kPlaceBits;
    log_.release(pieces[i]);
  });
  for (const RowCounts& each : counts) batch.checkpoint_counts += each, rows_ += each.rows;
  for (std::size_t i = first; i < batch.checkpoints.size(); ++i) {
    for (const Checkpoint& row : batch.checkpoints[i]) log_.reach(row.at);
  }
}

void LogSource::read_samples(std::span<const std::string_view> pieces, Batch& batch) {
  const std::size_t first = batch.samples.size();
  batch.samples.resize(first + pieces.size());
  std::vector<RowCounts> counts(pieces.size());
  parallel_for(pieces.size(), setting_.workers, [&](std::size_t i, std::size_t worker) {
    sample_readers_[worker].read(log_.text(), pieces[i], log_.places(), log_.host(), batch.samples[first + i],
                                 counts[i]);
    log_.release(pieces[i]);
  });
  for (const RowCounts& each : counts) batch.sample_counts += each, rows_ += each.rows;
  for (std::size_t i = first; i < batch.samples.size(); ++i) {
    for (const Sample& row : batch.samples[i]) log_.reach(row.at);
  }
}

std::string_view LogSource::task_name(std::uint64_t place) const {
  return name_at(log_.text(), place & ((std::uint64_t{1} << kPlaceBits) - 1));
}

std::vector<std::string> LogSource::remarks() const {
  std::vector<std::string> all;
  const std::string file = log_.file().string();
  if (rows_ == 0) all.push_back(file + " has no rows");
  if (log_.grew()) all.push_back(file + " grew while it was read; what came later is not in here");
  if (!log_.text().ends_with('\n') && rows_ > 0)
    all.push_back(
        file +
        ": its last line has no end and was taken as it stands; it may be cut if the file is being written");
  return all;
}

}  // namespace ergon::fleet
