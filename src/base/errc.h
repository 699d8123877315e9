#pragma once

#include <span>
#include <string_view>

namespace ergon {

// Kinds of failure. A kind exists only where a caller acts on it differently.
enum class Errc {
  unsupported,    // this device, file or build cannot do it
  permission,     // this user may not do it
  not_found,      // a file, folder, column or process that does not exist
  invalid_input,  // input that cannot be parsed or is out of range
  device_lost,    // a device that worked before no longer responds
  io,             // a read or write failed
  cancelled,      // the user or the caller requested a stop
  out_of_memory,  // a device has less memory than the work needs
  busy,           // another process holds it; a retry may succeed
  unknown_name,   // a name chosen from a known list (network, device, option value) that is not on it
};

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
