#include "allocate/runtime/follow.h"

#include "allocate/runtime/governor.h"

namespace ergon::allocate {
namespace {

LayerSetting setting_of(const schedule::Row& row, const Hardware& hardware) {
  const double word_rate = hardware.bandwidth(1).si();
  LayerSetting setting{Hertz{row.frequency_hz}, row.bandwidth_bytes_per_second / word_rate, {}};
  if (row.tail_after_line >= 0) {
    setting.tail = Tail{static_cast<std::int64_t>(row.tail_after_line), Hertz{row.tail_frequency_hz}};
  }
  return setting;
}

// Runs all layers once.
Result<> run_once(const schedule::File& plan, const Hardware& hardware, LayerRunner& runner, bool corrected,
                  GovernorState& state, FollowResult& followed) {
  for (std::size_t layer = 0; layer < plan.layers.size(); ++layer) {
    const std::size_t row = corrected ? choose_row(plan, state, layer) : 0;
    const auto measured = runner.run(layer, setting_of(plan.layers[layer].rows[row], hardware));
    if (!measured) return measured.error();
    observe(plan, state, layer, row, *measured);
    followed.time += *measured;
    followed.corrected += row == 0 ? 0 : 1;
  }
  return {};
}

}  // namespace

Result<FollowResult> follow(const schedule::File& plan, const Hardware& hardware, LayerRunner& runner,
                            std::size_t times, bool corrected, const std::stop_token& stop) {
  GovernorState state;
  FollowResult followed;
  for (std::size_t run = 0; run < times; ++run) {
    if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    const auto done = run_once(plan, hardware, runner, corrected, state, followed);
    const auto finished = runner.finish();
    if (!done) return done.error();
    if (!finished) return finished.error();
    followed.time += *finished;
  }
  return followed;
}

}  // namespace ergon::allocate
