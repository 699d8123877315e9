#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "base/units_text.h"
#include "base/version.h"
#include "networks/network_source.h"
#include "profile/digest.h"
#include "profile/profile_commands.h"
#include "profile/profile_text.h"
#include "profile/runner.h"
#include "profile/test_bench.h"
#include "report/profile_json.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

struct Settings {
  std::string device;
  std::vector<std::string> networks, batches, modes, precisions, clocks, what;
  std::string layout = "auto";
  std::optional<std::int64_t> size;
  std::optional<Seconds> time, warm_up, limit;
  std::uint64_t repeats = 1, seed = 1;
  bool replay = false, overlap = false, resume = false, skip_unsupported = false, wait_idle = false,
       any_board = false, allow_control = false;
  std::string out;
};

Options::Take one_of(const std::string& option, std::vector<std::string> allowed) {
  return [option, allowed = std::move(allowed)](std::string_view word) -> Result<> {
    if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return {};
    return fail(Errc::invalid_input, "{} takes {}, not \"{}\"", option, fmt::join(allowed, ", "),
                printable(word));
  };
}

Result<> check_batch(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  const auto number = parse_int64(text);
  if (number && *number >= 1 && *number <= kMost) return {};
  return fail(Errc::invalid_input, "--batch wants whole numbers from 1 on, got \"{}\"", printable(text));
}

Result<> check_clock(std::string_view text) {
  if (text == "own") return {};
  const auto clock = parse_quantity<Hertz>(text, "--clocks");
  if (!clock) return clock.error();
  if (*clock > Hertz{0}) return {};
  return fail(Errc::invalid_input, "--clocks wants more than 0, not {}", printable(text));
}

// In their order, each once.
template <typename T>
std::vector<T> distinct(const std::vector<T>& all) {
  std::vector<T> once;
  for (const T& each : all) {
    if (std::find(once.begin(), once.end(), each) == once.end()) once.push_back(each);
  }
  return once;
}

