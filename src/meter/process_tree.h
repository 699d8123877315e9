#pragma once

#include <cstdint>
#include <filesystem>

namespace ergon::meter {

enum class ProcessRelation : std::uint8_t {
  descendant,  // the process itself, or a direct or indirect child
  unrelated,
  gone,  // no such process, or it is not visible in /proc (another PID namespace)
};

// Relation of `pid` to `ancestor`, from the parent PIDs in /proc.
ProcessRelation process_relation(std::int64_t pid, std::int64_t ancestor,
                                 const std::filesystem::path& proc = "/proc");

}  // namespace ergon::meter
