#include "control/caps/awaited_cap.h"

#include <utility>

#include "base/sleep.h"

namespace ergon::control {
namespace {

class AwaitedCap final : public CapSource {
 public:
  AwaitedCap(std::unique_ptr<CapSource> inner, CapChange first, Seconds waited)
      : inner_(std::move(inner)), first_(std::move(first)), waited_(waited) {}

  Result<std::optional<CapChange>> poll(Seconds now) override {
    if (first_) return {std::exchange(first_, std::nullopt)};
    return inner_->poll(waited_ + now);
  }
  void acknowledge(Watts cap, Seconds took) override { inner_->acknowledge(cap, took); }
  void refuse(const std::string& why) override { inner_->refuse(why); }

 private:
  std::unique_ptr<CapSource> inner_;
  std::optional<CapChange> first_;
  Seconds waited_;
};

}  // namespace

Result<std::unique_ptr<CapSource>> awaited_cap(std::unique_ptr<CapSource> source, Clock& clock,
                                               const std::stop_token& stop) {
  constexpr Seconds kPollInterval{0.02};
  const Instant begun = clock.now();
  for (;;) {
    const Seconds waited = clock.now() - begun;
    auto change = source->poll(waited);
    if (!change) return change.error();
    if (*change)
      return std::unique_ptr<CapSource>(
          std::make_unique<AwaitedCap>(std::move(source), std::move(**change), waited));
    sleep_until(clock, clock.now() + kPollInterval, stop);
    if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  }
}

}  // namespace ergon::control
