#include "fleet/reading/columns.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "base/text.h"

namespace ergon::fleet {
namespace {

const std::array kCheckpointRoles{
    Role{"time", {"timestamp", "time", "ts"}},
    Role{"host", {"hostname", "Hostname", "host", "node", "instance"}},
    Role{"event", {"eventName", "event_name", "event"}},
    Role{"type", {"eventType", "event_type", "type"}},
    Role{"job", {"jobId", "job_id", "job"}, false},
    Role{"task", {"taskId", "task_id", "task"}, false},
};
static_assert(kCheckpointRoles.size() == kCheckpointRoleCount);

const std::array kSampleRoles{
    Role{"time", {"timestamp", "time", "ts"}},
    Role{"host", {"hostname", "Hostname", "host", "node", "instance"}, false},
    Role{"uuid", {"gpuUUID", "uuid", "gpu_uuid", "UUID"}, false},
    Role{"serial", {"gpuSerial", "serial", "gpu_serial"}, false},
    Role{"index", {"index", "gpu", "pci.bus_id"}, false},
    Role{"power",
         {"powerDrawWatt", "power.draw [W]", "power.draw", "power.draw.instant [W]", "power_watts",
          "ergon_gpu_power_watts", "DCGM_FI_DEV_POWER_USAGE"}},
    Role{"temperature",
         {"gpuTempC", "temperature.gpu", "temperature_celsius", "ergon_gpu_temperature_celsius",
          "DCGM_FI_DEV_GPU_TEMP"},
         false},
    Role{"utilisation",
         {"gpuUtilPerc", "utilization.gpu [%]", "utilization.gpu", "utilisation", "utilization",
          "DCGM_FI_DEV_GPU_UTIL"},
         false},
    Role{"memory",
         {"gpuMemUtilPerc", "utilization.memory [%]", "utilization.memory", "memory_utilisation",
          "DCGM_FI_DEV_MEM_COPY_UTIL"},
         false},
};
static_assert(kSampleRoles.size() == kSampleRoleCount);

const std::array kTaskRoles{
    Role{"task", {"taskId", "task_id", "task"}},
    Role{"job", {"jobId", "job_id", "job"}, false},
    Role{"level", {"level"}},
};

const std::array kMeansRoles{
    Role{"host", {"hostname", "Hostname", "host", "node"}, false},
    Role{"uuid", {"gpuUUID", "uuid", "gpu_uuid", "UUID"}, false},
    Role{"power", {"meanPowerDrawWatt", "power_watts"}},
    Role{"temperature", {"meanGpuTempC", "temperature_celsius"}},
    Role{"utilisation", {"meanGpuUtilPerc", "utilisation"}},
    Role{"memory", {"meanGpuMemUtilPerc", "memory"}},
};

}  // namespace

std::span<const Role> checkpoint_roles() { return kCheckpointRoles; }
std::span<const Role> sample_roles() { return kSampleRoles; }
std::span<const Role> task_roles() { return kTaskRoles; }
std::span<const Role> means_roles() { return kMeansRoles; }

Result<Mapping> parse_mapping(std::string_view text) {
  Mapping mapping;
  for (const std::string_view pair : split(text, ',')) {
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == pair.size())
      return fail(Errc::invalid_input, "a mapping is ROLE=COLUMN,..., not \"{}\"", printable(pair));
    mapping.emplace(trim(pair.substr(0, equals)), trim(pair.substr(equals + 1)));
  }
  return mapping;
}

Result<> check_roles(std::span<const Role> roles, const Mapping& mapping) {
  std::vector<std::string> names;
  for (const Role& role : roles) names.emplace_back(role.name);
  for (const auto& [role, column] : mapping) {
    if (std::ranges::find(names, role) == names.end())
      return fail(Errc::invalid_input, "there is no role \"{}\"{}; there are {}", printable(role),
                  suggestion(role, names), fmt::join(names, ", "));
  }
  return {};
}

Result<std::vector<std::size_t>> find_columns(std::span<const Role> roles,
                                              const std::vector<std::string>& header, const Mapping& mapping,
                                              std::string_view option) {
  if (auto checked = check_roles(roles, mapping); !checked) return checked.error();
  const auto place_of = [&](std::string_view column) {
    const auto found = std::ranges::find(header, column);
    return found == header.end() ? kAbsent : static_cast<std::size_t>(found - header.begin());
  };
  std::vector<std::size_t> places;
  for (const Role& role : roles) {
    std::size_t place = kAbsent;
    if (const auto mapped = mapping.find(role.name); mapped != mapping.end()) {
      place = place_of(mapped->second);
      if (place == kAbsent)
        return fail(Errc::not_found, "no column \"{}\" for {}; there are {}", printable(mapped->second),
                    role.name, fmt::join(header, ", "));
    }
    for (std::size_t i = 0; i < role.spellings.size() && place == kAbsent; ++i)
      place = place_of(role.spellings[i]);
    if (place == kAbsent && role.needed)
      return fail(Errc::not_found, "no column for {} ({}); there are {}{}", role.name,
                  fmt::join(role.spellings, ", "), fmt::join(header, ", "),
                  option.empty() ? "" : fmt::format(". {} {}=COLUMN can name it", option, role.name));
    places.push_back(place);
  }
  return places;
}

}  // namespace ergon::fleet
