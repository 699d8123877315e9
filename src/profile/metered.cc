#include "profile/metered.h"

#include <algorithm>

#include "meter/sensor_facts.h"

namespace ergon::profile {
namespace {

class MeteredWindow final : public EnergyWindow {
 public:
  explicit MeteredWindow(meter::Window window) : window_(std::move(window)) {}

  void close() override { window_.close(); }
  Result<meter::Measurement> measurement(const std::stop_token& stop) override {
    return window_.measurement(stop);
  }

 private:
  meter::Window window_;
};

}  // namespace

Seconds min_window_of(const meter::SensorFacts& sensor) {
  constexpr double kUpdates = 5;
  return sensor.period * kUpdates + (sensor.window > sensor.period ? sensor.window : Seconds{0});
}

Seconds padding_of(const meter::SensorFacts& sensor) {
  constexpr Seconds kShort{0.05};
  return sensor.window <= kShort ? sensor.window * 1.2 : Seconds{0};
}

Result<std::unique_ptr<MeteredDevices>> MeteredDevices::start(std::vector<device::Device*> devices,
                                                              Clock& clock, const std::stop_token& stop) {
  auto meter = meter::Meter::start(devices, clock, {std::nullopt, true, true}, stop);
  if (!meter) return meter.error();
  return std::unique_ptr<MeteredDevices>(new MeteredDevices(std::move(devices), std::move(*meter)));
}

MeteredDevices::MeteredDevices(std::vector<device::Device*> devices, std::unique_ptr<meter::Meter> meter)
    : devices_(std::move(devices)), meter_(std::move(meter)) {
  for (device::Device* device : devices_) {
    const auto sensor = meter::best_sensor(*device);
    if (!sensor) continue;
    min_window_ = std::max(min_window_, min_window_of(*sensor));
    padding_ = std::max(padding_, padding_of(*sensor));
  }
}

std::unique_ptr<EnergyWindow> MeteredDevices::open() {
  // Readings are stored per window; discard the meter's trace.
  meter_->take_traces();
  return std::make_unique<MeteredWindow>(meter_->open());
}

std::optional<Celsius> MeteredDevices::temperature() {
  const auto now = devices_.front()->temperature();
  return now ? std::optional(*now) : std::nullopt;
}

}  // namespace ergon::profile
