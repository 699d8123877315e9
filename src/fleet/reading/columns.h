#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::fleet {

// The meaning of a column, and the header names that are recognized for it.
struct ColumnRole {
  std::string_view name;                    // as in a mapping, for example "host"
  std::vector<std::string_view> spellings;  // header names, in order of preference
  bool required = true;
};

// Recognized header names are those of the TeraScope study, nvidia-smi, dcgm-exporter and Ergon.
std::span<const ColumnRole> checkpoint_roles();
std::span<const ColumnRole> sample_roles();
std::span<const ColumnRole> task_roles();
std::span<const ColumnRole> means_roles();

// Indices into the result of find_columns().
enum class CheckpointRole : std::uint8_t { time, host, event, type, job, task, simulated };
enum class SampleRole : std::uint8_t {
  time,
  host,
  uuid,
  serial,
  index,
  power,
  temperature,
  utilization,
  memory,
  simulated
};
inline constexpr std::size_t kCheckpointRoleCount = 7;
inline constexpr std::size_t kSampleRoleCount = 10;

// "host=node,power=watts": the column of each role. "utilisation" is accepted for "utilization".
using ColumnMapping = std::map<std::string, std::string, std::less<>>;
Result<ColumnMapping> parse_mapping(std::string_view text);
// The same, for these roles. Errors: an unknown role.
Result<ColumnMapping> parse_mapping(std::string_view text, std::span<const ColumnRole> roles);

// Column index of each role; kAbsent for an optional role without a column. `option` is the CLI option of the
// mapping, for error messages. Errors: a required role without a column; a mapping to a column that does not
// exist; an unknown role.
inline constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
Result<std::vector<std::size_t>> find_columns(std::span<const ColumnRole> roles,
                                              const std::vector<std::string>& header,
                                              const ColumnMapping& mapping, std::string_view option = {});

// Errors: an unknown role.
Result<> check_roles(std::span<const ColumnRole> roles, const ColumnMapping& mapping);

}  // namespace ergon::fleet
