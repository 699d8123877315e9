// Accelerators, memories and energies as JSON. Whatever the text is, each of the three readers refuses it in
// words or reads something that can be used.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "systolic/catalogue/catalogue.h"

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
  if (!accelerator && accelerator.error().message.empty()) std::abort();
  return 0;
}
