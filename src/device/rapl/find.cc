#include "device/rapl/find.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "device/rapl/domain.h"
#include "device/rapl/rapl_device.h"

namespace ergon::device::rapl {
namespace fs = std::filesystem;
namespace {

// A hash of the machine id: constant for an installation, different on every machine; empty without an id.
// machine-id(5) says that the id itself is confidential, so only half as many bits are used: FNV-1a, then the
// finalizer of SplitMix64.
std::string machine_hash(const fs::path& machine_id) {
  const auto text = read_file(machine_id);
  if (!text || trim(*text).empty() || trim(*text) == "uninitialized") return "";
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : "ergon" + std::string(trim(*text))) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return fmt::format("{:016x}-", hash ^ (hash >> 31));
}

// Package -> "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz".
std::map<std::int64_t, std::string> processor_names(const fs::path& processors) {
  std::map<std::int64_t, std::string> names;
  const std::string text = read_file(processors).value_or("");
  std::string_view model;
  for (const std::string_view line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto key = trim(line.substr(0, colon));
    const auto value = trim(line.substr(colon + 1));
    if (key == "model name") model = value;
    if (key != "physical id") continue;
    if (const auto package = parse_int64(value)) names.try_emplace(*package, printable(model, 100));
  }
  return names;
}

std::string name_of(const Domain& domain, const std::map<std::int64_t, std::string>& processors) {
  if (domain.memory) return fmt::format("memory of package {}", domain.package);
  const auto name = processors.find(domain.package);
  return name != processors.end() && !name->second.empty() ? name->second
                                                           : fmt::format("package {}", domain.package);
}

// Opens the first readable folder of the domain.
Result<std::unique_ptr<RaplDevice>> open_first(const Domain& domain, const Identity& identity) {
  auto opened = RaplDevice::open(identity, domain.zones.front());
  for (std::size_t i = 1; !opened && i < domain.zones.size(); ++i) {
    if (auto other = RaplDevice::open(identity, domain.zones[i])) opened = std::move(other);
  }
  return opened;
}

Error unreadable_counters(const std::vector<std::string>& ids, const fs::path& powercap) {
  return fail(Errc::permission,
              "{}: only root can read {}. Run as root, or allow all users until the next boot: "
              "sudo chmod a+r {}/energy_uj (docs/devices.md explains why, and a permanent rule)",
              fmt::join(ids, ", "), ids.size() == 1 ? "this energy counter" : "these energy counters",
              (powercap / "intel-rapl*:*").string());
}

}  // namespace

FoundDevices find_devices(const RaplPaths& paths) {
  FoundDevices found;
  auto domains = list_domains(paths.powercap);
  if (!domains) {
    found.problems.push_back(domains.error());
    return found;
  }
  const std::string prefix = machine_hash(paths.machine_id);
  const auto processors = processor_names(paths.processors);
  std::vector<std::string> unreadable;
  for (const Domain& domain : *domains) {
    auto device = open_first(domain, {.id = domain.id(),
                                      .uuid = fmt::format("RAPL-{}{}", prefix, domain.label()),
                                      .name = name_of(domain, processors),
                                      .kind = DeviceKind::rapl});
    if (device) {
      found.devices.push_back(std::move(*device));
    } else if (device.error().kind == Errc::permission) {
      unreadable.push_back(domain.id());
    } else {
      found.problems.push_back(device.error().in(domain.id()));
    }
  }
  if (!unreadable.empty()) found.problems.push_back(unreadable_counters(unreadable, paths.powercap));
  return found;
}

}  // namespace ergon::device::rapl
