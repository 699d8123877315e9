#pragma once

#include <ergon/result.h>
#include <span>
#include <string_view>

namespace ergon {

// Exit codes of every program (see docs/architecture.md).
inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitClaimFailed = 3;
inline constexpr int kExitInterrupted = 130;

// How a kind of failure is reported: its name in JSON, the exit code of a command, the HTTP status of the
// API.
struct ErrorMapping {
  Errc kind;
  std::string_view name;
  int exit_code;
  int http_status;
};

const ErrorMapping& mapping_of(Errc kind);

// All mappings, in the order of the enumeration.
std::span<const ErrorMapping> error_mappings();

}  // namespace ergon
