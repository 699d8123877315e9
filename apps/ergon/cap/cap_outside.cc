#include "cap/cap_outside.h"

#include "base/units_text.h"
#include "cap/hangup.h"
#include "control/caps/awaited_cap.h"
#include "control/caps/cap_schedule.h"
#include "control/caps/cap_socket.h"
#include "control/caps/reread_cap.h"

namespace ergon::app {
namespace {

using control::CapSource;

Result<std::unique_ptr<CapSource>> outside_cap(const CapSettings& settings) {
  if (settings.cap_socket) return control::socket_cap(*settings.cap_socket);
  auto file = control::file_cap(*settings.cap_file);
  if (!file) return file.error();
  const auto hangup = std::make_shared<Hangup>();
  return control::reread_cap(std::move(*file), [hangup] { return hangup->take(); });
}

}  // namespace

Result<std::unique_ptr<CapSource>> cap_for(const CapSettings& settings, Shell& shell) {
  if (settings.cap) return control::constant_cap(*settings.cap);
  if (settings.schedule) return control::scheduled_cap_from_start(*settings.schedule);
  auto inner = outside_cap(settings);
  if (!inner) return inner;
  if (settings.cap_socket) shell.note(*settings.cap_socket + ": waiting for the first cap");
  return control::awaited_cap(std::move(*inner), shell.clock(), shell.stop());
}

std::string cap_text_of(const CapSettings& settings) {
  if (settings.cap) return "cap " + to_text(*settings.cap);
  if (settings.schedule) return "caps from " + *settings.schedule;
  if (settings.cap_file) return "cap from " + *settings.cap_file;
  return "caps from socket " + *settings.cap_socket;
}

}  // namespace ergon::app
