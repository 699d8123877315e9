#include "call_helpers.h"

#include <cstring>

namespace ergon::fake_nvml {

Return give_text(std::string_view text, char* buffer, unsigned length) {
  if (buffer == nullptr) return Return::invalid_argument;
  if (length <= text.size()) return Return::insufficient_size;
  std::memcpy(buffer, text.data(), text.size());
  buffer[text.size()] = '\0';
  return Return::success;
}

std::uint64_t microseconds_of(Timestamp time) { return static_cast<std::uint64_t>(time.ns / 1000); }

}  // namespace ergon::fake_nvml
