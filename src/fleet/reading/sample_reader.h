#pragma once

#include <string_view>
#include <vector>

#include "fleet/reading/checkpoint_reader.h"

namespace ergon::fleet {

// What no GPU shows is not believed.
struct Plausible {
  double least = 0, most = 0;
};
inline constexpr PerMetric<Plausible> kPlausible{
    Plausible{0, 2000},   // W
    Plausible{-40, 150},  // degrees Celsius
    Plausible{0, 100},    // percent
    Plausible{0, 100},
};

// The number, or NaN with its reason counted.
double believed(std::optional<double> value, Metric metric, RowCounts& counts);

// Lines of what GPUs showed, read by one thread; it remembers the GPUs it met.
class SampleReader {
 public:
  SampleReader(Vocabulary& words, std::int64_t zone_ns) : words_(words), zone_ns_(zone_ns) {}

  // Appends the rows of `piece`, a part of `text` that begins and ends with lines. `host` is whose they are
  // where no column says it.
  void read(std::string_view text, std::string_view piece, std::span<const std::size_t> places,
            std::string_view host, std::vector<Sample>& rows, RowCounts& counts);

 private:
  struct Identity {
    std::string_view key, host, uuid, serial;
  };
  Code known(const Identity& identity);

  Vocabulary& words_;
  std::int64_t zone_ns_;
  NameCache gpus_;
};

}  // namespace ergon::fleet
