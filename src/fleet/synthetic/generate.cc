// Writes two merged streams, checkpoints and samples, one minute of fleet time after the other. Both streams
// simulate the tasks of a host independently: that is cheap, and neither stream has to buffer for the other.

#include "fleet/synthetic/generate.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "fleet/synthetic/fleet_writer.h"
#include "fleet/synthetic/folder.h"

namespace ergon::fleet::synthetic {
namespace {

constexpr Seconds kMinute{60};

struct Fleet {
  std::vector<EventStream> events;
  std::vector<SampleStream> samples;
  GeneratedFleet facts;
};

Result<Fleet> fleet_of(const FleetPlan& plan, const std::stop_token& stop) {
  // Boards are copies of the specification; drop the sources of its numbers.
  device::Specification gpu = plan.device;
  gpu.sources.clear();
  gpu.fitted.clear();
  gpu.residuals.clear();
  const RenderPasses passes(gpu);
  const Seconds nominal_pass = nominal_board(gpu, passes).pass;

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
      pass = std::max(pass, boards[i]->pass);  // the slowest GPU determines the pace
    }
    const double pace = (pass / nominal_pass).si();
    fleet.events.emplace_back(plan, host, pace);
    for (std::uint64_t i = 0; i < plan.gpus_per_host; ++i) {
      for (std::uint64_t logger = 0; logger < (traits.two_loggers ? 2u : 1u); ++logger)
        fleet.samples.emplace_back(plan, LoggerId{host, i, logger}, pace, boards[i]);
    }
    fleet.facts.slow_hosts += traits.slow;
    fleet.facts.doubled_hosts += traits.doubled;
    fleet.facts.two_logger_hosts += traits.two_loggers;
    fleet.facts.skewed_hosts += traits.skewed && plan.skew > Seconds{0};
  }
  return fleet;
}

}  // namespace

std::uint64_t minutes_of(const FleetPlan& plan) {
  return static_cast<std::uint64_t>(std::ceil((plan.duration / kMinute).si()));
}

Result<GeneratedFleet> generate(const FleetPlan& plan, const std::filesystem::path& folder,
                                const GenerateCallbacks& callbacks) {
  if (auto checked = check(plan); !checked) return checked.error();
  if (auto prepared = prepare_folder(folder); !prepared) return prepared.error();
  auto fleet = fleet_of(plan, callbacks.stop);
  if (!fleet) return fleet.error();
  auto writing = FleetWriter::begin(plan, folder);
  if (!writing) return writing.error();
  StreamMerge<EventStream> events(std::move(fleet->events));
  StreamMerge<SampleStream> samples(std::move(fleet->samples));

  const std::uint64_t minutes = minutes_of(plan);
  for (std::uint64_t minute = 1; minute <= minutes; ++minute) {
    // Timestamps of skewed loggers can be after the last minute.
    const Instant until =
        minute == minutes ? Instant{kEndOfStream} : later({}, kMinute * static_cast<double>(minute));
    if (auto written = writing->checkpoints(events, until, callbacks.stop); !written) return written.error();
    if (auto written = writing->samples(samples, until, callbacks.stop); !written) return written.error();
    callbacks.minute_done();
  }
  return writing->commit(std::move(fleet->facts));
}

}  // namespace ergon::fleet::synthetic
