#include "cap/hangup.h"

#include <csignal>

namespace ergon::app {
namespace {

volatile std::sig_atomic_t received = 0;
struct sigaction previous {};

void on_hangup(int) { received = 1; }

}  // namespace

Hangup::Hangup() {
  received = 0;
  struct sigaction action {};
  action.sa_handler = on_hangup;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGHUP, &action, &previous);
}

Hangup::~Hangup() { ::sigaction(SIGHUP, &previous, nullptr); }

bool Hangup::take() {
  const bool taken = received != 0;
  received = 0;
  return taken;
}

}  // namespace ergon::app
