#include "cap/hangup.h"

#include <csignal>

namespace ergon::app {
namespace {

volatile std::sig_atomic_t came = 0;
struct sigaction before {};

void on_hangup(int) { came = 1; }

}  // namespace

Hangup::Hangup() {
  came = 0;
  struct sigaction action {};
  action.sa_handler = on_hangup;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGHUP, &action, &before);
}

Hangup::~Hangup() { ::sigaction(SIGHUP, &before, nullptr); }

bool Hangup::take() {
  const bool taken = came != 0;
  came = 0;
  return taken;
}

}  // namespace ergon::app
