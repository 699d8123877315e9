#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "gpu.h"
#include "record.h"
#include "scenario.h"
#include "shared_log.h"

namespace ergon::fake_nvml {

// The GPUs of a scenario as all processes see them: each process replays the shared log into twins of its
// own, and as these depend on nothing but the records and the moment, all see the same.
//
// Not for several threads at once.
class World {
 public:
  static Result<World> open(Scenario scenario, const std::filesystem::path& state);

  const Scenario& scenario() const { return scenario_; }

  // Brings the world up to now. Ends what belongs to processes that are gone; it may take a blink until that
  // is noticed, unless `thorough`.
  Result<> look(bool thorough = false);
  // As of the last look.
  std::int64_t now_ns() const { return now_ns_; }
  Timestamp calendar(std::int64_t moment_ns) const { return {log_.began().ns + moment_ns}; }
  std::size_t size() const { return gpus_.size(); }
  // Contract: index < size().
  Gpu& gpu(std::size_t index);

  // Happens now, for everybody; the record's moment is filled in here. Errors: a load that the GPU cannot
  // run, and those of the log.
  Result<> happen(Record record);
  // By so many nanoseconds, up to a day's. Errors: time is not manual.
  Result<> advance(std::int64_t by_ns);
  // Nothing has ever happened, and time is 0.
  Result<> begin_anew();

 private:
  World(Scenario scenario, SharedLog log) : scenario_(std::move(scenario)), log_(std::move(log)) {}

  Result<> take_in(const SharedLog::News& news);
  Result<> take_in(const Record& record);
  void make_gpus();
  Result<> bury(bool thorough);

  Scenario scenario_;
  SharedLog log_;
  std::vector<Gpu> gpus_;
  std::int64_t now_ns_ = 0;
  std::int64_t looked_after_ns_ = 0;  // by the machine's clock, when it was last asked who is gone
  std::optional<Error> broken_;       // a log that cannot be understood: until another world begins
};

}  // namespace ergon::fake_nvml
