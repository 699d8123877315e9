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
#include "meter/interference_check.h"
#include "meter/piece_builder.h"
#include "meter/rate_limiter.h"
#include "meter/recent_readings.h"
#include "meter/running_mean.h"
#include "meter/sensor_facts.h"
#include "meter/span_report.h"
#include "meter/update_track.h"

namespace ergon::meter {

using SpanId = std::uint64_t;

// A point of a power trace.
struct TracePoint {
  Instant at;
  Watts power;  // as read
};

// Reads one device periodically, maintains energy as a function of time, and reports the energy of windows,
// which may nest and overlap.
//
// Threads: one thread calls read(). All other functions may be called from any thread and do not wait for the
// device.
class Recorder {
 public:
  struct Options {
    std::optional<Seconds> period;  // between reads; default: depends on the sensor
    bool keep_readings = false;
    // For many short windows that are waited for one by one. The driver's sample buffer is read more often,
    // at up to 2 % of a core. If the samples leave no gaps, reports do not wait for the energy counter.
    bool prompt = false;
  };

  // The device outlives the recorder. Errors: the device has neither a power reading nor an energy counter.
  static Result<std::unique_ptr<Recorder>> create(device::Device& device, Clock& clock,
                                                  const Options& options);

  // Takes all readings that are due. Returns the time of the next one.
  Instant read();

  // Windows can be opened: the time that the sensor averages over is covered by readings.
  bool ready() const;
  SpanId open(Instant begin);
  void close(SpanId id, Instant end);
  // Report of a closed window; empty until the sensor has covered the window, because sensors lag. With
  // `now`, reports from the readings so far. A window is discarded once it is reported.
  std::optional<SpanReport> report(SpanId id, bool now = false);
  // Discards a window without a report.
  void forget(SpanId id);
  // Why the readings ended.
  std::optional<Error> failure() const;
  // Ends the readings: read() is not called again.
  void end(const Error& why);

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
    std::optional<std::uint64_t> dropped_after, reads_after;
    bool checked = false;  // for interference
    Seconds unchanged;
    DeviceState device_state;
    std::vector<Watts> readings;
  };

  Recorder(device::Device& device, Clock& clock, const Options& options, std::optional<SensorFacts> facts,
           Watts highest);

  // These read without holding the lock and take it to store the result.
  void read_power();
  void read_samples();
  void read_counter_as_power();
  void probe_counter();
  // Reads the counter between the readings, as a short window needs it.
  void watch_counter();
  bool watches_counter() const;
  bool needs_attention(Instant now) const;
  Instant next_read();
  bool interference_check_requested();
  void check_interference();

  void take(const SensorUpdate& update);
  void settle();
  void take_step(const CounterProbe::Step& step);
  void failed(const Error& error);
  bool anchored(Instant moment) const;
  bool needs_counter() const;
  bool is_short(const Span& span) const;
  bool is_edge(Instant moment) const;
  // The shift of an edge, as near to `wanted` as other edges permit. A shift is final.
  Joules shift_edge(const CurvePoint& edge, Joules wanted);
  void estimate_short(const Span& span, SpanReport& report);
  SpanReport report_of(const Span& span) const;

  device::Device& device_;
  Clock& clock_;
  Options options_;
  std::optional<SensorFacts> facts_;
  Watts highest_;
  Seconds period_;
  Random jitter_{1}, watch_jitter_{2};
  RateLimiter samples_limiter_, interference_limiter_, watch_limiter_;
  Instant reading_due_;
  bool watching_ = false;  // the next read is of the counter only
  TimeBudget probe_budget_;
  std::optional<Instant> anchor_due_;
  std::optional<Timestamp> newest_sample_;
  std::optional<std::int64_t> wall_offset_;  // wall clock minus monotonic clock, in ns
  std::optional<Joules> counted_before_;
  InterferenceCheck interference_check_;

  mutable std::mutex mutex_;  // guards all members below
  UpdateTrack track_;
  std::optional<RunningMean> running_mean_;
  PieceBuilder builder_;
  EnergyCurve curve_;
  CounterProbe probe_;
  bool counter_works_ = false, counter_stopped_ = false;
  std::uint64_t reads_ = 0;
  bool check_requested_ = false;
  Instant last_check_;
  Seconds check_duration_;
  DeviceState last_state_;
  CounterAnchors anchors_;
  RecentReadings recent_;
  // Energy at window edges minus that of the curve. Windows that share an edge share it, so that they add up.
  struct Shift {
    CurvePoint point;
    Joules joules;
  };
  std::map<Instant, Shift> shifts_;
  std::vector<CounterProbe::Step> steps_;  // later than the end of the curve
  std::vector<WindowEdge> edges_;
  std::map<SpanId, Span> spans_;
  SpanId next_span_ = 1;
  std::optional<Error> failure_;
  std::vector<TracePoint> trace_;
};

}  // namespace ergon::meter
