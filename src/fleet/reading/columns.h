#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::fleet {

// What a column of a file is about.
struct Role {
  std::string_view name;                    // "host", as in a mapping
  std::vector<std::string_view> spellings;  // that are known without one
  bool needed = true;
};

// Whose files they are: the study's, nvidia-smi's, an exporter's.
std::span<const Role> checkpoint_roles();
std::span<const Role> sample_roles();
std::span<const Role> task_roles();
std::span<const Role> means_roles();

// Where a role stands in the answer of find_columns.
enum class CheckpointRole : std::uint8_t { time, host, event, type, job, task };
enum class SampleRole : std::uint8_t {
  time,
  host,
  uuid,
  serial,
  index,
  power,
  temperature,
  utilisation,
  memory
};
inline constexpr std::size_t kCheckpointRoleCount = 6;
inline constexpr std::size_t kSampleRoleCount = 9;

// "host=node,power=watts": which column plays a role, where its name is none of the known ones.
using Mapping = std::map<std::string, std::string, std::less<>>;
Result<Mapping> parse_mapping(std::string_view text);

// Where each role stands in a header; kAbsent for one that is not needed and not there. Errors: a role that
// is needed and not there, with what the file has; a mapping to a column that is not there, or of a role that
// does not exist.
inline constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
// `option` is where a mapping is given, for the error.
Result<std::vector<std::size_t>> find_columns(std::span<const Role> roles,
                                              const std::vector<std::string>& header, const Mapping& mapping,
                                              std::string_view option = {});

// Errors: a role that does not exist.
Result<> check_roles(std::span<const Role> roles, const Mapping& mapping);

}  // namespace ergon::fleet
