#pragma once

#include <vector>

#include "device/device.h"
#include "meter/meter.h"
#include "profile/power_watch.h"

namespace ergon::profile {

// A meter as a watch over real devices.
class MeteredDevices final : public PowerWatch {
 public:
  // Devices and clock outlive it. Errors: those of Meter::start().
  static Result<std::unique_ptr<MeteredDevices>> start(std::vector<device::Device*> devices, Clock& clock,
                                                       const std::stop_token& stop);

  std::unique_ptr<Watched> open() override;
  std::optional<Celsius> temperature() override;
  Seconds shortest() const override { return shortest_; }
  Seconds blur() const override { return blur_; }

 private:
  MeteredDevices(std::vector<device::Device*> devices, std::unique_ptr<meter::Meter> meter);

  std::vector<device::Device*> devices_;
  std::unique_ptr<meter::Meter> meter_;
  Seconds shortest_, blur_;
};

// How long a window has to be for a sensor to say something of it: five updates, and what it averages over
// besides.
Seconds shortest_window(const meter::SensorFacts& sensor);
// What a reading of it says of the time around: its mean, where that is short enough to be waited for.
Seconds blur_of(const meter::SensorFacts& sensor);

}  // namespace ergon::profile
