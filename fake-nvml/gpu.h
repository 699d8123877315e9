#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "device/twin/twin.h"
#include "load_spec.h"
#include "record.h"
#include "scenario.h"

namespace ergon::fake_nvml {

struct MhzRange {
  std::int64_t min = 0, max = 0;

  friend bool operator==(const MhzRange&, const MhzRange&) = default;
};

// The context of a process on a GPU.
struct Context {
  struct Job {
    LoadSpec name;
    PlacedLoad load;
    std::optional<double> left;  // remaining iterations when it last started to wait; absent: unlimited
  };
  Owner owner;
  std::optional<Job> job;

  Bytes memory() const { return job ? job->load.memory : kContextMemory; }
};

// A twin and its contexts: the state of one GPU after replaying the records of the simulation.
//
// Several processes may have a context. The newest job runs; the others wait until it is stopped or its
// process ends, even if it has finished its iterations. The background load of the scenario runs if there is
// no job.
class Gpu {
 public:
  // Contract: `background` is for this GPU.
  Gpu(const DeviceSlot& slot, std::vector<Background> background, const std::vector<StuckReading>& stuck);

  // Contract: times do not decrease.
  void advance_to(std::int64_t time_ns);
  // Builds a load in advance, so that applying a `run` record is fast. Errors: the GPU cannot run it.
  Result<> prepare(const LoadSpec& name);
  // Advances to the time of the record and applies it. Errors: a load that the GPU cannot run.
  Result<> apply(const Record& record);

  const device::Twin& twin() const { return twin_; }
  // The twin to read a field from: the current one, or a frozen copy for a stuck field.
  const device::Twin& twin_for(SensorField reading) const;
  const device::Specification& specification() const { return twin_.specification(); }

  std::optional<MhzRange> locked_core() const { return locked_core_; }
  std::optional<MhzRange> locked_memory() const { return locked_memory_; }
  // In MHz.
  struct ApplicationClocks {
    std::int64_t memory = 0, core = 0;
  };
  std::optional<ApplicationClocks> application_clocks() const { return application_; }
  bool persistent() const { return persistent_; }

  const std::vector<Context>& contexts() const { return contexts_; }  // oldest first
  Bytes memory_used() const;
  // Owner of the running job; absent for background load or idle.
  std::optional<Owner> running_owner() const;
  // Whether this owner's job is the newest and has finished its iterations.
  bool finished(const Owner& owner) const;
  // Of the current load, without an averaging window.
  device::GpuUtilization utilization() const;

  // Supported core clocks in MHz, descending.
  std::vector<unsigned> core_clocks() const;

 private:
  struct BackgroundState {
    Background plan;
    PlacedLoad load;
    bool on = false;
  };
  struct Freeze {
    SensorField reading;
    std::int64_t from_ns;
    std::optional<device::Twin> twin;
  };

  Context* context_of(const Owner& owner);
  Context& opened_by(const Owner& owner);
  void close(const Owner& owner);
  Result<> begin_job(const Record& record);
  void process_due(std::int64_t time_ns);
  void update_load();
  void set_ceiling();

  device::Twin twin_;
  std::vector<BackgroundState> background_;
  std::vector<Freeze> freezes_;
  std::int64_t next_ns_;  // next change of background load or freeze
  std::optional<MhzRange> locked_core_, locked_memory_;
  std::optional<ApplicationClocks> application_;
  bool persistent_ = true;
  std::vector<Context> contexts_;
  std::map<std::string, PlacedLoad> loads_;  // by to_text(LoadSpec)
  // The running load, its owner, and the twin's iterations at its start.
  std::shared_ptr<const device::Load> running_;
  std::optional<Owner> running_owner_;
  double started_at_ = 0;
};

// A clock in MHz, truncated like NVML does.
unsigned whole_mhz(Hertz clock);

}  // namespace ergon::fake_nvml
