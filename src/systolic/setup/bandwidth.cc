#include "systolic/setup/bandwidth.h"

#include <fmt/format.h>

#include "base/number_text.h"
#include "base/text.h"
#include "base/units_text.h"

namespace ergon::systolic {
namespace {

constexpr std::string_view kCalculated = "calc";
constexpr double kMaxWords = 1e9, kMinWords = 1e-6;  // per cycle

}  // namespace

Result<Bandwidth> parse_bandwidth(std::string_view text) {
  Bandwidth bandwidth{.text = std::string(text)};
  if (text == kCalculated) return bandwidth;
  if (const auto words = parse_double(text)) {
    if (*words >= kMinWords && *words <= kMaxWords) {
      bandwidth.words_per_cycle = *words;
      return bandwidth;
    }
  } else if (const auto rate = parse_quantity<BytesPerSecond>(text, "bandwidth"); rate && rate->si() > 0) {
    bandwidth.rate = *rate;
    return bandwidth;
  }
  return fail(Errc::invalid_input,
              "\"{}\" is not a bandwidth: words per cycle up to {}, a rate (28GB/s), or calc",
              printable(text), grouped_text(kMaxWords));
}

Result<MemoryPort> port_of(double words_per_cycle, Semantics semantics) {
  if (words_per_cycle < kMinWords) {
    return fail(Errc::invalid_input, "{:.3g} words per cycle is too small; the minimum is {:.0e}",
                words_per_cycle, kMinWords);
  }
  if (words_per_cycle > kMaxWords) {
    return fail(Errc::invalid_input, "{} words per cycle is too large; the maximum is {}",
                grouped_text(words_per_cycle), grouped_text(kMaxWords));
  }
  if (semantics != Semantics::ergon && words_per_cycle < 1) {
    return fail(Errc::invalid_input,
                "{} words per cycle: SCALE-Sim needs at least 1; --semantics ergon accepts fractions",
                grouped_text(words_per_cycle, 3));
  }
  return MemoryPort::of(words_per_cycle);
}

Result<MemoryPort> port_of(const Bandwidth& bandwidth, Semantics semantics, const Accelerator* accelerator,
                           std::optional<Hertz> clock) {
  if (bandwidth.is_calculated()) return MemoryPort::as_needed();
  if (bandwidth.words_per_cycle) return port_of(*bandwidth.words_per_cycle, semantics);
  if (accelerator == nullptr || !clock) {
    return fail(Errc::invalid_input, "{}: the clock is unknown without --accelerator; give words per cycle",
                printable(bandwidth.text));
  }
  return port_of(
      bandwidth.rate->si() / (clock->si() * static_cast<double>(accelerator->memory_bytes_per_word)),
      semantics);
}

std::string words_text(const MemoryPort& port, Semantics semantics) {
  if (port.calculated) return std::string(kCalculated);
  return semantics == Semantics::ergon ? grouped_text(port.channel_words)
                                       : fmt::format("{}", port.ports.ofmap);
}

}  // namespace ergon::systolic
