#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/clock.h"
#include "profile/engine.h"
#include "profile/plan.h"
#include "profile/power_watch.h"
#include "profile/row.h"

namespace ergon::profile {

// Below, time stops being proportional to iterations (thesis, 3.2.3).
inline constexpr Seconds kLeastTime{0.1};

// How a row is measured.
struct Method {
  Seconds time{1};       // at least so long, and longer where the sensor needs it
  Seconds warm_up{0.2};  // before
  // Of equal length, timed one by one: what they differ by is the deviation. Fewer where iterations are slow.
  std::int64_t segments = 5;
  double proportion_within = 0.05;
  std::uint64_t seed = 1;
};

// A row whose energy is still being settled.
struct Pending {
  Row row;
  std::unique_ptr<Watched> watched;  // null: there is no energy to wait for
};

// Measures items one by one: prepares, warms up, finds out how often to run, runs for so long, in segments.
class Profiler {
 public:
  // All outlive it. `watch` may be null: then there is time and no energy.
  Profiler(Engine& engine, PowerWatch* watch, Clock& clock, const Method& method);

  // Work that cannot be run is a row that says so. Errors: the device is lost; somebody asked to stop.
  // `before_window` is called when all is warm and the window is about to open; its errors are passed on.
  using Before = std::function<Result<>()>;
  Result<Pending> measure(const Item& item, const std::stop_token& stop, const Before& before_window = {});
  // The row with its energy. Errors: somebody asked to stop; the device is lost.
  Result<Row> settle(Pending pending, const std::stop_token& stop) const;

 private:
  Result<> run(Prepared& prepared, Row& row, Pending& pending, const std::stop_token& stop,
               const Before& before_window);

  Engine& engine_;
  PowerWatch* watch_;
  Clock& clock_;
  Method method_;
};

}  // namespace ergon::profile
