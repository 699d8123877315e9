#include "telemetry.h"

#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "base/timestamp.h"

namespace ergon::bench {
namespace {

struct Gpu {
  std::string identity;  // host, serial and UUID, as in every row
};

std::vector<Gpu> make_fleet(Random& random) {
  std::vector<Gpu> fleet;
  for (int i = 0; i < 1024; ++i) {
    fleet.push_back(
        {fmt::format("\"{:016x}{:016x}{:06X}\",\"032{:010}\",\"GPU-{:08x}-{:04x}-{:04x}-{:04x}-{:012x}\"",
                     random.bits(), random.bits(), i, random.below(9'999'999'999), random.bits() >> 32,
                     random.bits() >> 48, random.bits() >> 48, random.bits() >> 48, random.bits() >> 16)});
  }
  return fleet;
}

}  // namespace

bool write_telemetry(const std::filesystem::path& path, std::size_t target_bytes) {
  Random random(20181108);
  const std::vector<Gpu> fleet = make_fleet(random);
  std::ofstream out(path, std::ios::binary);
  std::string text =
      "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc\n";
  std::size_t written = 0;
  std::int64_t ms = 1541662891055;
  while (written + text.size() < target_bytes) {
    for (const Gpu& gpu : fleet) {
      ms += static_cast<std::int64_t>(random.below(4));
      const bool busy = random.below(10) < 8;
      const double power = busy ? 60 + random.uniform() * 100 : 25 + random.uniform() * 5;
      text +=
          fmt::format("\"{}\",{},{:.2f},{},{},{}\n", to_text(Timestamp{ms * 1'000'000}), gpu.identity, power,
                      30 + random.below(25), busy ? 50 + random.below(51) : 0, busy ? random.below(60) : 0);
    }
    out << text;
    written += text.size();
    text.clear();
  }
  return static_cast<bool>(out.flush());
}

}  // namespace ergon::bench
