#include "cap/cap_settings.h"

#include <cmath>
#include <set>

#include "base/text.h"
#include "control/choice.h"
#include "profile/test_bench.h"

namespace ergon::app {
namespace {

Result<> check_batch(std::string_view text) {
  const auto number = parse_int64(text);
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (number && *number >= 1 && *number <= kMost) return {};
  return fail(Errc::invalid_input, "--batches wants whole numbers from 1 to {}, got \"{}\"", kMost,
              printable(text));
}

// The rate at which requests come by themselves; nothing where they do not.
Result<std::optional<double>> parse_arrivals(std::string_view text) {
  if (text == "closed") return std::optional<double>();
  constexpr std::string_view kPoisson = "poisson:";
  if (text.starts_with(kPoisson)) {
    const auto rate = parse_double(text.substr(kPoisson.size()));
    if (rate && std::isfinite(*rate) && *rate > 0) return std::optional(*rate);
  }
  return fail(Errc::invalid_input,
              "--arrivals wants closed, or poisson: and requests a second, such as poisson:100, got \"{}\"",
              printable(text));
}

// "trace:FILE"; nothing for the twin.
Result<std::optional<std::string>> parse_plant(std::string_view text) {
  if (text == "twin") return std::optional<std::string>();
  constexpr std::string_view kTrace = "trace:";
  if (text.starts_with(kTrace) && text.size() > kTrace.size())
    return std::optional(std::string(text.substr(kTrace.size())));
  return fail(Errc::invalid_input, "--plant wants twin, or trace:FILE, got \"{}\"", printable(text));
}

}  // namespace

Result<Seconds> parse_latency_bound(std::string_view text) {
  std::string_view time = trim(text);
  const auto bound = time.find('<');
  if (bound != std::string_view::npos) {
    const auto above = time.substr(bound, 2) == "<=" ? bound + 2 : std::string_view::npos;
    if (trim(time.substr(0, bound)) != "p99" || above == std::string_view::npos)
      return fail(Errc::invalid_input, "--latency wants p99<=50ms, or 50ms for short, got \"{}\"",
                  printable(text));
    time = trim(time.substr(above));
  }
  const auto latency = parse_quantity<Seconds>(time, "--latency");
  if (latency && *latency <= Seconds{0})
    return fail(Errc::invalid_input, "--latency wants more than 0, not {}", printable(time));
  return latency;
}

void CapSettings::declare(Options& options) {
  network.declare(options, false);
  options.text("--device", device, "D", "gpu0, a twin from `ergon devices`, or a .json file");
  options.parsed("--plant", "P", "twin (usual), or trace:FILE, a measured table",
                 [this](std::string_view text) -> Result<> {
                   auto file = parse_plant(text);
                   if (!file) return file.error();
                   trace = std::move(*file);
                   return {};
                 });
  options.text("--network", trace_network, "NAME", "of the table that --plant names");
  options.positive_quantity("--watts", watts, "the cap, where it does not change");
  options.text("--schedule", schedule, "FILE", "caps as CSV: time_seconds,watts");
  options.text("--cap-file", cap_file, "FILE", "one cap, read again when it is written");
  options.text("--cap-socket", cap_socket, "PATH", "a Unix socket that takes caps");
  options.word("--controller", controller, "C", control::controller_names(),
               "joint (usual), batchsizer+, batchsizer or dvfs");
  options.positive_quantity("--duration", duration, "of the run (60s)");
  options.parsed("--latency", "Q", "99th percentile, such as p99<=50ms, or 50ms",
                 [this](std::string_view text) -> Result<> {
                   const auto bound = parse_latency_bound(text);
                   if (!bound) return bound.error();
                   latency = *bound;
                   return {};
                 });
  options.list("--batches", batch_texts, "N,...", "to choose from (1,2,3,...,256, as memory allows)",
               check_batch);
  precision.declare(options);
  precision_given_ = options.given("--precision");
  options.flag("--allow-control", allow_control, "permit to set a GPU's clock; it is put back afterwards");
  options.flag("--no-clock", no_clock, "leave the clock alone; choose the batch only");
  options.parsed("--arrivals", "A", "closed: one batch after the other; or poisson:RATE a second",
                 [this](std::string_view text) -> Result<> {
                   const auto parsed = parse_arrivals(text);
                   if (!parsed) return parsed.error();
                   rate = *parsed;
                   return {};
                 });
  options.text("--log", log, "FILE", "every reading and decision as CSV");
  options.count("--seed", seed, "which board, and the sensor's noise (1)");
}

Result<> CapSettings::check_trace() const {
  if (!network.where.empty())
    return fail(Errc::invalid_input, "a trace has its networks: --network {} instead of {}",
                printable(network.where), printable(network.where));
  const std::pair<bool, const char*> meaningless[] = {
      {device.has_value(), "--device"},       {precision_given_(), "--precision"},
      {network.size.has_value(), "--size"},   {network.sequence.has_value(), "--sequence"},
      {!network.dimensions.empty(), "--dim"}, {network.strict, "--strict"},
      {allow_control, "--allow-control"},     {rate.has_value(), "--arrivals poisson"},
  };
  for (const auto& [given, option] : meaningless) {
    if (given) return fail(Errc::invalid_input, "{} says nothing about a trace", option);
  }
  return {};
}

Result<> CapSettings::check_together() const {
  const int caps = int{watts.has_value()} + int{schedule.has_value()} + int{cap_file.has_value()} +
                   int{cap_socket.has_value()};
  if (caps != 1)
    return fail(Errc::invalid_input, "{}: --watts, --schedule, --cap-file or --cap-socket",
                caps == 0 ? "a cap is wanted, by one of these" : "one cap is enough, by one of these");
  if (trace) {
    if (const auto fine = check_trace(); !fine) return fine;
  } else if (network.where.empty()) {
    return fail(Errc::invalid_input, "which network? NET, or --plant trace:FILE");
  } else if (!device) {
    return fail(Errc::invalid_input, "which device? --device D");
  } else if (trace_network) {
    return fail(Errc::invalid_input, "--network is for --plant trace:FILE");
  }
  if (latency && controller != "joint")
    return fail(Errc::invalid_input, "{} knows no --latency; joint does", controller);
  if (no_clock && controller == "dvfs")
    return fail(Errc::invalid_input, "dvfs sets clocks, and --no-clock forbids it");
  if (!trace && names_gpu() && controller == "dvfs" && !allow_control)
    return fail(Errc::invalid_input, "dvfs sets the GPU's clock: that needs --allow-control");
  return {};
}

control::Arrivals CapSettings::arrivals() const {
  return rate ? control::Arrivals::poisson(*rate, seed) : control::Arrivals::closed();
}

std::optional<Seconds> CapSettings::batch_latency() const { return latency && rate ? *latency / 2 : latency; }

bool CapSettings::names_gpu() const { return device && TestBench::is_gpu(*device); }

std::vector<std::int64_t> CapSettings::batches() const {
  std::set<std::int64_t> chosen;
  for (const std::string& text : batch_texts) chosen.insert(*parse_int64(text));
  return {chosen.begin(), chosen.end()};
}

}  // namespace ergon::app
