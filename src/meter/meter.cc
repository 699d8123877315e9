#include "meter/meter.h"

#include <algorithm>
#include <exception>
#include <new>

namespace ergon::meter {
namespace {

constexpr Seconds kPollInterval{0.005};
constexpr Seconds kMaxSleep{0.05};
constexpr Seconds kReadyTimeout{10};
// After the end of a window; much longer than the lag of the slowest sensor.
constexpr Seconds kReportTimeout{15};

}  // namespace

Window::Window(Window&& other) noexcept
    : meter_(other.meter_),
      spans_(std::exchange(other.spans_, {})),
      reports_(std::move(other.reports_)),
      closed_(std::exchange(other.closed_, Instant{})) {}

Window::~Window() {
  for (std::size_t i = 0; i < spans_.size(); ++i) meter_->recorders_[i]->forget(spans_[i]);
}

void Window::close() {
  if (closed_) return;
  closed_ = meter_->clock_.now();
  for (std::size_t i = 0; i < spans_.size(); ++i) meter_->recorders_[i]->close(spans_[i], *closed_);
}

bool Window::take_report() {
  const std::size_t next = reports_.size();
  const bool late = meter_->clock_.now() >= *closed_ + kReportTimeout;
  auto report = meter_->recorders_[next]->report(spans_[next], late);
  if (report) reports_.push_back(std::move(*report));
  return report.has_value();
}

bool Window::available() {
  close();
  while (reports_.size() < spans_.size()) {
    if (!take_report()) return false;
  }
  return true;
}

Result<std::vector<SpanReport>> Window::reports(const std::stop_token& stop) {
  close();
  Clock& clock = meter_->clock_;
  while (reports_.size() < spans_.size()) {
    if (take_report()) continue;
    if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    clock.sleep_until(clock.now() + kPollInterval);
  }
  for (const SpanReport& report : reports_) {
    if (report.failure && !report.known()) return *report.failure;
  }
  return reports_;
}

Result<Measurement> Window::measurement(const std::stop_token& stop) {
  const auto all = reports(stop);
  if (!all) return all.error();
  return measured(*all);
}

Result<std::unique_ptr<Meter>> Meter::start(const std::vector<device::Device*>& devices, Clock& clock,
                                            const Options& options, const std::stop_token& stop) {
  if (devices.empty()) return fail(Errc::not_found, "no device to measure; see ergon devices");
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (device::Device* device : devices) {
    auto recorder = Recorder::create(*device, clock, options);
    if (!recorder) return recorder.error();
    recorders.push_back(std::move(*recorder));
  }
  std::unique_ptr<Meter> meter(new Meter(std::move(recorders), clock));
  const Instant timeout = clock.now() + kReadyTimeout;
  for (const auto& recorder : meter->recorders_) {
    while (!recorder->ready()) {
      if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
      if (clock.now() >= timeout)
        return fail(Errc::device_lost, "{}: no readings within {:.0f} s", recorder->identity().id,
                    kReadyTimeout.si());
      clock.sleep_until(clock.now() + kPollInterval);
    }
    if (const auto failure = recorder->failure()) return *failure;
  }
  return meter;
}

Meter::Meter(std::vector<std::unique_ptr<Recorder>> recorders, Clock& clock)
    : recorders_(std::move(recorders)), clock_(clock), thread_([this](const std::stop_token& stop) {
        try {
          read_devices(stop);
        } catch (const std::bad_alloc&) {
          end_readings("out of memory");
        } catch (const std::exception& error) {
          end_readings(error.what());
        }
      }) {}

Meter::~Meter() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

Window Meter::open() {
  const Instant now = clock_.now();
  std::vector<SpanId> spans;
  spans.reserve(recorders_.size());
  for (const auto& recorder : recorders_) spans.push_back(recorder->open(now));
  return {*this, std::move(spans)};
}

std::vector<std::vector<TracePoint>> Meter::take_traces() {
  std::vector<std::vector<TracePoint>> traces;
  for (const auto& recorder : recorders_) traces.push_back(recorder->take_trace());
  return traces;
}

void Meter::end_readings(const char* why) const {
  for (const auto& recorder : recorders_) recorder->end(Error{Errc::device_lost, why});
}

void Meter::read_devices(const std::stop_token& stop) {
  std::vector<Instant> due(recorders_.size(), clock_.now());
  while (!stop.stop_requested()) {
    const auto next = std::min_element(due.begin(), due.end());
    const Instant now = clock_.now();
    if (now < *next) {  // short sleeps, so that a stop request takes effect quickly
      clock_.sleep_until(std::min(*next, now + kMaxSleep));
      continue;
    }
    *next = recorders_[static_cast<std::size_t>(next - due.begin())]->read();
  }
}

}  // namespace ergon::meter
