#include "cap/cap_outside.h"

#include "base/units_text.h"
#include "cap/hangup.h"
#include "cap/real_time.h"
#include "control/caps/cap_file.h"
#include "control/caps/cap_schedule.h"
#include "control/caps/cap_socket.h"

namespace ergon::app {
namespace {

using control::CapChange;
using control::CapSource;
using Change = std::optional<CapChange>;

// Waits for the first cap before the run starts; the run then gets that cap at its first poll.
class AwaitedCap : public CapSource {
 public:
  explicit AwaitedCap(std::unique_ptr<CapSource> inner) : inner_(std::move(inner)) {}

  // Errors: those of the source; cancelled on stop.
  Result<> wait(Clock& clock, const std::stop_token& stop) {
    constexpr Seconds kPollInterval{0.02};
    const Instant begun = clock.now();
    while (!first_) {
      auto change = inner_->poll(waited_ = clock.now() - begun);
      if (!change) return change.error();
      first_ = std::move(*change);
      if (!first_) sleep_until(clock, clock.now() + kPollInterval, stop);
      if (!first_ && stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    }
    return {};
  }

  Result<Change> poll(Seconds now) override {
    if (first_) return Result<Change>(std::exchange(first_, std::nullopt));
    return inner_->poll(waited_ + now);
  }
  void acknowledge(Watts cap, Seconds took) override { inner_->acknowledge(cap, took); }

 private:
  std::unique_ptr<CapSource> inner_;
  Change first_;
  Seconds waited_;
};

// Rereads the file on SIGHUP regardless of its modification time.
class RereadCap final : public CapSource {
 public:
  explicit RereadCap(std::unique_ptr<control::FileCap> file) : file_(std::move(file)) {}

  Result<Change> poll(Seconds now) override {
    if (hangup_.take()) file_->reread();
    return file_->poll(now);
  }
  void acknowledge(Watts cap, Seconds took) override { file_->acknowledge(cap, took); }

 private:
  std::unique_ptr<control::FileCap> file_;
  Hangup hangup_;
};

Result<std::unique_ptr<CapSource>> outside_cap(const CapSettings& settings) {
  if (settings.cap_socket) return control::socket_cap(*settings.cap_socket);
  auto file = control::file_cap(*settings.cap_file);
  if (!file) return file.error();
  return std::unique_ptr<CapSource>(std::make_unique<RereadCap>(std::move(*file)));
}

}  // namespace

Result<std::unique_ptr<CapSource>> cap_for(const CapSettings& settings, Shell& shell) {
  if (settings.cap) return control::constant_cap(*settings.cap);
  if (settings.schedule) {
    auto schedule = control::scheduled_cap(*settings.schedule);
    if (!schedule) return schedule;
    // poll() consumes the first cap, so the run gets a new source.
    if (const auto first = (*schedule)->poll(Seconds{0}); first && !*first)
      return fail(Errc::invalid_input, "no cap at time 0; the first line must have time 0")
          .in(*settings.schedule);
    return control::scheduled_cap(*settings.schedule);
  }
  auto inner = outside_cap(settings);
  if (!inner) return inner;
  auto awaited = std::make_unique<AwaitedCap>(std::move(*inner));
  if (settings.cap_socket) shell.note(*settings.cap_socket + ": waiting for the first cap");
  if (const auto there = awaited->wait(shell.clock(), shell.stop()); !there) return there.error();
  return std::unique_ptr<CapSource>(std::move(awaited));
}

std::string cap_text_of(const CapSettings& settings) {
  if (settings.cap) return "cap " + to_text(*settings.cap);
  if (settings.schedule) return "caps from " + *settings.schedule;
  if (settings.cap_file) return "cap from " + *settings.cap_file;
  return "caps from socket " + *settings.cap_socket;
}

}  // namespace ergon::app
