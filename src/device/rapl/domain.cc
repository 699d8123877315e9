#include "device/rapl/domain.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/file.h"
#include "base/text.h"

// Powercap folders are named <type>:<zone>, and <type>:<zone>:<subzone> for parts of a zone. The file "name"
// in each names the counter. All folders, including subzones, are direct children of /sys/class/powercap.

namespace ergon::device::rapl {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kRegisters = "intel-rapl";  // also used for AMD

struct Zone {
  std::string type;
  std::vector<std::int64_t> numbers;
  fs::path folder;

  friend auto operator<=>(const Zone& a, const Zone& b) {
    return std::tie(a.type, a.numbers) <=> std::tie(b.type, b.numbers);
  }
};

std::optional<Zone> zone_in(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const auto words = split(name, ':');
  if (words.size() < 2 || !words[0].starts_with(kRegisters)) return std::nullopt;
  Zone zone{std::string(words[0]), {}, folder};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto number = parse_int64(words[i]);
    if (!number) return std::nullopt;
    zone.numbers.push_back(*number);
  }
  return zone;
}

// "package-1" or "package-1-die-0".
std::optional<Domain> parse_package(std::string_view name) {
  const auto words = split(name, '-');
  if (words[0] != "package" || (words.size() != 2 && words.size() != 4)) return std::nullopt;
  const auto package = parse_int64(words[1]);
  if (!package || *package < 0) return std::nullopt;
  Domain domain{.package = static_cast<int>(*package)};
  if (words.size() == 4) {
    const auto die = parse_int64(words[3]);
    if (words[2] != "die" || !die || *die < 0) return std::nullopt;
    domain.die = static_cast<int>(*die);
  }
  return domain;
}

std::string name_in(const fs::path& folder) {
  return std::string(trim(read_file(folder / "name").value_or("")));
}

// The domain of a zone that is a package or its memory; absent for other zones.
std::optional<Domain> domain_of(const Zone& zone) {
  const std::string name = name_in(zone.folder);
  if (name != "dram") return parse_package(name);
  const std::string folder = zone.folder.filename().string();
  auto domain = parse_package(name_in(zone.folder.parent_path() / folder.substr(0, folder.rfind(':'))));
  if (domain) domain->memory = true;
  return domain;
}

auto sort_key(const Domain& domain) { return std::tie(domain.package, domain.die, domain.memory); }

}  // namespace

std::string Domain::id() const {
  const std::string id = fmt::format("{}{}", memory ? "dram" : "cpu", package);
  return die < 0 ? id : fmt::format("{}-die{}", id, die);
}

std::string Domain::label() const {
  const std::string owner =
      die < 0 ? fmt::format("package-{}", package) : fmt::format("package-{}-die-{}", package, die);
  return memory ? owner + "-dram" : owner;
}

Result<std::vector<Domain>> list_domains(const fs::path& powercap) {
  std::error_code failed;
  std::vector<Zone> zones;
  for (fs::directory_iterator entry(powercap, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (auto zone = zone_in(entry->path())) zones.push_back(std::move(*zone));
  }
  if (failed == std::errc::no_such_file_or_directory) return std::vector<Domain>{};
  if (failed) return errno_error(failed.value()).in(powercap.string());
  std::sort(zones.begin(), zones.end());

  std::vector<Domain> domains;
  for (const Zone& zone : zones) {
    auto domain = domain_of(zone);
    if (!domain) continue;
    const auto same = std::find_if(domains.begin(), domains.end(),
                                   [&](const Domain& other) { return sort_key(other) == sort_key(*domain); });
    Domain& shown = same != domains.end() ? *same : domains.emplace_back(std::move(*domain));
    shown.zones.push_back(zone.folder);
  }
  std::sort(domains.begin(), domains.end(),
            [](const Domain& a, const Domain& b) { return sort_key(a) < sort_key(b); });
  return domains;
}

}  // namespace ergon::device::rapl
