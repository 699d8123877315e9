#include "fleet/reading/columns.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "base/text.h"

namespace ergon::fleet {
namespace {

const std::array kCheckpointRoles{
    ColumnRole{"time", {"timestamp", "time", "ts"}},
    ColumnRole{"host", {"hostname", "Hostname", "host", "node", "instance"}},
    ColumnRole{"event", {"eventName", "event_name", "event"}},
    ColumnRole{"type", {"eventType", "event_type", "type"}},
    ColumnRole{"job", {"jobId", "job_id", "job"}, false},
    ColumnRole{"task", {"taskId", "task_id", "task"}, false},
    ColumnRole{"simulated", {"simulated"}, false},
};
static_assert(kCheckpointRoles.size() == kCheckpointRoleCount);

const std::array kSampleRoles{
    ColumnRole{"time", {"timestamp", "time", "ts"}},
    ColumnRole{"host", {"hostname", "Hostname", "host", "node", "instance"}, false},
    ColumnRole{"uuid", {"gpuUUID", "uuid", "gpu_uuid", "UUID"}, false},
    ColumnRole{"serial", {"gpuSerial", "serial", "gpu_serial"}, false},
    ColumnRole{"index", {"index", "gpu", "pci.bus_id"}, false},
    ColumnRole{"power",
               {"powerDrawWatt", "power.draw [W]", "power.draw", "power.draw.instant [W]", "power_watts",
                "ergon_gpu_power_watts", "DCGM_FI_DEV_POWER_USAGE"}},
    ColumnRole{"temperature",
               {"gpuTempC", "temperature.gpu", "temperature_celsius", "ergon_gpu_temperature_celsius",
                "DCGM_FI_DEV_GPU_TEMP"},
               false},
    ColumnRole{"utilization",
               {"gpuUtilPerc", "utilization.gpu [%]", "utilization.gpu", "utilisation", "utilization",
                "DCGM_FI_DEV_GPU_UTIL"},
               false},
    ColumnRole{"memory",
               {"gpuMemUtilPerc", "utilization.memory [%]", "utilization.memory", "memory_utilisation",
                "memory_utilization", "DCGM_FI_DEV_MEM_COPY_UTIL"},
               false},
    ColumnRole{"simulated", {"simulated", "ergon_gpu_simulated"}, false},
};
static_assert(kSampleRoles.size() == kSampleRoleCount);

const std::array kTaskRoles{
    ColumnRole{"task", {"taskId", "task_id", "task"}},
    ColumnRole{"job", {"jobId", "job_id", "job"}, false},
    ColumnRole{"level", {"level"}},
};

const std::array kMeansRoles{
    ColumnRole{"host", {"hostname", "Hostname", "host", "node"}, false},
    ColumnRole{"uuid", {"gpuUUID", "uuid", "gpu_uuid", "UUID"}, false},
    ColumnRole{"power", {"meanPowerDrawWatt", "power_watts"}},
    ColumnRole{"temperature", {"meanGpuTempC", "temperature_celsius"}},
    ColumnRole{"utilization", {"meanGpuUtilPerc", "utilization", "utilisation"}},
    ColumnRole{"memory", {"meanGpuMemUtilPerc", "memory"}},
    ColumnRole{"simulated", {"simulated"}, false},
};

}  // namespace

std::span<const ColumnRole> checkpoint_roles() { return kCheckpointRoles; }
std::span<const ColumnRole> sample_roles() { return kSampleRoles; }
std::span<const ColumnRole> task_roles() { return kTaskRoles; }
std::span<const ColumnRole> means_roles() { return kMeansRoles; }

Result<ColumnMapping> parse_mapping(std::string_view text) {
  ColumnMapping mapping;
  for (const std::string_view pair : split(text, ',')) {
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == pair.size())
      return fail(Errc::invalid_input, "\"{}\" is not ROLE=COLUMN (example: power=watts)", printable(pair));
    const std::string_view role = trim(pair.substr(0, equals));
    mapping.emplace(role == "utilisation" ? "utilization" : role, trim(pair.substr(equals + 1)));
  }
  return mapping;
}

Result<ColumnMapping> parse_mapping(std::string_view text, std::span<const ColumnRole> roles) {
  auto mapping = parse_mapping(text);
  if (!mapping) return mapping.error();
  if (auto checked = check_roles(roles, *mapping); !checked) return checked.error();
  return mapping;
}

Result<> check_roles(std::span<const ColumnRole> roles, const ColumnMapping& mapping) {
  std::vector<std::string> names;
  for (const ColumnRole& role : roles) names.emplace_back(role.name);
  for (const auto& [role, column] : mapping) {
    if (std::ranges::find(names, role) == names.end())
      return fail(Errc::invalid_input, "unknown role \"{}\"{}; expected {}", printable(role),
                  suggestion(role, names), fmt::join(names, ", "));
  }
  return {};
}

Result<std::vector<std::size_t>> find_columns(std::span<const ColumnRole> roles,
                                              const std::vector<std::string>& header,
                                              const ColumnMapping& mapping, std::string_view option) {
  if (auto checked = check_roles(roles, mapping); !checked) return checked.error();
  const auto column_of = [&](std::string_view column) {
    const auto found = std::ranges::find(header, column);
    return found == header.end() ? kAbsent : static_cast<std::size_t>(found - header.begin());
  };
  std::vector<std::size_t> columns;
  for (const ColumnRole& role : roles) {
    std::size_t column = kAbsent;
    if (const auto mapped = mapping.find(role.name); mapped != mapping.end()) {
      column = column_of(mapped->second);
      if (column == kAbsent)
        return fail(Errc::not_found, "no column \"{}\" for {}; the columns are {}", printable(mapped->second),
                    role.name, fmt::join(header, ", "));
    }
    for (std::size_t i = 0; i < role.spellings.size() && column == kAbsent; ++i)
      column = column_of(role.spellings[i]);
    if (column == kAbsent && role.required)
      return fail(Errc::not_found, "no column for {} ({}); the columns are {}{}", role.name,
                  fmt::join(role.spellings, ", "), fmt::join(header, ", "),
                  option.empty() ? "" : fmt::format("; use {} {}=COLUMN", option, role.name));
    columns.push_back(column);
  }
  return columns;
}

}  // namespace ergon::fleet
