#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fleet/account/duration_series.h"
#include "fleet/account/event_totals.h"
#include "fleet/account/fleet_accumulator.h"
#include "fleet/account/gpu_timeline.h"
#include "fleet/account/pairing.h"
#include "fleet/reading/names.h"

namespace ergon::fleet {

// Rules for pairing checkpoints and joining samples.
// Largest accepted values of the rules.
inline constexpr Seconds kMaxGap{86400}, kMaxEventDuration{86400.0 * 366};

struct AnalysisRules {
  bool keep_duplicates = false;
  Seconds gap{60};                                // no interpolation between samples that are further apart
  Seconds max_event = Pairing::kDefaultMaxEvent;  // a START and a STOP further apart are not paired

  // Widens the gap for samples at this distance, so that a few missed samples are interpolated.
  void allow_for_step(Seconds step);

  friend bool operator==(const AnalysisRules&, const AnalysisRules&) = default;
};

struct FinishedEvent {
  const Event& event;
  const EventTelemetry& telemetry;
  bool outermost = false;  // no other event of its task was running at its START
};

// Analyzes one host: pairs its checkpoints, joins them with the samples of its GPUs, and adds up totals.
class HostAccount {
 public:
  using OnTask = std::function<void(const FinishedEvent&)>;

  // `host_hash`: name_hash() of its name.
  HostAccount(Code host, std::uint64_t host_hash, const AnalysisRules& rules, const NameTable& events);

  // Rows may arrive in any order. Returns false if the row is not after the `known` of an earlier advance().
  bool add(const Checkpoint& checkpoint);
  bool add(const Sample& sample, std::string_view gpu_key);

  // No later row is at or before `known`.
  void advance(Timestamp known, FleetAccumulator& accumulator, const OnTask& on_task);
  // There are no more rows.
  void finish(FleetAccumulator& accumulator, const OnTask& on_task);

  using Key = FleetAccumulator::Key;
  const std::map<Key, EventTotals>& event_totals() const { return event_totals_; }
  const std::map<std::uint16_t, DurationSeries>& series() const { return series_; }
  const Pairing& pairing() const { return pairing_; }
  const std::vector<UnpairedCheckpoint>& unpaired_checkpoints() const {
    return pairing_.unpaired_checkpoints();
  }

  struct GpuEntry {
    std::string key;
    Code code = kNoCode;
    GpuTimeline timeline;
  };
  const std::vector<GpuEntry>& gpus() const { return gpus_; }  // by key

 private:
  void enqueue(Timestamp settled);
  void flush(Timestamp limit, FleetAccumulator& accumulator, const OnTask& on_task);
  EventTelemetry front_telemetry() const;
  bool is_outermost(const Event& event);

  Code host_;
  std::uint64_t host_hash_;
  AnalysisRules rules_;
  const NameTable& events_;
  Pairing pairing_;
  std::vector<Checkpoint> rows_;
  std::vector<Event> waiting_;  // paired, but an event that started earlier may still be open
  EventQueue queue_;
  std::vector<GpuEntry> gpus_;
  Timestamp known_{INT64_MIN};
  std::map<Key, EventTotals> event_totals_;
  std::map<std::uint16_t, DurationSeries> series_;
  std::vector<std::pair<std::uint64_t, Timestamp>>
      open_tasks_;  // tasks and the STOP of their outermost event
};

}  // namespace ergon::fleet
