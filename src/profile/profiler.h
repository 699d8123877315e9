#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/clock.h"
#include "profile/engine.h"
#include "profile/plan.h"
#include "profile/power_meter.h"
#include "profile/row.h"

namespace ergon::profile {

// Below this, time is not proportional to the number of iterations (thesis, 3.2.3).
inline constexpr Seconds kMinTime{0.1};

// Parameters of the measurement of a row.
struct ProfileMethod {
  Seconds time{1};  // minimum; longer if the sensor needs it
  Seconds warm_up{0.2};
  // Segments of equal length, timed individually; their standard deviation is reported. Fewer if iterations
  // are slow.
  std::int64_t segments = 5;
  double proportion_within = 0.05;
  std::uint64_t seed = 1;
};

// A row whose energy is not final yet.
struct Pending {
  Row row;
  std::unique_ptr<EnergyWindow> window;  // null: no energy is measured
};

// Measures items one by one: prepares, warms up, chooses the number of iterations, and runs them in segments.
class Profiler {
 public:
  // All arguments outlive the object. `power_meter` may be null: then only time is measured.
  Profiler(Engine& engine, PowerMeter* power_meter, Clock& clock, const ProfileMethod& method);

  // Work that cannot be run gives a row with that status. `before_window` is called after the warm-up,
  // directly before the window opens; its errors are returned. Errors: device_lost; cancelled.
  using Before = std::function<Result<>()>;
  Result<Pending> measure(const PlanItem& item, const std::stop_token& stop,
                          const Before& before_window = {});
  // The row with its energy. Errors: cancelled; device_lost.
  Result<Row> settle(Pending pending, const std::stop_token& stop) const;

 private:
  Result<> run(PreparedWork& prepared, Row& row, Pending& pending, const std::stop_token& stop,
               const Before& before_window);

  Engine& engine_;
  PowerMeter* power_meter_;
  Clock& clock_;
  ProfileMethod method_;
};

}  // namespace ergon::profile
