#pragma once

namespace ergon {

// Aborts with a message that names the broken contract. For programming errors only; failures of devices,
// files and input are returned as a Result.
[[noreturn]] void contract_broken(const char* condition, const char* file, int line);

}  // namespace ergon

// A precondition, checked in every build.
#define ERGON_EXPECTS(condition) \
  (static_cast<bool>(condition) ? void() : ::ergon::contract_broken(#condition, __FILE__, __LINE__))
