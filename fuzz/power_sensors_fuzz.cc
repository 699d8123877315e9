// What is known of power sensors, and products that look for themselves in it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "meter/sensor_facts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto catalogue = ergon::meter::SensorCatalogue::parse(text, "fuzz.json");
  if (catalogue) (void)catalogue->of("NVIDIA A100-SXM4-80GB");
  (void)ergon::meter::sensor_catalogue().of(text);
  return 0;
}
