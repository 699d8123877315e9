#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "device/device.h"
#include "meter/counter_anchors.h"
#include "meter/counter_probe.h"
#include "meter/energy_curve.h"
#include "meter/lookout.h"
#include "meter/pace.h"
#include "meter/piece_builder.h"
#include "meter/running_mean.h"
#include "meter/sensor_facts.h"
#include "meter/span_report.h"
#include "meter/update_track.h"

namespace ergon::meter {

using SpanId = std::uint64_t;

// A point of a power trace, for people and files.
struct TracePoint {
  Instant at;
  Watts power;  // as read
};

// Watches one device: reads it when it is time to, keeps energy as a function of time, and answers for
// windows of time, which may nest and overlap.
//
// One thread calls read(); open, close and report may come from any. None of them waits for the device.
class Recorder {
 public:
  struct Options {
    std::optional<Seconds> period;  // between reads; without, what the sensor needs
    bool keep_readings = false;
    // Windows are short and many, and each is waited for: a buffer of samples is asked for more often, at up
    // to two percent of a core, and where it leaves no gaps nobody waits for the energy counter besides.
    bool prompt = false;
  };

  // The device outlives the recorder. Errors: it has neither a power reading nor an energy counter.
  static Result<std::unique_ptr<Recorder>> create(device::Device& device, Clock& clock,
                                                  const Options& options);

  // Does what is due, and says when to come again.
  Instant read();

  // Windows can begin now: what a sensor averages over is known.
  bool ready() const;
  SpanId open(Instant begin);
  void close(SpanId id, Instant end);
  // What happened in a closed window, once it is settled: some time later, as sensors lag behind; or with
  // what there is, if nobody wants to wait any longer. Then the window is forgotten.
  std::optional<SpanReport> report(SpanId id, bool now = false);
  // Nobody wants to know any more.
  void forget(SpanId id);
  // Why there are no readings any more.
  std::optional<Error> failure() const;

  std::vector<TracePoint> take_trace();
  const device::Identity& identity() const { return device_.identity(); }
  Seconds period() const { return period_; }
  bool simulated() const { return device_.simulated(); }
  std::string_view field_name() const { return facts_ ? device::name_of(facts_->field) : "energy_counter"; }

 private:
  struct Span {
    Instant begin;
    std::optional<Instant> end;
    std::optional<CurvePoint> from, to;
    Watts highest;
    std::uint64_t samples = 0, dropped_before = 0, reads_before = 0;
    std::optional<std::uint64_t> dropped_behind, reads_behind;
    bool looked = false;
    Seconds unchanged;
    Surroundings surroundings;
    std::vector<Watts> readings;
  };

  Recorder(device::Device& device, Clock& clock, const Options& options, std::optional<SensorFacts> facts,
           Watts highest);

  // Each reads without holding the lock, and then takes in what was read.
  void read_power();
  void read_samples();
  void read_counter_as_power();
  void probe_counter();
  bool look_is_wanted();
  void look_around();

  void take(const Update& update);
  void settle();
  void take_step(const CounterProbe::Step& step);
  void failed(const Error& error);
  bool anchored(Instant moment) const;
  bool needs_counter() const;
  SpanReport report_of(const Span& span) const;

  device::Device& device_;
  Clock& clock_;
  Options options_;
  std::optional<SensorFacts> facts_;
  Watts highest_;
  Seconds period_;
  Random jitter_{1};
  Pace samples_pace_, looking_pace_;
  Allowance probing_;
  std::optional<Instant> anchor_due_;
  std::optional<Timestamp> newest_sample_;
  std::optional<std::int64_t> wall_offset_;  // of the wall's clock from this one, in ns
  std::optional<Joules> counted_before_;
  Lookout lookout_;

  mutable std::mutex mutex_;  // guards all below
  UpdateTrack track_;
  std::optional<RunningMean> running_mean_;
  PieceBuilder builder_;
  EnergyCurve curve_;
  CounterProbe probe_;
  bool counter_works_ = false, counter_stopped_ = false;
  std::uint64_t reads_ = 0;
  bool look_wanted_ = false;
  Instant looked_;
  Seconds look_cost_;
  Surroundings last_look_;
  CounterAnchors anchors_;
  std::vector<CounterProbe::Step> steps_;  // whose moment the curve has not reached yet
  std::vector<Edge> edges_;
  std::map<SpanId, Span> spans_;
  SpanId next_span_ = 1;
  std::optional<Error> failure_;
  std::vector<TracePoint> trace_;
};

}  // namespace ergon::meter
