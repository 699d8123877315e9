// Accelerators, memories, energies and voltages as JSON. Whatever the text is, each reader refuses it in
// words or reads something that can be used.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "systolic/catalog/catalog.h"
#include "systolic/catalog/voltage_curve.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ergon;
  using namespace ergon::systolic;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto accelerator = parse_accelerator(text, "fuzz");
  if (accelerator && (!accelerator->machine.check() || !(accelerator->clock.si() > 0))) std::abort();
  const auto memory = parse_memory(text, "fuzz");
  if (memory && !(memory->effective.si() > 0)) std::abort();
  const auto table = parse_energy_table(text, "fuzz");
  if (table && !(table->scratchpad_per_bit(Bytes{4096}).si() >= 0)) std::abort();
  const auto curve = parse_voltage_curve(text, "fuzz");
  if (curve && curve->check(Hertz{5e8})) {
    double before = 0;
    for (double clock = 5e7; clock <= 5e8; clock += 5e7) {
      const double ratio = curve->ratio(Hertz{clock}, Hertz{5e8});
      if (!(ratio >= before && ratio <= 1 + 1e-9)) std::abort();
      before = ratio;
    }
  }
  if (!accelerator && accelerator.error().message.empty()) std::abort();
  return 0;
}
