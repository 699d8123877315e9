#include "service/jobs/job_size.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon::service {
namespace {

// What a simulated fleet writes, from 12 hosts with one GPU and one hour (tests/e2e/fleet.md): 3.0 MiB of
// samples, and 1.8 MiB of checkpoints and tasks. Rounded down: hosts are idle at the start and at the end.
constexpr double kSampleBytesPerGpuHour = 250e3, kEventBytesPerHostHour = 140e3;

// Absent: the command reports what is wrong.
std::optional<double> positive_number(const Fields& options, std::string_view name) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const auto& each) { return each.first == name; });
  if (found == options.end()) return std::nullopt;
  const auto number = parse_double(found->second);
  return number && *number > 0 ? number : std::nullopt;
}

// `ergon fleet generate` accepts a loss of up to 99 %.
constexpr double kMinKept = 0.01;

double kept_share(const Fields& options) {
  for (const auto& [name, value] : options) {
    if (name != "loss") continue;
    const auto loss = parse_quantity<Ratio>(value, name);
    if (loss) return std::clamp(1 - loss->si(), kMinKept, 1.0);
  }
  return 1;
}

}  // namespace

Result<> check_size(const JobKind& kind, const Fields& options, const JobLimits& limits) {
  if (kind.command != "fleet") return {};
  const auto hosts = positive_number(options, "hosts"), hours = positive_number(options, "hours");
  if (!hosts || !hours) return {};
  const double gpus = positive_number(options, "gpus-per-host").value_or(1);
  const Bytes size{*hosts * *hours * kept_share(options) *
                   (gpus * kSampleBytesPerGpuHour + kEventBytesPerHostHour)};
  if (size <= limits.disk) return {};
  return fail(
      Errc::invalid_input,
      "hosts, hours: this fleet needs about {} of disk, more than {}; simulate fewer hosts or hours, or "
      "raise --job-disk",
      to_text(size), to_text(limits.disk));
}

}  // namespace ergon::service
