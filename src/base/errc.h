#pragma once

#include <string_view>

namespace ergon {

// The kinds of failure the world can cause. Few on purpose: a kind exists where a caller acts differently.
enum class Errc {
  unsupported,    // this device, file or build cannot do it
  permission,     // it could, but not for this user
  not_found,      // a file, device, network or column that is not there
  invalid_input,  // there, but not understandable
  device_lost,    // a device that answered before and no longer does
  io,             // reading or writing failed underneath
  cancelled,      // somebody asked to stop
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

// How a kind of failure leaves the program: its name in JSON, the exit code of a command, the HTTP status of
// the API.
struct FailureFace {
  Errc kind;
  std::string_view name;
  int exit_code;
  int http_status;
};

// The one table that maps kinds to their faces.
const FailureFace& face(Errc kind);

}  // namespace ergon