// Contract: every word was checked.
Result<profile::Grid> grid_of(const Settings& settings) {
  profile::Grid grid;
  grid.seed = settings.seed;
  grid.repeats = static_cast<std::int64_t>(settings.repeats);
  const auto has = [](const std::vector<std::string>& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  if (!settings.batches.empty()) grid.batches.clear();
  for (const std::string& batch : settings.batches) grid.batches.push_back(*parse_int64(batch));
  if (!settings.modes.empty()) grid.modes.clear();
  if (has(settings.modes, "inference")) grid.modes.push_back(graph::Mode::inference);
  if (has(settings.modes, "training")) grid.modes.push_back(graph::Mode::training);
  if (!settings.precisions.empty()) grid.precisions.clear();
  for (const device::Precision each : device::all_precisions()) {
    if (has(settings.precisions, name_of(each))) grid.precisions.push_back(each);
  }
  if (settings.layout != "auto")
    grid.layout = settings.layout == "nhwc" ? profile::Layout::nhwc : profile::Layout::nchw;
  if (settings.replay) grid.launches.push_back(profile::Launch::replay);
  if (!settings.clocks.empty()) grid.clocks.clear();
  for (const std::string& text : settings.clocks) {
    if (text == "own") {
      grid.clocks.emplace_back();
    } else {
      grid.clocks.emplace_back(*parse_quantity<Hertz>(text, "--clocks"));
    }
  }
  grid.batches = distinct(grid.batches);
  grid.clocks = distinct(grid.clocks);
  if (!settings.what.empty()) {
    grid.operations = has(settings.what, "operations");
    grid.networks = has(settings.what, "networks");
  }
  return grid;
}

// What a network is called in the dataset: its name in the zoo, with its family unless that is the usual one;
// a file's with a digest of what it holds, so that another file of that name is another network.
Result<std::string> title_of(const NetworkSource& source, const graph::Network& network) {
  if (const auto files = source.files(); !files.empty()) {
    const auto text = read_file(files.front());
    if (!text) return text.error();
    return fmt::format("{}#{}", network.name, profile::digest(*text).substr(0, 8));
  }
  const bool usual = network.family == "torchvision" || network.family == "hf";
  std::string title = usual ? network.name : fmt::format("{}/{}", network.family, network.name);
  if (source.size) title += fmt::format("@{}", *source.size);
  return title;
}

class Run {
 public:
  Run(Shell& shell, const Settings& settings) : shell_(shell), settings_(settings) {}

  Result<int> operator()() {
    // Not required by the parser, which would want them from the subcommands too.
    if (settings_.device.empty() || settings_.networks.empty() || settings_.out.empty()) {
      shell_.error("--device, --networks and --out are required; see ergon profile --help");
      return kExitUsage;
    }
    if (auto fine = check(); !fine) return fine.error();
    auto candidates = load();
    if (!candidates) return candidates.error();
    const auto grid = grid_of(settings_);
    if (!grid) return grid.error();
    auto plan = profile::plan(*candidates, *grid);
    if (!plan) return plan.error();
    auto bench = TestBench::open({settings_.device, settings_.allow_control, settings_.seed}, shell_);
    if (!bench) return bench.error();
    if (auto fine = check_operations(*candidates, *grid, (*bench)->engine()); !fine) return fine.error();
    for (const auto& clock : grid->clocks) {
      if (auto fine = (*bench)->check_clock(clock); !fine) return fine.error();
    }
    auto dataset = profile::Dataset::open(settings_.out, {settings_.resume});
    if (!dataset) {
      const bool taken =
          !settings_.resume && dataset.error().message.find("rows already") != std::string::npos;
      return taken ? fail(Errc::invalid_input, "{}; --resume adds to it", dataset.error().message)
                   : dataset.error();
    }
    auto summary = measure(*plan, **bench, *dataset);
    const auto restored = (*bench)->release(shell_);
    if (!summary) {
      shell_.note(fmt::format("what was measured is in {}; --resume goes on from there", settings_.out));
      return summary.error();
    }
    if (!restored) return restored.error();
    return tell(*summary, **bench);
  }

 private:
  Result<> check() const {
    const bool controls = std::any_of(settings_.clocks.begin(), settings_.clocks.end(),
                                      [](const std::string& clock) { return clock != "own"; });
    if (controls && TestBench::is_processor(settings_.device))
      return fail(Errc::invalid_input, "--clocks is for GPUs and twins");
    if (controls && TestBench::is_gpu(settings_.device) && !settings_.allow_control) {
      return fail(Errc::permission,
                  "--clocks changes the GPU's settings for a while: that needs --allow-control");
    }
    if (settings_.time && *settings_.time < profile::kLeastTime) {
      return fail(Errc::invalid_input,
                  "--time {} is too short: below {} time stops being proportional to iterations",
                  to_text(*settings_.time), to_text(profile::kLeastTime));
    }
    return {};
  }

  Result<std::vector<profile::Candidate>> load() const {
    std::vector<profile::Candidate> all;
    for (const std::string& name : settings_.networks) {
      NetworkSource source;
      source.where = name;
      source.size = settings_.size;
      auto loaded = source.load_filled();
      if (!loaded) return loaded.error();
      auto title = title_of(source, loaded->network);
      if (!title) return title.error();
      const auto same =
          std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == *title; });
      if (same == all.end())
        all.push_back({std::move(*title), std::move(loaded->network), std::move(loaded->content)});
    }
    return all;
  }

  // An operation that cannot be run is said before hours are spent on the rest.
  Result<> check_operations(const std::vector<profile::Candidate>& candidates, const profile::Grid& grid,
                            profile::Engine& engine) {
    for (const profile::Candidate& candidate : candidates) {
      for (const graph::Mode mode : grid.modes) {
        const profile::Condition condition{grid.batches.front(), mode, grid.precisions.front(),
                                           profile::Layout::nchw};
        const auto fine =
            engine.check(candidate.network, candidate.content ? &*candidate.content : nullptr, condition);
        if (fine) continue;
        if (fine.error().kind != Errc::unsupported) return fine.error().in(candidate.name);
        const std::string message =
            fmt::format("{}: {} cannot run {}", candidate.name, engine.facts().engine, fine.error().message);
        if (!settings_.skip_unsupported)
          return fail(Errc::unsupported, "{}; --skip-unsupported measures the rest", message);
        shell_.note(message + "; the rest is measured");
        break;
      }
    }
    return {};
  }

  Result<profile::RunSummary> measure(const profile::Plan& plan, TestBench& bench,
                                      profile::Dataset& dataset) {
    profile::Method method;
    method.seed = settings_.seed;
    if (settings_.time) method.time = *settings_.time;
    if (settings_.warm_up) method.warm_up = *settings_.warm_up;
    const auto session = dataset.begin_session(provenance(bench, method));
    if (!session) return session.error();
    profile::Profiler profiler(bench.engine(), bench.watch(), bench.clock(), method);
    auto progress = shell_.progress({"profile", plan.items.size(), "rows"});
    profile::Surrounding around;
    around.overlap = settings_.overlap;
    around.limit = settings_.limit;
    around.any_board = settings_.any_board;
    around.hold_clock = [&](std::optional<Hertz> clock) { return bench.hold_clock(clock); };
    if (settings_.wait_idle) around.before_row = [&] { return wait_for_others(bench); };
    around.after_row = [&](const profile::Row& row) {
      progress->advance();
      if (row.subject.what == profile::Subject::What::network) networks_.push_back(row);
    };
    return run_plan(plan, bench.engine().facts().uuid, profiler, dataset, bench.clock(), around,
                    shell_.stop(), *session);
  }

  Result<> wait_for_others(TestBench& bench) {
    bool said = false;
    for (auto others = bench.strangers(); !others.empty(); others = bench.strangers()) {
      if (shell_.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
      if (!said) shell_.note(fmt::format("waiting for process {} to leave the GPU", fmt::join(others, ", ")));
      said = true;
      constexpr Seconds kGlance{0.5};
      shell_.clock().sleep_until(shell_.clock().now() + kGlance);
    }
    return {};
  }

  Json provenance(const TestBench& bench, const profile::Method& method) {
    Json json = bench.json();
    json["overlap"] = settings_.overlap;
    json["ergon"] = build_facts().version;
    json["commit"] = build_facts().commit;
    json["begun"] = to_text(shell_.clock().wall_now());
    json["method"] = {
        {"least_seconds", method.time.si()},
        {"warm_up_seconds", method.warm_up.si()},
        {"segments", method.segments},
        {"seed", method.seed},
        {"weights", "random, or the numbers of an ONNX file that holds them"},
        {"operations", "a block of instances with weights of their own takes turns; one input"},
        {"training", "forward, backward from a random output gradient, gradients reset; no optimiser"},
        {"power", "mean of the readings within three standard deviations"},
        {"order", "random, by the seed"}};
    return json;
  }

  Result<int> tell(const profile::RunSummary& summary, TestBench& bench) {
    const bool simulated = bench.engine().facts().simulated;
    if (shell_.json) {
      Json body = {{"simulated", simulated}, {"folder", settings_.out}};
      body["device"] = bench.json();
      body.update(report::profile_json(summary, networks_));
      if (auto printed = shell_.print_document("ergon.profile/1", {}, body, simulated); !printed)
        return printed.error();
    } else {
      const std::string text =
          profile_text(summary, networks_, {settings_.device, settings_.out, simulated}, shell_.colour());
      if (auto printed = shell_.print(text); !printed) return printed.error();
    }
    const auto measured = summary.rows.find(profile::Status::measured);
    const bool none_valid = measured != summary.rows.end() && summary.invalid == measured->second;
    return none_valid ? kExitClaimFailed : kExitDone;
  }

  Shell& shell_;
  const Settings& settings_;
  std::vector<profile::Row> networks_;
};

