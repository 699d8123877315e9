#include "cap/cap_settings.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "device/twin/network_precision.h"
#include "option_parsers.h"

namespace ergon::app {
namespace {

// Arrival rate in requests per second; empty for closed arrivals.
Result<std::optional<double>> parse_arrivals(std::string_view text) {
  if (text == "closed") return std::optional<double>();
  constexpr std::string_view kPoisson = "poisson:";
  if (text.starts_with(kPoisson)) {
    const auto rate = parse_double(text.substr(kPoisson.size()));
    if (rate && std::isfinite(*rate) && *rate > 0) return std::optional(*rate);
  }
  return fail(Errc::invalid_input, "--arrivals: \"{}\" is not closed or poisson:RATE (example: poisson:100)",
              printable(text));
}

// The file of "trace:FILE"; empty for "twin".
Result<std::optional<std::string>> parse_plant(std::string_view text) {
  if (text == "twin") return std::optional<std::string>();
  constexpr std::string_view kTrace = "trace:";
  if (text.starts_with(kTrace) && text.size() > kTrace.size())
    return std::optional(std::string(text.substr(kTrace.size())));
  return fail(Errc::invalid_input, "--plant: \"{}\" is not twin or trace:FILE", printable(text));
}

}  // namespace

Result<Seconds> parse_latency_bound(std::string_view text) {
  std::string_view time = trim(text);
  const auto bound = time.find('<');
  if (bound != std::string_view::npos) {
    const auto above = time.substr(bound, 2) == "<=" ? bound + 2 : std::string_view::npos;
    if (trim(time.substr(0, bound)) != "p99" || above == std::string_view::npos)
      return fail(Errc::invalid_input, "--max-latency: \"{}\" is not a latency (example: 50ms or p99<=50ms)",
                  printable(text));
    time = trim(time.substr(above));
  }
  auto latency = parse_quantity<Seconds>(time, "--max-latency");
  if (latency && *latency <= Seconds{0})
    return fail(Errc::invalid_input, "--max-latency: {} is not above 0", printable(time));
  return latency;
}

void CapSettings::declare(Options& options) {
  declare_network(options, network, false);
  options.text("--device", device.name, "D", "gpu0, a twin (`ergon devices`) or a .json file");
  options.parsed("--plant", "P", "twin, or trace:FILE for a measured table (default: twin)",
                 [this](std::string_view text) -> Result<> {
                   auto file = parse_plant(text);
                   if (!file) return file.error();
                   trace = std::move(*file);
                   return {};
                 });
  options.text("--network", trace_network, "NAME", "network in the table of --plant trace:FILE");
  options.positive_quantity("--cap", cap, "constant power cap, for example 250W");
  options.alias("--cap", "--watts");
  options.text("--schedule", schedule, "FILE", "caps over time, CSV: time_seconds,watts");
  options.text("--cap-file", cap_file, "FILE", "read the cap from a file; reread when it changes");
  options.text("--cap-socket", cap_socket, "PATH", "receive caps on a Unix socket");
  options.enumeration("--controller", controller, "C", control::kControllers,
                      "joint, batchsizer+, batchsizer or dvfs (default: joint)");
  options.positive_quantity("--duration", duration, "duration of the run (default: 60s)");
  options.parsed("--max-latency", "Q", "bound on the p99 latency, for example 50ms; joint only",
                 [this](std::string_view text) -> Result<> {
                   const auto bound = parse_latency_bound(text);
                   if (!bound) return bound.error();
                   latency = *bound;
                   return {};
                 });
  options.renamed("--latency", "--max-latency");
  options.batch_list("--batch", batches, "allowed batches (default: 1 to 256, as memory allows)");
  options.renamed("--batches", "--batch");
  declare_precision(options, precision);
  precision_given_ = options.given("--precision");
  options.flag("--allow-control", allow_control, "permit locking the GPU's clock; it is restored at the end");
  options.flag("--no-clock", no_clock, "do not set the clock; choose the batch only");
  options.parsed("--arrivals", "A", "closed (default), or poisson:RATE in requests/s",
                 [this](std::string_view text) -> Result<> {
                   const auto parsed = parse_arrivals(text);
                   if (!parsed) return parsed.error();
                   rate = *parsed;
                   return {};
                 });
  options.parsed("--log", "FILE", "write every decision as CSV", taking_table_file(log));
  options.count("--seed", seed, "seed of board variation and sensor noise (default: 1)");
}

Result<> CapSettings::check_trace() const {
  if (!network.where.empty())
    return fail(Errc::invalid_input, "with --plant trace:FILE give the network as --network {}",
                printable(network.where));
  const std::pair<bool, const char*> inapplicable[] = {
      {!device.name.empty(), "--device"},     {precision_given_(), "--precision"},
      {network.size.has_value(), "--size"},   {network.sequence.has_value(), "--sequence"},
      {!network.dimensions.empty(), "--dim"}, {network.strict, "--strict"},
      {allow_control, "--allow-control"},     {rate.has_value(), "--arrivals poisson"},
  };
  for (const auto& [given, option] : inapplicable) {
    if (given) return fail(Errc::invalid_input, "{} does not apply to --plant trace:FILE", option);
  }
  return {};
}

Result<> CapSettings::check_together() const {
  const int caps = int{cap.has_value()} + int{schedule.has_value()} + int{cap_file.has_value()} +
                   int{cap_socket.has_value()};
  if (caps != 1)
    return fail(Errc::invalid_input, "{}: --cap, --schedule, --cap-file or --cap-socket",
                caps == 0 ? "missing cap; give one of" : "more than one cap; give only one of");
  if (trace) {
    if (auto fine = check_trace(); !fine) return fine;
  } else if (network.where.empty()) {
    return fail(Errc::invalid_input, "missing network: give NET or --plant trace:FILE");
  } else if (device.name.empty()) {
    return fail(Errc::invalid_input, "missing device: give --device D");
  } else if (trace_network) {
    return fail(Errc::invalid_input, "--network applies only to --plant trace:FILE");
  }
  const bool is_dvfs = controller == control::ControllerKind::dvfs;
  if (latency && !control::takes_latency(controller))
    return fail(Errc::invalid_input, "--max-latency applies only to joint, not to {}", name_of(controller));
  if (no_clock && is_dvfs)
    return fail(Errc::invalid_input, "dvfs sets the clock and cannot be used with --no-clock");
  if (uses_gpu() && is_dvfs && !allow_control)
    return fail(Errc::invalid_input, "dvfs sets the GPU's clock: give --allow-control");
  return {};
}

control::TargetSettings CapSettings::target() const {
  control::TargetSettings target;
  target.precision = precision.value_or(target.precision);
  target.batches = batches;
  std::sort(target.batches.begin(), target.batches.end());
  target.batches.erase(std::unique(target.batches.begin(), target.batches.end()), target.batches.end());
  target.may_set_clock = !no_clock;
  target.arrival_rate = rate;
  target.latency = latency;
  target.seed = seed;
  return target;
}

control::TargetSettings CapSettings::target_for(const graph::Network& loaded) const {
  control::TargetSettings settings = target();
  settings.precision = precision.value_or(device::default_precision(loaded));
  return settings;
}

}  // namespace ergon::app
