// Two streams of rows, of checkpoints and of samples, each merged from many, are written side by side, a
// minute of the fleet's time after the other. Both are computed from the same lives, which each stream lives
// for itself: a host's tasks are cheap, and so neither stream waits for the other or keeps anything for it.

#include "fleet/synthetic/generate.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "fleet/synthetic/folder.h"
#include "fleet/synthetic/writing.h"

namespace ergon::fleet::synthetic {
namespace {

constexpr Seconds kMinute{60};

// All streams of a fleet.
struct Fleet {
  std::vector<EventStream> events;
  std::vector<SampleStream> samples;
  Generated facts;
};

Result<Fleet> fleet_of(const Plan& plan, const std::stop_token& stop) {
  // Boards are copies of it; where its numbers come from need not be copied along.
  device::Specification gpu = plan.device;
  gpu.sources.clear();
  gpu.fitted.clear();
  gpu.residuals.clear();
  const RenderPasses passes(gpu);
  const Seconds usual_pass = plain_board(gpu, passes).pass;

  Fleet fleet;
  fleet.events.reserve(plan.hosts);
  fleet.samples.reserve(plan.hosts * plan.gpus_per_host);
  std::vector<std::shared_ptr<const Board>> boards(plan.gpus_per_host);
  for (std::uint64_t host = 0; host < plan.hosts; ++host) {
    if (stop.stop_requested()) return stopped();
    const HostTraits traits = traits_of(plan.seed, host);
    Seconds pass;
    for (std::uint64_t i = 0; i < plan.gpus_per_host; ++i) {
      boards[i] = std::make_shared<const Board>(board_of(gpu, passes, {plan.seed, host, i, traits.slow}));
      pass = std::max(pass, boards[i]->pass);  // all have to be done
    }
    const double pace = (pass / usual_pass).si();
    fleet.events.emplace_back(plan, host, pace);
    for (std::uint64_t i = 0; i < plan.gpus_per_host; ++i) {
      for (std::uint64_t logger = 0; logger < (traits.two_loggers ? 2u : 1u); ++logger)
        fleet.samples.emplace_back(plan, SampleSource{host, i, logger}, pace, boards[i]);
    }
    fleet.facts.slow_hosts += traits.slow;
    fleet.facts.doubled_hosts += traits.doubled;
    fleet.facts.two_logger_hosts += traits.two_loggers;
    fleet.facts.skewed_hosts += traits.skewed && plan.skew > Seconds{0};
  }
  return fleet;
}

}  // namespace

std::uint64_t minutes_of(const Plan& plan) {
  return static_cast<std::uint64_t>(std::ceil((plan.lasts / kMinute).si()));
}

Result<Generated> generate(const Plan& plan, const std::filesystem::path& folder, const Onlooker& onlooker) {
  if (auto checked = check(plan); !checked) return checked.error();
  if (auto prepared = prepare_folder(folder); !prepared) return prepared.error();
  auto fleet = fleet_of(plan, onlooker.stop);
  if (!fleet) return fleet.error();
  auto writing = Writing::begin(plan, folder);
  if (!writing) return writing.error();
  Merge<EventStream> events(std::move(fleet->events));
  Merge<SampleStream> samples(std::move(fleet->samples));

  const std::uint64_t minutes = minutes_of(plan);
  for (std::uint64_t minute = 1; minute <= minutes; ++minute) {
    // Loggers that run ahead are ahead of the last minute too.
    const Instant until =
        minute == minutes ? Instant{kNoMore} : later({}, kMinute * static_cast<double>(minute));
    if (auto written = writing->checkpoints(events, until, onlooker.stop); !written) return written.error();
    if (auto written = writing->samples(samples, until, onlooker.stop); !written) return written.error();
    onlooker.minute_done();
  }
  return writing->commit(std::move(fleet->facts));
}

}  // namespace ergon::fleet::synthetic