Action declare(Options& options) {
  auto settings = std::make_shared<Settings>();
  options.text("--device", settings->device, "D", "cpu, gpu0 (through CUDA), or a twin from `ergon devices`");
  options.list("--networks", settings->networks, "NET,...", "names from `ergon zoo` or .onnx files");
  options.text("--out", settings->out, "DIR", "the dataset's folder");
  options.flag("--resume", settings->resume, "add what the folder does not hold yet");
  options.flag("--any-board", settings->any_board, "and not what another GPU of that kind has measured");
  options.list("--batch", settings->batches, "N,...", "samples in one iteration (1)", check_batch);
  options.list("--mode", settings->modes, "M,...", "inference, training (inference)",
               one_of("--mode", {"inference", "training"}));
  options.list("--precision", settings->precisions, "P,...", "tf32, fp32, bf16, fp16 (tf32)",
               one_of("--precision", {"tf32", "fp32", "bf16", "fp16"}));
  options.word("--layout", settings->layout, "L", {"auto", "nchw", "nhwc"},
               "nchw, nhwc, or auto: nhwc in 16 bits");
  options.list("--clocks", settings->clocks, "Q,...", "core clocks to lock, or own (own)", check_clock);
  options.flag("--allow-control", settings->allow_control, "permit that; all is put back afterwards");
  options.list("--what", settings->what, "W,...", "operations, networks (both)",
               one_of("--what", {"operations", "networks"}));
  options.parsed("--size", "N", "side of the input image, for networks of the zoo",
                 [target = &settings->size](std::string_view text) -> Result<> {
                   const auto number = parse_int64(text);
                   if (!number || *number < 1 || *number > 100000)
                     return fail(Errc::invalid_input, "--size wants a whole number, got \"{}\"",
                                 printable(text));
                   *target = *number;
                   return {};
                 });
  options.positive_quantity("--time", settings->time, "run each at least so long (1s; 100ms or more)");
  options.positive_quantity("--warm-up", settings->warm_up, "before that (200ms)");
  options.positive_count("--repeat", settings->repeats, 1000, "rows for each, in random order (1)");
  options.flag("--replay", settings->replay, "besides, with CUDA graphs: kernels without launches");
  options.flag("--overlap", settings->overlap, "settle energy while the next row warms up");
  options.positive_quantity("--limit", settings->limit, "begin no row after so long");
  options.flag("--skip-unsupported", settings->skip_unsupported, "leave out what the engine cannot run");
  options.flag("--wait-idle", settings->wait_idle, "wait while others use the GPU");
  options.count("--seed", settings->seed, "of order, weights and inputs (1)");
  return [settings](Shell& shell) { return Run(shell, *settings)(); };
}

}  // namespace

Command profile_command() {
  return {
      .name = "profile",
      .summary = "run operations and networks on a device and keep what they cost",
      .description =
          "Measures time, power and energy of whole networks and of each of their operations, "
          "forward or forward and backward, into a folder of CSV files. docs/profile.md has the "
          "method.",
      .declare = declare,
      .children = {profile_validate_command(), profile_merge_command()},
  };
}

}  // namespace ergon::app
