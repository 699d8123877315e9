#include "meter/recorder.h"

#include <algorithm>

#include "base/contract.h"
#include "base/units_text.h"
#include "device/plausible.h"

namespace ergon::meter {
namespace {

constexpr Seconds kMinPeriod{0.001}, kMaxPeriod{60};  // of Options::period
constexpr Seconds kMinDefaultPeriod{0.005}, kMaxDefaultPeriod{0.02};
constexpr Seconds kCounterPeriod{0.05};  // between reads of the counter on devices without power reading
constexpr Seconds kCounterStep{0.001};   // update period of such counters
constexpr Seconds kSamplesMin{0.1};      // between reads of the driver's buffer, which holds seconds
constexpr Seconds kSamplesMax{0.8};
constexpr Seconds kSamplesPrompt{0.02};
constexpr double kPromptShare = 0.02;
constexpr Seconds kInterferenceMin{0.25}, kInterferenceMax{2};  // between interference checks
constexpr Seconds kInterferencePrompt{0.05};                    // after a window was opened
constexpr double kInterferenceShare = 0.01;
constexpr Seconds kBufferPeriod{0.05};  // between checks whether the buffer is due
constexpr Seconds kAnchorEvery{10};
constexpr Seconds kCounterTimeout{1.5};  // counters step about ten times in this time
constexpr Seconds kForgetAfter{5};
constexpr std::int64_t kClockSet = 50'000'000;  // ns: larger changes mean that the wall clock was set
constexpr double kSwing = 0.3;                  // of that: how much a load may add
constexpr double kShortSwing = 1.0 / 3;         // the same for short windows: half of the power limit
constexpr double kJitter = 0.2;   // of the period, so that reads do not synchronize with the sensor
constexpr Seconds kWatch{0.004};  // between reads of the counter while a short window needs it
constexpr double kWatchShare = 0.01;
constexpr Seconds kShort{0.25};        // windows up to this length, or
constexpr double kShortPeriods = 2.5;  // to this many sensor periods, are estimated one by one
constexpr double kUnresolved = 0.1;    // of the energy: standard deviation of a useless cross-check
constexpr Seconds kWatchAfter{0.25};   // after their end
constexpr double kAveraging = 1.5;     // averaging windows of at least this many periods are running means

Seconds default_period(const std::optional<SensorFacts>& facts, bool prompt) {
  if (!facts) return kCounterPeriod;
  if (facts->field == device::PowerField::samples) return prompt ? kSamplesPrompt : kBufferPeriod;
  return std::clamp(facts->period / 2, kMinDefaultPeriod, kMaxDefaultPeriod);
}

SensorFacts or_default(const std::optional<SensorFacts>& facts) { return facts.value_or(SensorFacts{}); }

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::create(device::Device& device, Clock& clock,
                                                   const Options& options) {
  if (options.period && !(*options.period >= kMinPeriod && *options.period <= kMaxPeriod)) {
    return fail(Errc::invalid_input, "period {} is out of range (from {} to {})", to_text(*options.period),
                to_text(kMinPeriod), to_text(kMaxPeriod));
  }
  auto facts = best_sensor(device);
  if (!facts && !device.capabilities().energy_counter) return facts.error();
  const auto limits = device.power_limits();
  const Watts highest = device::max_plausible_power(limits ? std::optional(*limits) : std::nullopt);
  return std::unique_ptr<Recorder>(
      new Recorder(device, clock, options, facts ? std::optional(*facts) : std::nullopt, highest));
}

Recorder::Recorder(device::Device& device, Clock& clock, const Options& options,
                   std::optional<SensorFacts> facts, Watts highest)
    : device_(device),
      clock_(clock),
      options_(options),
      facts_(std::move(facts)),
      highest_(highest),
      period_(options.period.value_or(default_period(facts_, options.prompt))),
      samples_limiter_(std::max(options.prompt ? kSamplesPrompt : kSamplesMin, period_),
                       std::max(kSamplesMax, period_),
                       options.prompt ? kPromptShare : RateLimiter::kDefaultShare),
      interference_limiter_(kInterferenceMin, kInterferenceMax),
      watch_limiter_(kWatch / 2, kMaxPeriod, kWatchShare),
      track_(or_default(facts_), highest),
      builder_(highest * kSwing),
      counter_works_(device.capabilities().energy_counter),
      recent_(or_default(facts_), highest * kShortSwing) {
  if (facts_ && (facts_->window / facts_->period).si() >= kAveraging) running_mean_.emplace(*facts_);
}

Instant Recorder::read() {
  if (std::exchange(watching_, false) && clock_.now() < reading_due_) {
    watch_counter();
    return next_read();
  }
  if (!facts_) {
    read_counter_as_power();
  } else if (facts_->field == device::PowerField::samples) {
    read_samples();
  } else {
    read_power();
  }
  if (facts_ && counter_works_) probe_counter();
  watch_counter();
  if (interference_limiter_.due(clock_.now()) || interference_check_requested()) check_interference();
  reading_due_ = clock_.now() + period_ * (1 + kJitter * (2 * jitter_.uniform() - 1));
  return next_read();
}

Instant Recorder::next_read() {
  // Jitter, so that these reads do not synchronize with the steps.
  const Instant now = clock_.now(), watch = now + kWatch * (1 + kJitter * (2 * watch_jitter_.uniform() - 1));
  watching_ = watch < reading_due_ && needs_attention(now);
  return watching_ ? watch : reading_due_;
}

// The counter's steps are not known yet, or a short window is open or was closed just now.
bool Recorder::needs_attention(Instant now) const {
  const std::lock_guard lock(mutex_);
  if (!watches_counter()) return false;
  if (!recent_.knows_steps(now)) return true;
  return std::any_of(spans_.begin(), spans_.end(), [&](const auto& each) {
    const Span& span = each.second;
    return span.end ? is_short(span) && now - *span.end < kWatchAfter : now - span.begin < kShort;
  });
}

// Samples without gaps need no counter.
bool Recorder::watches_counter() const {
  return facts_ && counter_works_ && facts_->field != device::PowerField::samples;
}

void Recorder::watch_counter() {
  const Instant began = clock_.now();
  if (!watch_limiter_.due(began)) return;
  {
    const std::lock_guard lock(mutex_);
    if (!watches_counter()) return;
  }
  const auto counted = device_.energy_counter();
  const Instant ended = clock_.now();
  watch_limiter_.done(began, ended);
  const std::lock_guard lock(mutex_);
  if (counted) recent_.read_counter(began, ended, *counted);
}

void Recorder::read_power() {
  const auto power = device_.power(facts_->field);
  const Instant now = clock_.now();
  const std::lock_guard lock(mutex_);
  ++reads_;
  if (!power) return failed(power.error());
  if (const auto update = track_.read(now, *power)) take(*update);
  for (auto& [id, span] : spans_) {
    if (!span.end) span.unchanged = std::max(span.unchanged, std::min(track_.unchanged(), now - span.begin));
  }
}

void Recorder::read_samples() {
  const Instant began = clock_.now();
  if (!samples_limiter_.due(began)) return;
  const Timestamp wall = clock_.wall_now();
  const std::int64_t offset = wall.ns - began.ns;
  const std::int64_t moved = wall_offset_ ? offset - *wall_offset_ : 0;
  wall_offset_ = offset;
  // The wall clock was set: shift the newest timestamp with it.
  if (newest_sample_ && std::abs(moved) > kClockSet) newest_sample_->ns += moved;
  const Timestamp since = newest_sample_.value_or(Timestamp{wall.ns - 1'000'000'000});
  const auto samples = device_.power_samples(since);
  const Instant ended = clock_.now();
  samples_limiter_.done(began, ended);
  const std::lock_guard lock(mutex_);
  ++reads_;
  if (!samples) return failed(samples.error());
  reads_ += samples->size();
  for (const device::PowerSample& sample : *samples) {
    if (sample.at.ns > wall.ns + kClockSet) continue;  // stamped before the wall clock was set back
    newest_sample_ = std::max(newest_sample_.value_or(sample.at), sample.at);
    // The buffer's timestamps are wall-clock times.
    if (const auto update = track_.sampled(began + (sample.at - wall), sample.power)) take(*update);
  }
  for (auto& [id, span] : spans_) {
    if (!span.end)
      span.unchanged = std::max(span.unchanged, std::min(track_.unchanged(), ended - span.begin));
  }
}

void Recorder::read_counter_as_power() {
  const Instant began = clock_.now();
  if (!samples_limiter_.due(began)) return;
  const auto counted = device_.energy_counter();
  const Instant now = clock_.now();
  samples_limiter_.done(began, now);
  const std::lock_guard lock(mutex_);
  ++reads_;
  if (!counted) return failed(counted.error());
  const std::optional<Joules> before = std::exchange(counted_before_, *counted);
  const std::optional<Instant> since = std::exchange(anchor_due_, now);
  if (!before || !since || now <= *since) return;
  const Watts power = (*counted - *before) / (now - *since);
  if (power < Watts{0} || power > highest_) return track_.lost();
  const Joules step = power * kCounterStep;
  take({now, now - began, power, now - *since, step * step / 6, {}});
}

void Recorder::probe_counter() {
  const Instant began = clock_.now();
  {
    const std::lock_guard lock(mutex_);
    if (!anchor_due_ || began >= *anchor_due_) probe_.request();
    if (!probe_.requested() || !probe_budget_.available(began)) return;
  }
  const auto counted = device_.energy_counter();
  const Instant ended = clock_.now();
  probe_budget_.spend(ended - began);
  const std::lock_guard lock(mutex_);
  if (!counted) {
    counter_works_ = false;
    probe_.reset();
    return;
  }
  const auto step = probe_.read(began, ended, *counted);
  if (!step && probe_.unchanged(ended) >
                   kCounterTimeout) {  // even an idle GPU draws power, so the counter must increase
    counter_stopped_ = true;
    counter_works_ = false;
    probe_.reset();
  }
  if (step) {
    take_step(*step);
    anchor_due_ = ended + kAnchorEvery;
    for (const auto& [id, span] : spans_) {
      if (span.end && *span.end > step->at) probe_.request();  // the window closed after the step
    }
  }
}

// A window was opened since the last check, and that check was long enough ago.
bool Recorder::interference_check_requested() {
  const std::lock_guard lock(mutex_);
  return check_requested_ &&
         clock_.now() - last_check_ >= std::max(kInterferencePrompt, check_duration_ / kInterferenceShare);
}

void Recorder::check_interference() {
  const Instant began = clock_.now();
  const DeviceState state = interference_check_.read(device_, began);
  const Instant ended = clock_.now();
  interference_limiter_.done(began, ended);
  const std::lock_guard lock(mutex_);
  check_requested_ = false;
  last_check_ = ended;
  check_duration_ = ended - began;
  last_state_ = state;
  for (auto& [id, span] : spans_) {
    if (span.end) continue;
    span.device_state.add(state);
    span.checked = true;
  }
}

void Recorder::take(const SensorUpdate& update) {
  if (options_.keep_readings) trace_.push_back({update.at, update.power});
  for (auto& [id, span] : spans_) {
    if (update.at < span.begin || (span.end && update.at > *span.end)) continue;
    ++span.samples;
    if (options_.keep_readings) span.readings.push_back(update.power);
  }
  const auto updates = running_mean_ ? running_mean_->add(update) : std::vector<SensorUpdate>{update};
  recent_.add(update);
  for (const SensorUpdate& each : updates) {
    for (const PowerPiece& piece : builder_.add(each, edges_)) {
      curve_.append(piece);
      for (auto& [id, span] : spans_) {
        if (piece.end <= span.begin || (span.end && piece.begin >= *span.end)) continue;
        span.highest = std::max(span.highest, piece.highest(span.begin, span.end.value_or(piece.end)));
      }
    }
  }
  settle();
}

void Recorder::take_step(const CounterProbe::Step& step) {
  const bool falls = !anchors_.all().empty() && step.counted < anchors_.all().back().counted;
  const bool leaps = !anchors_.all().empty() &&
                     step.counted - anchors_.all().back().counted >
                         highest_ * (step.at - anchors_.all().back().point.at) + highest_ * Seconds{1};
  if (falls || leaps) {  // the counter is not usable
    counter_works_ = false;
    recent_.drop_counter();
    return;
  }
  steps_.push_back(step);
  settle();
}

// Resolves counter steps and window edges that the curve has reached.
void Recorder::settle() {
  while (!steps_.empty()) {
    const auto point = curve_.at(steps_.front().at);
    if (!point && curve_.begin() && steps_.front().at >= *curve_.begin()) break;
    if (!point && !curve_.begin()) break;
    if (point) anchors_.add({*point, steps_.front().bracket, steps_.front().counted});
    steps_.erase(steps_.begin());
  }
  Instant needed = curve_.end().value_or(Instant{}) + kForgetAfter * -1.0;
  for (auto& [id, span] : spans_) {
    if (!span.from) span.from = curve_.at(span.begin);
    if (!span.to && span.end) {
      span.to = curve_.at(*span.end);
      if (span.to) span.dropped_after = track_.dropped(), span.reads_after = reads_;
    }
    const bool knowable = !curve_.begin() || span.begin >= *curve_.begin();
    if (!span.from && knowable) needed = std::min(needed, span.begin);
    if (!span.to && span.end) needed = std::min(needed, *span.end);
  }
  if (!steps_.empty()) needed = std::min(needed, steps_.front().at);
  curve_.forget_before(needed);
  Instant earliest = needed;
  for (const auto& [id, span] : spans_) earliest = std::min(earliest, span.begin);
  anchors_.forget_before(earliest);
  if (const auto settled = curve_.end())
    std::erase_if(edges_, [&](const WindowEdge& edge) { return edge.at < *settled; });
}

void Recorder::failed(const Error& error) {
  track_.lost();
  if (error.kind == Errc::device_lost || error.kind == Errc::permission || error.kind == Errc::unsupported) {
    if (!failure_) failure_ = error;
  }
}

bool Recorder::ready() const {
  const std::lock_guard lock(mutex_);
  if (failure_) return true;
  if (!curve_.end()) return false;
  if (running_mean_ && !running_mean_->has_full_window()) return false;
  return !facts_ || !counter_works_ || !anchors_.all().empty() || !steps_.empty();
}

SpanId Recorder::open(Instant begin) {
  const std::lock_guard lock(mutex_);
  Span span;
  span.begin = begin;
  span.dropped_before = track_.dropped();
  span.reads_before = reads_;
  check_requested_ = true;
  edges_.push_back({begin, true});
  if (counter_works_) probe_.request();
  spans_.emplace(next_span_, std::move(span));
  return next_span_++;
}

void Recorder::close(SpanId id, Instant end) {
  const std::lock_guard lock(mutex_);
  const auto found = spans_.find(id);
  ERGON_EXPECTS(found != spans_.end() && !found->second.end);
  Span& span = found->second;
  span.end = std::max(end, span.begin);
  if (!span.checked) span.device_state.add(last_state_);  // too short for a check within
  edges_.push_back({*span.end, false});
  if (counter_works_) probe_.request();
  settle();
}

bool Recorder::anchored(Instant moment) const {
  return !anchors_.all().empty() && anchors_.all().back().point.at >= moment;
}

// Means without gaps between their windows cover all energy.
bool Recorder::needs_counter() const {
  if (!facts_ || !counter_works_) return false;
  return !options_.prompt || facts_->field != device::PowerField::samples || facts_->window < facts_->period;
}

std::optional<SpanReport> Recorder::report(SpanId id, bool now) {
  const std::lock_guard lock(mutex_);
  const auto found = spans_.find(id);
  ERGON_EXPECTS(found != spans_.end() && found->second.end);
  Span& span = found->second;
  const bool settled = span.from && span.to && (!needs_counter() || anchored(*span.end));
  if (!settled && !failure_ && !now) return std::nullopt;
  SpanReport report = report_of(span);
  if (settled && facts_) estimate_short(span, report);
  spans_.erase(found);
  std::erase_if(shifts_, [&](const auto& each) { return !is_edge(each.first); });
  return report;
}

// Of a window that was closed.
bool Recorder::is_short(const Span& span) const {
  return facts_ && *span.end - span.begin <= std::max(kShort, facts_->period * kShortPeriods);
}

bool Recorder::is_edge(Instant moment) const {
  return std::any_of(spans_.begin(), spans_.end(), [&](const auto& each) {
    return each.second.begin == moment || each.second.end == moment;
  });
}

// Energy never decreases with time, so that no window between two shifted edges has negative energy.
Joules Recorder::shift_edge(const CurvePoint& edge, Joules wanted) {
  const auto found = shifts_.find(edge.at);
  if (found != shifts_.end()) return found->second.joules;
  for (const auto& [at, other] : shifts_) {
    if (at < edge.at) {
      wanted = std::max(wanted, other.joules - anchors_.energy(other.point, edge).energy);
    } else {
      wanted = std::min(wanted, other.joules + anchors_.energy(edge, other.point).energy);
    }
  }
  return shifts_.emplace(edge.at, Shift{edge, wanted}).first->second.joules;
}

// Replaces the energy of a short window by its posterior, by shifting the curve at its edges. An edge keeps
// the shift that was reported first, and what a later window would need in addition counts as its
// uncertainty.
void Recorder::estimate_short(const Span& span, SpanReport& report) {
  const Instant from = span.begin, to = *span.end;
  const WindowData data = is_short(span) ? recent_.around(from, to) : WindowData{};
  const auto posterior = window_posterior(data, from, to);
  const Joules wanted = posterior ? posterior->energy - report.energy.energy : Joules{};
  const auto end = shifts_.find(to);
  const Joules begins =
      shift_edge(*span.from, end != shifts_.end() ? end->second.joules - wanted : wanted * -0.5);
  const Joules shift = shift_edge(*span.to, begins + wanted) - begins;
  const Joules difference = shift - wanted;
  report.energy.energy = std::max(Joules{}, report.energy.energy + shift);
  report.energy.variance =
      (posterior ? posterior->variance : report.energy.variance) + difference * difference;
  if (!posterior) return;
  if (data.counter.size() < 2) {
    // The nearest steps of the counter may be seconds away.
    if (report.counter_deviation && *report.counter_deviation > report.energy.energy * kUnresolved)
      report.counted = report.integrated = report.counter_deviation = std::nullopt;
    return;
  }
  const auto read = window_posterior({data.readings, {}, data.swing}, from, to);
  const auto counted = window_posterior({{}, data.counter, data.swing}, from, to);
  if (!read || !counted) return;
  report.integrated = read->energy;
  report.counted = counted->energy;
  // What no reading covers cannot disagree.
  Seconds covered;
  for (const MeanPower& reading : data.readings)
    covered += std::max(Seconds{}, std::min(reading.end, to) - std::max(reading.begin, from));
  const Joules unseen = data.swing * std::max(Seconds{}, to - from - covered);
  report.counter_deviation = root(read->variance + counted->variance + unseen * unseen);
}

void Recorder::forget(SpanId id) {
  const std::lock_guard lock(mutex_);
  spans_.erase(id);
}

SpanReport Recorder::report_of(const Span& span) const {
  SpanReport report;
  report.device = device_.identity();
  report.simulated = device_.simulated();
  report.sensor = facts_;
  report.begin = span.begin;
  report.end = *span.end;
  report.highest = span.highest;
  report.period = period_;
  report.samples = span.samples;
  report.dropped = span.dropped_after.value_or(track_.dropped()) - span.dropped_before;
  report.unchanged = span.unchanged;
  report.device_state = span.device_state;
  report.readings = span.readings;
  report.reads = span.reads_after.value_or(reads_) - span.reads_before;
  report.counter_stopped = counter_stopped_ && !anchored(*span.end);
  // A failure after the end of the window does not affect it.
  if (!span.from || !span.to) report.failure = failure_;
  // If the device was lost during the window, the report ends at the last reading.
  const std::optional<CurvePoint> to = span.to || !failure_ || !curve_.end() || *curve_.end() <= span.begin
                                           ? span.to
                                           : curve_.at(*curve_.end());
  if (!span.from || !to) {
    if (!report.failure)
      report.failure = fail(Errc::io, "{}: too few readings in the window", device_.identity().id);
    return report;
  }
  report.end = to->at;
  if (!facts_) {
    report.energy = between(*span.from, *to);
    report.counted = report.energy.energy;
    return report;
  }
  report.energy = anchors_.energy(*span.from, *to);
  report.integrated = between(*span.from, *to).energy;
  if (const auto check = anchors_.check(*span.from, *to)) {
    report.counted = check->counted;
    report.counter_deviation = check->uncertainty;
  }
  return report;
}

void Recorder::end(const Error& why) {
  const std::lock_guard lock(mutex_);
  failed(why);
}

std::optional<Error> Recorder::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::vector<TracePoint> Recorder::take_trace() {
  const std::lock_guard lock(mutex_);
  return std::exchange(trace_, {});
}

}  // namespace ergon::meter
