#include "world.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/contract.h"
#include "base/text.h"

namespace ergon::fake_nvml {
namespace {

// How often somebody looks whether processes are gone: each look reads a file of /proc for each of them.
constexpr std::int64_t kBlinkNs = 20'000'000;
constexpr std::int64_t kDayNs = 86'400'000'000'000;

}  // namespace

Result<World> World::open(Scenario scenario, const std::filesystem::path& state) {
  // The more wall time has passed, the longer a newcomer has to replay; manual time costs what was asked for.
  auto log = SharedLog::open(state, scenario.digest, !scenario.manual_time);
  if (!log) return log.error();
  World world(std::move(scenario), std::move(*log));
  world.make_gpus();
  if (auto looked = world.look(true); !looked) return looked.error();
  return world;
}

void World::make_gpus() {
  gpus_.clear();
  now_ns_ = 0;
  broken_.reset();
  for (std::size_t i = 0; i < scenario_.seats.size(); ++i) {
    std::vector<Background> background;
    for (const Background& each : scenario_.background) {
      if (each.gpu == i) background.push_back(each);
    }
    std::vector<StuckReading> stuck;
    for (const StuckReading& each : scenario_.faults.stuck) {
      if (each.gpu.value_or(i) == i) stuck.push_back(each);
    }
    gpus_.emplace_back(scenario_.seats[i], std::move(background), stuck);
  }
}

Result<> World::take_in(const Record& record) {
  if (record.command == Command::advance) {
    now_ns_ = std::max(now_ns_, record.moment_ns) + record.first;
    return {};
  }
  if (record.gpu >= gpus_.size()) return fail(Errc::invalid_input, "there is no GPU {}", record.gpu);
  now_ns_ = std::max(now_ns_, record.moment_ns);
  return gpus_[record.gpu].apply(record);
}

Result<> World::take_in(const SharedLog::News& news) {
  if (news.another_world) make_gpus();
  if (broken_) return *broken_;
  for (const std::string_view line : split(news.lines, '\n')) {
    if (line.empty()) continue;
    const auto record = parse_line(line);
    const auto taken = record ? take_in(*record) : Result<>(record.error());
    if (!taken) return broken_ = taken.error().in(log_.path().string()), *broken_;
  }
  if (!scenario_.manual_time) now_ns_ = std::max(now_ns_, news.now_ns);
  return {};
}

Result<> World::look(bool thorough) {
  const auto news = log_.read();
  if (!news) return news.error();
  if (auto taken = take_in(*news); !taken) return taken;
  return bury(thorough);
}

Gpu& World::gpu(std::size_t index) {
  ERGON_EXPECTS(index < gpus_.size());
  gpus_[index].advance_to(now_ns_);
  return gpus_[index];
}

Result<> World::happen(Record record) {
  // What takes long is done before others have to wait.
  if (auto looked = look(); !looked) return looked;
  if (record.command == Command::run) {
    if (auto fits = gpus_[record.gpu].prepare(record.load); !fits) return fits;
  }
  auto hold = log_.hold();
  if (!hold) return hold.error();
  if (auto taken = take_in(hold->news); !taken) return taken;
  record.moment_ns = now_ns_;
  if (auto written = hold->append(to_line(record)); !written) return written;
  return take_in(record);
}

Result<> World::advance(std::int64_t by_ns) {
  if (!scenario_.manual_time) return fail(Errc::unsupported, "time is not manual in this scenario");
  if (by_ns < 0 || by_ns > kDayNs)
    return fail(Errc::invalid_input, "time moves by up to a day, not by {} ns", by_ns);
  return happen({.command = Command::advance, .owner = this_process(), .first = by_ns});
}

Result<> World::begin_anew() {
  {
    auto hold = log_.hold();
    if (!hold) return hold.error();
    if (auto begun = hold->begin_anew(); !begun) return begun;
  }
  return look();
}

// A process that ended without a word leaves its contexts to whoever looks next.
Result<> World::bury(bool thorough) {
  const std::int64_t now = SystemClock().now().ns;
  if (!thorough && now - looked_after_ns_ < kBlinkNs) return {};
  looked_after_ns_ = now;
  std::vector<std::pair<std::size_t, Owner>> gone;
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    for (const Context& context : gpus_[i].contexts()) {
      if (!lives(context.owner)) gone.emplace_back(i, context.owner);
    }
  }
  for (const auto& [gpu, owner] : gone) {
    auto closed = happen({.command = Command::close_context, .gpu = gpu, .owner = owner});
    if (!closed) return closed;
  }
  return {};
}

}  // namespace ergon::fake_nvml
