#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "device/device.h"

namespace ergon::meter {

// What is known of a power reading before anything is read: how it comes about, and how wrong it may be.
//
//   reading = gain * (mean of the true power over `window`, which ends at the update) + offset + noise
//
// Gain and offset are those of an average board; one board's differ from them by the spreads, which are
// standard deviations. data/power_sensors.json has the numbers and says where each comes from.
struct SensorFacts {
  device::PowerField field = device::PowerField::usage;
  Seconds period;  // between two updates
  Seconds window;  // shorter than the period: the rest is not seen
  double gain = 1, gain_spread = 0;
  Watts offset, offset_spread, noise;
  std::string source;
  bool known = true;  // false: assumed for want of anything better
};

// Products and the readings each has, best first.
class SensorCatalogue {
 public:
  // Errors: a file that is not understood, naming what is wrong.
  static Result<SensorCatalogue> parse(std::string_view json, std::string_view source);

  // The readings of a product, best first, by the words of its name ("NVIDIA A100-SXM4-80GB"); assumptions
  // where it is not listed. A product may lack some of the fields: what a device has is for it to say.
  std::vector<SensorFacts> of(std::string_view product) const;

 private:
  struct Product {
    std::vector<std::vector<std::string>> names;  // each a sequence of words
    std::vector<SensorFacts> sensors;
  };
  std::vector<Product> products_;  // the last is for all others
};

// What was built in.
const SensorCatalogue& sensor_catalogue();
std::string_view builtin_sensor_facts();

// The best reading that a device has. Errors: it has none.
Result<SensorFacts> best_sensor(device::Device& device,
                                const SensorCatalogue& catalogue = sensor_catalogue());

}  // namespace ergon::meter
