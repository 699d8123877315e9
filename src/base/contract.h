#pragma once

namespace ergon {

// Ends the program with a message that names the broken contract. For mistakes of the programmer only;
// whatever the world can do is a Result.
[[noreturn]] void contract_broken(const char* condition, const char* file, int line);

}  // namespace ergon

// States what must hold for a call to make sense. Checked in every build.
#define ERGON_EXPECTS(condition) \
  (static_cast<bool>(condition) ? void() : ::ergon::contract_broken(#condition, __FILE__, __LINE__))
