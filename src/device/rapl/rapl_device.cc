#include "device/rapl/rapl_device.h"

#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace ergon::device::rapl {
namespace fs = std::filesystem;
namespace {

Result<std::uint64_t> read_microjoules(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) return text.error();
  const auto number = parse_int64(trim(*text));
  if (!number || *number < 0) {
    return fail(Errc::invalid_input, "{}: \"{}\" is not an energy in microjoules", file.string(),
                printable(trim(*text)));
  }
  return static_cast<std::uint64_t>(*number);
}

Error out_of_range(const fs::path& file, std::uint64_t reading, std::uint64_t range) {
  return fail(Errc::invalid_input, "{}: {} exceeds the counter range of {}", file.string(), reading, range);
}

}  // namespace

RaplDevice::RaplDevice(Identity identity, fs::path file, WrappingCounter counter)
    : identity_(std::move(identity)), file_(std::move(file)), counter_(counter) {
  capabilities_.energy_counter = true;
}

Result<std::unique_ptr<RaplDevice>> RaplDevice::open(Identity identity, const fs::path& zone) {
  const auto range = read_microjoules(zone / "max_energy_range_uj");
  if (!range) return range.error();
  fs::path file = zone / "energy_uj";
  const auto first = read_microjoules(file);
  if (!first) return first.error();
  if (*first > *range) return out_of_range(file, *first, *range);
  return std::unique_ptr<RaplDevice>(
      new RaplDevice(std::move(identity), std::move(file), WrappingCounter(*first, *range)));
}

Result<Joules> RaplDevice::energy_counter() {
  const std::lock_guard lock(reading_);
  const auto reading = read_microjoules(file_);
  if (!reading && reading.error().kind == Errc::not_found) {
    return fail(Errc::device_lost, "{}: the energy counter disappeared ({})", identity_.id, file_.string());
  }
  if (!reading) return reading.error().in(identity_.id);
  if (*reading > counter_.range()) return out_of_range(file_, *reading, counter_.range()).in(identity_.id);
  return Joules{static_cast<double>(counter_.advance(*reading)) / 1e6};
}

}  // namespace ergon::device::rapl
