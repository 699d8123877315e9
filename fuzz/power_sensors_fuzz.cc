// The power sensor catalog, and lookups of product names in it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "meter/sensor_facts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto catalog = ergon::meter::SensorCatalog::parse(text, "fuzz.json");
  if (catalog) (void)catalog->of("NVIDIA A100-SXM4-80GB");
  (void)ergon::meter::sensor_catalog().of(text);
  return 0;
}
