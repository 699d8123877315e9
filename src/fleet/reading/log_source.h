#pragma once

#include "fleet/reading/log.h"
#include "fleet/reading/source.h"

namespace ergon::fleet {

// A log, its stretches read by several threads at once.
class LogSource : public Source {
 public:
  struct Setting {
    std::size_t workers = 1;
    std::size_t stretch = std::size_t{16} << 20;  // bytes
    std::int64_t zone_ns = 0;
    std::uint64_t number = 0;  // of the source
  };
  LogSource(Log log, Vocabulary& words, const TaskLevels& levels, const Setting& setting);

  bool done() const override { return log_.done(); }
  Timestamp reached() const override { return log_.reached(); }
  Result<> read(Batch& batch) override;
  void rewind() override { log_.rewind(); }
  bool seems_ordered(Seconds lateness) const override { return log_.seems_ordered(lateness); }
  std::size_t size() const override { return log_.size(); }
  std::size_t position() const override { return log_.position(); }
  std::string_view task_name(std::uint64_t place) const override;
  void forget() override { log_.release(log_.text().substr(0, log_.position())); }
  std::vector<std::string> remarks() const override;

 private:
  void read_checkpoints(std::span<const std::string_view> pieces, Batch& batch);
  void read_samples(std::span<const std::string_view> pieces, Batch& batch);

  Log log_;
  Setting setting_;
  std::uint64_t rows_ = 0;
  std::vector<CheckpointReader> checkpoint_readers_;  // one for each worker
  std::vector<SampleReader> sample_readers_;
};

}  // namespace ergon::fleet
