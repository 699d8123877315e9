// Scenarios of fake-nvml and lines of its shared log.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fake-nvml/record.h"
#include "fake-nvml/scenario.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)ergon::fake_nvml::parse_scenario(text, "fuzz.json");
  (void)ergon::fake_nvml::parse_line(text);
  return 0;
}
