#pragma once

#include "fleet/reading/log.h"
#include "fleet/reading/source.h"

namespace ergon::fleet {

// Reads a log with several threads.
class LogSource : public TelemetrySource {
 public:
  struct ReadOptions {
    std::size_t workers = 1;
    std::size_t chunk_bytes = std::size_t{16} << 20;
    std::int64_t zone_ns = 0;
    std::uint64_t number = 0;  // index of the source
  };
  LogSource(Log log, NameTables& names, const TaskLevels& levels, const ReadOptions& options);

  bool done() const override { return log_.done(); }
  Timestamp reached() const override { return log_.reached(); }
  Result<> read(RowBatch& batch) override;
  void rewind() override {
    log_.rewind();
    counts_ = {};
  }
  bool seems_ordered(Seconds lateness) const override { return log_.seems_ordered(lateness); }
  std::size_t size() const override { return log_.size(); }
  std::size_t position() const override { return log_.position(); }
  std::string_view task_name(std::uint64_t task_offset) const override;
  void release_names() override { log_.release(log_.text().substr(0, log_.position())); }
  std::vector<std::string> warnings() const override;

 private:
  void read_checkpoints(std::span<const std::string_view> pieces, RowBatch& batch);
  void read_samples(std::span<const std::string_view> pieces, RowBatch& batch);

  Log log_;
  ReadOptions options_;
  // "file, line 7: power "99999" is not 0 to 2000 W", of the first such value.
  std::string out_of_range_text_of(Metric metric) const;

  std::uint64_t rows_ = 0;
  RowCounts counts_;                                  // of samples
  std::vector<CheckpointReader> checkpoint_readers_;  // one per worker
  std::vector<SampleReader> sample_readers_;
};

}  // namespace ergon::fleet
