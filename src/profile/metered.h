#pragma once

#include <vector>

#include "device/device.h"
#include "meter/meter.h"
#include "profile/power_meter.h"

namespace ergon::profile {

// Measures real devices with meter::Meter.
class MeteredDevices final : public PowerMeter {
 public:
  // Devices and clock outlive the object. Errors: those of Meter::start().
  static Result<std::unique_ptr<MeteredDevices>> start(std::vector<device::Device*> devices, Clock& clock,
                                                       const std::stop_token& stop);

  std::unique_ptr<EnergyWindow> open() override;
  std::optional<Celsius> temperature() override;
  Seconds min_window() const override { return min_window_; }
  Seconds padding() const override { return padding_; }

 private:
  MeteredDevices(std::vector<device::Device*> devices, std::unique_ptr<meter::Meter> meter);

  std::vector<device::Device*> devices_;
  std::unique_ptr<meter::Meter> meter_;
  Seconds min_window_, padding_;
};

// Minimum window for a sensor: five updates, plus the averaging window if that is longer than a period.
Seconds min_window_of(const meter::SensorFacts& sensor);
// Padding for a sensor: its averaging window; 0 if that is too long to wait for.
Seconds padding_of(const meter::SensorFacts& sensor);

}  // namespace ergon::profile
