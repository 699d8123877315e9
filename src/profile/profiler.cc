#include "profile/profiler.h"

#include <algorithm>
#include <cmath>

#include "base/statistics/moments.h"
#include "meter/steady_power.h"
#include "profile/repetition.h"

namespace ergon::profile {
namespace {

constexpr std::int64_t kMinSegments = 2;  // for a standard deviation
constexpr Seconds kPause{0.005};          // longest pause without another warm-up
constexpr double kRounding = 1e-12;       // relative deviation of equal times, from rounding alone

void take_power(Row& row, const meter::Measurement& measured) {
  row.simulated = row.simulated || measured.simulated;
  const auto iterations = static_cast<double>(row.iterations);
  if (measured.energy > Joules{0}) {
    row.energy = measured.energy / iterations;
    row.energy_uncertainty = measured.uncertainty / iterations;
    row.energy_statistical = measured.statistical / iterations;
  }
  for (const meter::DeviceMeasurement& source : measured.sources) {
    const meter::SteadyPower steady = meter::steady_power(source.report.readings);
    row.readings += static_cast<std::int64_t>(steady.kept);
    row.readings_dropped += static_cast<std::int64_t>(steady.dropped);
    if (steady.kept > 0) {
      // Apply the correction of the energy to the power.
      const Joules uncorrected = source.report.energy.energy;
      const double gain = uncorrected > Joules{0} ? (source.energy / uncorrected).si() : 1;
      row.power = row.power.value_or(Watts{}) + steady.mean * gain;
      const double spread =
          std::hypot(row.power_deviation.value_or(Watts{}).si(), (steady.spread * gain).si());
      row.power_deviation = Watts{spread};
    } else if (source.mean > Watts{0}) {
      row.power = row.power.value_or(Watts{}) + source.mean;
    }
    const auto& state = source.report.device_state;
    if (state.clock_min) row.clock_min = std::min(row.clock_min.value_or(*state.clock_min), *state.clock_min);
    if (state.clock_max) row.clock_max = std::max(row.clock_max.value_or(*state.clock_max), *state.clock_max);
  }
  for (const meter::Reason& reason : measured.reasons) row.reasons.push_back(reason.code);
  row.valid = row.reasons.empty();
}

Row row_of(const PlanItem& item, const EngineFacts& facts, Timestamp at) {
  Row row;
  row.subject = item.subject;
  row.condition = item.condition;
  row.launch = item.launch;
  row.requested_clock = item.clock;
  row.device = facts.uuid;
  row.repeat = item.repeat;
  row.macs = item.costs.macs;
  row.flops = item.costs.flops;
  row.bytes = item.costs.bytes_moved();
  row.weight_bytes = item.costs.weight_bytes;
  row.simulated = facts.simulated;
  row.at = at;
  return row;
}

// The short run is half a segment, so its variance is twice that of a segment.
bool is_proportional(const Row& row, double within) {
  if (!row.proportion || !row.time) return true;
  constexpr double kDeviations = 3;
  const double scatter =
      std::sqrt(2.0) * kDeviations * (row.time_deviation.value_or(Seconds{}) / *row.time).si();
  return std::fabs(*row.proportion - 1) <= within + scatter;
}

// Status of a row that ended with this error; empty if the error ends the whole run.
std::optional<Status> status_of(Errc kind) {
  switch (kind) {
    case Errc::unsupported:
      return Status::unsupported;
    case Errc::out_of_memory:
      return Status::out_of_memory;
    case Errc::device_lost:
    case Errc::cancelled:
      return std::nullopt;
    default:
      return Status::failed;
  }
}

}  // namespace

Profiler::Profiler(Engine& engine, PowerMeter* power_meter, Clock& clock, const ProfileMethod& method)
    : engine_(engine), power_meter_(power_meter), clock_(clock), method_(method) {
  method_.time = std::max(method_.time, kMinTime);
  if (power_meter_ != nullptr) method_.time = std::max(method_.time, power_meter_->min_window());
}

Result<Pending> Profiler::measure(const PlanItem& item, const std::stop_token& stop,
                                  const Before& before_window) {
  Pending pending{row_of(item, engine_.facts(), clock_.wall_now()), nullptr};
  Row& row = pending.row;
  const auto end_with = [&](const Error& error) -> Result<Pending> {
    const auto status = status_of(error.kind);
    if (!status) return error;
    row.status = *status;
    row.detail = error.message;
    row.valid = false;
    pending.window.reset();
    return std::move(pending);
  };
  const bool operation = item.subject.kind == Subject::Kind::operation;
  auto prepared =
      engine_.prepare(*item.network, item.condition,
                      {item.content.get(), item.launch, operation, item.input_gradient, method_.seed});
  if (!prepared) return end_with(prepared.error());
  row.instances = (*prepared)->instances();
  std::optional<Error> outside;
  const auto before = [&]() -> Result<> {
    auto done = before_window ? before_window() : Result<>();
    if (!done) outside = done.error();
    return done;
  };
  if (auto done = run(**prepared, row, pending, stop, before_window ? before : Before()); !done) {
    // An error of `before_window` does not belong to this row.
    if (outside) return *outside;
    return end_with(done.error());
  }
  return pending;
}

Result<> Profiler::run(PreparedWork& prepared, Row& row, Pending& pending, const std::stop_token& stop,
                       const Before& before_window) {
  const auto pace = work_for(prepared, method_.warm_up, stop);
  if (!pace) return pace.error();
  const auto host = prepared.host_time();
  if (!host) return host.error();
  row.host_time = *host;

  if (before_window) {
    const Instant begin = clock_.now();
    if (auto done = before_window(); !done) return done;
    // The device was idle meanwhile; warm it up again.
    if (clock_.now() - begin > kPause) {
      if (const auto again = work_for(prepared, kPause, stop); !again) return again.error();
    }
  }
  const std::int64_t each = segment_length(method_.time / static_cast<double>(method_.segments), *pace);
  const std::int64_t edge = power_meter_ == nullptr ? 0 : iterations_in(power_meter_->padding(), *pace);
  const auto short_run = prepared.run(std::max({std::int64_t{1}, each / 2, edge}));
  if (!short_run) return short_run.error();

  if (power_meter_ != nullptr) {
    row.temperature_before = power_meter_->temperature();
    pending.window = power_meter_->open();
  }
  statistics::Moments times;
  Seconds total;
  const Seconds min_time = method_.time * 0.98;
  for (std::int64_t segment = 0; segment < kMinSegments || total < min_time; ++segment) {
    if (auto go_on = unless_stopped(stop); !go_on) return go_on;
    const auto ran = prepared.run(each);
    if (!ran) return ran.error();
    total = total + ran->time;
    row.iterations += ran->iterations;
    times.add(ran->each().si());
  }
  if (pending.window) {
    pending.window->close();
    row.temperature_after = power_meter_->temperature();
    if (power_meter_->padding() > Seconds{0}) {
      const std::int64_t rest =
          iterations_in(power_meter_->padding(), total / static_cast<double>(row.iterations));
      if (const auto after = prepared.run(rest); !after) return after.error();
    }
  }
  row.time = total / static_cast<double>(row.iterations);
  if (const auto deviation = times.standard_deviation())
    row.time_deviation = Seconds{*deviation > kRounding * row.time->si() ? *deviation : 0};
  row.proportion = (short_run->each() / *row.time).si();
  return {};
}

Result<Row> Profiler::settle(Pending pending, const std::stop_token& stop) const {
  if (pending.window) {
    const auto measured = pending.window->measurement(stop);
    if (measured) {
      take_power(pending.row, *measured);
    } else if (measured.error().kind == Errc::cancelled || measured.error().kind == Errc::device_lost) {
      return measured.error();
    } else {
      pending.row.reasons.emplace_back("no_energy");
      pending.row.valid = false;
    }
  }
  if (!is_proportional(pending.row, method_.proportion_within)) {
    pending.row.reasons.emplace_back("not_proportional");
    pending.row.valid = false;
  }
  return std::move(pending.row);
}

}  // namespace ergon::profile
