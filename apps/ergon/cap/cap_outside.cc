#include "cap/cap_outside.h"

#include "base/units_text.h"
#include "cap/hangup.h"
#include "cap/real_time.h"
#include "control/cap_file.h"
#include "control/cap_schedule.h"
#include "control/cap_socket.h"

namespace ergon::app {
namespace {

using control::CapChange;
using control::CapSource;
using Change = std::optional<CapChange>;

// A source that was asked before the run began: its first answer is given again, and its time goes on.
class AwaitedCap : public CapSource {
 public:
  explicit AwaitedCap(std::unique_ptr<CapSource> inner) : inner_(std::move(inner)) {}

  // Errors: those of the source; somebody stopped the waiting.
  Result<> wait(Clock& clock, const std::stop_token& stop) {
    constexpr Seconds kBetween{0.02};
    const Instant begun = clock.now();
    while (!first_) {
      auto change = inner_->poll(waited_ = clock.now() - begun);
      if (!change) return change.error();
      first_ = std::move(*change);
      if (!first_) sleep_until(clock, clock.now() + kBetween, stop);
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

// SIGHUP has the file read, whatever its modification time says.
class RereadCap final : public CapSource {
 public:
  explicit RereadCap(std::unique_ptr<control::WatchedCap> file) : file_(std::move(file)) {}

  Result<Change> poll(Seconds now) override {
    if (hangup_.take()) file_->reread();
    return file_->poll(now);
  }
  void acknowledge(Watts cap, Seconds took) override { file_->acknowledge(cap, took); }

 private:
  std::unique_ptr<control::WatchedCap> file_;
  Hangup hangup_;
};

Result<std::unique_ptr<CapSource>> outside_cap(const CapSettings& settings) {
  if (settings.cap_socket) return control::socket_cap(*settings.cap_socket);
  auto file = control::watched_cap(*settings.cap_file);
  if (!file) return file.error();
  return std::unique_ptr<CapSource>(std::make_unique<RereadCap>(std::move(*file)));
}

}  // namespace

Result<std::unique_ptr<CapSource>> cap_for(const CapSettings& settings, Shell& shell) {
  if (settings.watts) return control::constant_cap(*settings.watts);
  if (settings.schedule) {
    auto schedule = control::scheduled_cap(*settings.schedule);
    if (!schedule) return schedule;
    // Asked twice, it would have told already: another one is for the run.
    if (const auto first = (*schedule)->poll(Seconds{0}); first && !*first)
      return fail(Errc::invalid_input, "no cap at the beginning: its first time is not 0")
          .in(*settings.schedule);
    return control::scheduled_cap(*settings.schedule);
  }
  auto inner = outside_cap(settings);
  if (!inner) return inner;
  auto awaited = std::make_unique<AwaitedCap>(std::move(*inner));
  if (settings.cap_socket) shell.note(*settings.cap_socket + ": waits for the first cap");
  if (const auto there = awaited->wait(shell.clock(), shell.stop()); !there) return there.error();
  return std::unique_ptr<CapSource>(std::move(awaited));
}

std::string cap_text_of(const CapSettings& settings) {
  if (settings.watts) return to_text(*settings.watts);
  if (settings.schedule) return "the caps of " + *settings.schedule;
  if (settings.cap_file) return "the cap in " + *settings.cap_file;
  return "the caps sent to " + *settings.cap_socket;
}

}  // namespace ergon::app
