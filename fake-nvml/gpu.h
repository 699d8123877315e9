#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/twin/twin.h"
#include "load_name.h"
#include "record.h"
#include "scenario.h"

namespace ergon::fake_nvml {

struct MhzRange {
  std::int64_t least = 0, most = 0;

  friend bool operator==(const MhzRange&, const MhzRange&) = default;
};

// A process on a GPU.
struct Context {
  struct Job {
    LoadName name;
    PlacedLoad load;
    std::optional<double> left;  // iterations, as of when it last began to wait; nothing: without end
  };
  Owner owner;
  std::optional<Job> job;

  Bytes memory() const { return job ? job->load.memory : kContextMemory; }
};

// A twin and who uses it: what the records of a world make of one of its GPUs.
//
// Several processes may hold a context. Of their jobs the newest runs; the others wait until it is stopped or
// its process ends, even when it has done all its iterations. Background work of the scenario runs when there
// is no job.
class Gpu {
 public:
  // Contract: the background is of this GPU.
  Gpu(const Seat& seat, std::vector<Background> background, const std::vector<StuckReading>& stuck);

  // Contract: moments do not fall.
  void advance_to(std::int64_t moment_ns);
  // Makes a load, so that a record that runs it will be applied at once. Errors: it cannot run here.
  Result<> prepare(const LoadName& name);
  // At the record's moment. Errors: work that cannot be placed.
  Result<> apply(const Record& record);

  const device::Twin& twin() const { return twin_; }
  // The twin that tells a reading: the living one, or as it was when the sensor stuck.
  const device::Twin& teller(Reading reading) const;
  const device::Specification& specification() const { return twin_.specification(); }

  std::optional<MhzRange> locked_core() const { return locked_core_; }
  std::optional<MhzRange> locked_memory() const { return locked_memory_; }
  // Memory and core, where somebody has set them.
  struct ApplicationClocks {
    std::int64_t memory = 0, core = 0;
  };
  std::optional<ApplicationClocks> application_clocks() const { return application_; }
  bool persistent() const { return persistent_; }

  const std::vector<Context>& contexts() const { return contexts_; }  // oldest first
  Bytes memory_used() const;
  // Whose job runs; nothing where background work does, or none.
  std::optional<Owner> at_work() const;
  // Whether this owner's job is the newest and has done all its iterations.
  bool finished(const Owner& owner) const;
  // Of the last moment, not of a period.
  struct Utilisation {
    double compute = 0, memory = 0;  // shares
  };
  Utilisation utilisation();

  // The clocks it has, in whole MHz as a driver tells them, descending.
  std::vector<unsigned> core_clocks() const;

 private:
  struct BackgroundState {
    Background plan;
    PlacedLoad load;
    bool on = false;
  };
  struct Freeze {
    Reading reading;
    std::int64_t from_ns;
    std::optional<device::Twin> twin;
  };

  Context* context_of(const Owner& owner);
  Context& opened_by(const Owner& owner);
  void close(const Owner& owner);
  Result<> begin_job(const Record& record);
  void happen(std::int64_t moment_ns);
  void choose_work();
  void set_ceiling();

  device::Twin twin_;
  std::vector<BackgroundState> background_;
  std::vector<Freeze> freezes_;
  std::int64_t next_ns_;  // of background and freezes
  std::optional<MhzRange> locked_core_, locked_memory_;
  std::optional<ApplicationClocks> application_;
  bool persistent_ = true;
  std::vector<Context> contexts_;
  std::map<std::string, PlacedLoad> placed_;  // by to_text(LoadName)
  // What runs: a load, whose it is, and the twin's iterations when it began.
  std::shared_ptr<const device::Load> running_;
  std::optional<Owner> at_work_;
  double began_at_ = 0;
};

// As a driver tells a clock: whole MHz, cut off.
unsigned whole_mhz(Hertz clock);

}  // namespace ergon::fake_nvml
