#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "device/device.h"

namespace ergon::meter {

// Properties of a power sensor: timing, averaging and error.
//
//   reading = gain * (mean of the true power over `window`, which ends at the update) + offset + noise
//
// Gain and offset are means over boards of the product; the spreads are the standard deviations between
// boards. The values and their sources are in data/power_sensors.json.
struct SensorFacts {
  device::PowerField field = device::PowerField::usage;
  Seconds period;  // between two updates
  Seconds window;  // averaging window; if shorter than the period, the rest of the period is not sampled
  double gain = 1, gain_spread = 0;
  Watts offset, offset_spread, noise;
  std::string source;
  bool known = true;  // false: the product is not listed, values are assumed
};

// Power sensors by product.
class SensorCatalog {
 public:
  // Errors: invalid_input, naming the invalid field.
  static Result<SensorCatalog> parse(std::string_view json, std::string_view source);

  // The sensors of a product, best first, matched by the words of its name ("NVIDIA A100-SXM4-80GB"). Assumed
  // values for products that are not listed. A device may lack some of the fields; see device::Capabilities.
  std::vector<SensorFacts> of(std::string_view product) const;

 private:
  struct Product {
    std::vector<std::vector<std::string>> names;  // each a sequence of words, lower case
    std::vector<SensorFacts> sensors;
  };
  std::vector<Product> products_;  // the last matches every name
};

// The catalog that is compiled in.
const SensorCatalog& sensor_catalog();
std::string_view builtin_sensor_facts();

// The best sensor that a device has. Errors: unsupported, if it has none.
Result<SensorFacts> best_sensor(device::Device& device, const SensorCatalog& catalog = sensor_catalog());

}  // namespace ergon::meter
