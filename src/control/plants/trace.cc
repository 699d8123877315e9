// Without clocks: linear interpolation in the logarithms of batch, time and power. With clocks the cells are
// scattered (they are the points that controllers visited) and noisy (the maximum over three batches may miss
// the work), so there are two steps.
//
// 1. A trend. Let b and c be the logarithms of batch and clock, scaled to 0..1 over the measured range. The
//    logarithms of time per sample, and of power above a floor, are
//        level + u b^2 + v (1 - (1 - b)^2) + w c.
//    The terms in b span all parabolas, with slopes 2 v at the smallest and 2 u at the largest batch:
//    monotone if and only if both are at least 0. Physical constraints thus become a range of each
//    coefficient: a larger batch does not finish sooner; work does not take longer at a higher clock and
//    shortens at most in proportion; power falls neither with batch nor clock and rises at most with the cube
//    of the clock (f V^2, V proportional to f). Constrained least squares by coordinate descent. A ridge
//    penalty pulls the coefficients to 0, the values without cells: time proportional to the batch, constant
//    power. A cell of n measurements has weight n / (n + 10): beyond ten, noise no longer dominates. The
//    floor is half of the lowest power, so that taking the logarithm does not make a cell an outlier.
// 2. The residuals of the cells are added by inverse-distance weighting (Shepard 1968; cell weight over the
//    squared distance): smooth, and exact at the cells.

#include "control/plants/trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "table/csv/read.h"

namespace ergon::control {
namespace {

constexpr double kMaxMegahertz = 1531;
constexpr std::size_t kMinBatches = 3;

// Columns of a table.
struct Layout {
  std::vector<std::string> name;   // of a network
  std::vector<std::string> fixed;  // equal in all rows of a network
  std::string batch, rate, power;  // rate: samples per second
  std::string count;               // "": each row is one measurement
  std::string clock;               // "": no clocks
};

const std::vector<Layout> kLayouts{
    {{"dnn", "dataset"}, {}, "batch_size", "throughput_img_per_s", "max_power_W", "n", "core_clock_MHz"},
    {{"model"}, {"size", "mode", "dtype"}, "batch", "samples_per_s", "p_mean_instant_w", "iters", ""},
    {{"network"}, {"precision"}, "batch", "throughput_samples_per_second", "mean_power_watts", "", ""}};

// A table in one of the layouts.
struct TraceTable {
  table::Table table;
  Layout layout;

  std::string field(const std::string& name, std::size_t row) const {
    return (*table.column(name))->cell(row);
  }
  std::string joined(const std::vector<std::string>& columns, std::size_t row) const {
    std::string all;
    for (const auto& column : columns) all.append(all.empty() ? "" : "/").append(field(column, row));
    return all;
  }
  std::vector<std::string> networks() const {
    std::vector<std::string> names;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto name = joined(layout.name, row);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
  }
  Result<double> amount(const std::string& column, std::size_t row) const {
    constexpr double kMin = 1e-9, kMax = 1e12;  // range of plausible values
    const std::string text = field(column, row);
    const auto number = parse_double(text);
    if (number && *number >= kMin && *number <= kMax) return *number;
    return fail(Errc::invalid_input, "row {}, column {}: \"{}\" is not a number above 0", row + 1, column,
                printable(text));
  }
  Result<TraceCell> cell(std::size_t row) const {
    const auto batch = amount(layout.batch, row), rate = amount(layout.rate, row);
    const auto power = amount(layout.power, row);
    const Result<double> count = layout.count.empty() ? 1.0 : amount(layout.count, row);
    Result<double> megahertz = kMaxMegahertz;
    if (!layout.clock.empty() && field(layout.clock, row) != "auto") megahertz = amount(layout.clock, row);
    for (const auto* each : {&batch, &rate, &power, &count, &std::as_const(megahertz)}) {
      if (!*each) return each->error();
    }
    if (*batch != std::floor(*batch))
      return fail(Errc::invalid_input, "row {}, column {}: batch {} is not a whole number", row + 1,
                  layout.batch, *batch);
    const Point point{static_cast<std::int64_t>(*batch),
                      layout.clock.empty() ? std::nullopt : std::optional(Hertz{*megahertz * 1e6})};
    return TraceCell{point, Seconds{*batch / *rate}, Watts{*power}, *count};
  }
};

Result<TraceTable> read_table(const std::string& path) {
  auto csv = table::read_csv(path);
  if (!csv) return csv.error();
  std::string missing;
  for (const Layout& layout : kLayouts) {
    std::vector<std::string> columns{layout.batch, layout.rate, layout.power, layout.count, layout.clock};
    columns.insert(columns.begin(), layout.fixed.begin(), layout.fixed.end());
    columns.insert(columns.begin(), layout.name.begin(), layout.name.end());
    const auto absent = std::ranges::find_if_not(
        columns, [&](const auto& column) { return column.empty() || csv->table.has(column); });
    if (absent == columns.end()) return TraceTable{std::move(csv->table), layout};
    missing += fmt::format("{} \"{}\"", missing.empty() ? "" : " or", *absent);
  }
  return fail(Errc::invalid_input, "{}: unknown table layout: missing column{}", path, missing);
}

auto key_of(const Point& point) { return std::pair(point.batch, point.clock.value_or(Hertz{0})); }
Expectation whole(Seconds time, Watts power) { return {time, power, {}, {}}; }  // parts unknown
double log_batch(const Point& point) { return std::log(static_cast<double>(point.batch)); }
double log_clock(const Point& point) { return point.clock ? std::log(point.clock->si()) : 0; }

}  // namespace

Knobs BatchTrace::knobs() const {
  std::set<std::int64_t> batches;
  std::set<Hertz> clocks;
  for (const TraceCell& cell : cells) {
    batches.insert(cell.point.batch);
    if (cell.point.clock) clocks.insert(*cell.point.clock);
  }
  return {{batches.begin(), batches.end()}, {clocks.begin(), clocks.end()}};
}

Result<std::vector<std::string>> trace_networks(const std::string& path) {
  return read_table(path).and_then([](auto&& table) { return Result(table.networks()); });
}

Result<BatchTrace> read_trace(const std::string& path, const std::string& network) {
  const auto table = read_table(path);
  if (!table) return table.error();
  const auto names = table->networks();
  auto name = std::ranges::find(names, network);
  if (name == names.end())
    name = std::ranges::find(names, lower(network), [](const auto& each) { return lower(each); });
  if (name == names.end())
    return fail(Errc::unknown_name, "{}: unknown network \"{}\"{}", path, printable(network),
                suggestion(network, names));
  std::map<std::pair<std::int64_t, Hertz>, TraceCell> cells;
  std::set<std::string> kinds;
  for (std::size_t row = 0; row < table->table.rows(); ++row) {
    if (table->joined(table->layout.name, row) != *name) continue;
    const auto read = table->cell(row);
    if (!read) return read.error().in(path);
    kinds.insert(table->joined(table->layout.fixed, row));
    const auto [found, fresh] = cells.emplace(key_of(read->point), *read);
    if (fresh) continue;
    TraceCell& cell = found->second;
    cell.weight += read->weight;
    cell.time += (read->time - cell.time) * (read->weight / cell.weight);
    cell.power += (read->power - cell.power) * (read->weight / cell.weight);
  }
  if (kinds.size() > 1)
    return fail(Errc::invalid_input, "{}: {} has rows of {} and of {}", path, *name, *kinds.begin(),
                *kinds.rbegin());
  BatchTrace trace{*name, path, {}};
  for (const auto& entry : cells) trace.cells.push_back(entry.second);
  const std::size_t batches = trace.knobs().batches.size();
  if (batches >= kMinBatches) return trace;
  return fail(Errc::invalid_input, "{}: {} has {}; a trace needs at least {}", path, *name,
              counted(batches, "batch size"), kMinBatches);
}

TraceSurface::TraceSurface(BatchTrace trace) : trace_(std::move(trace)) {
  auto& cells = trace_.cells;
  ERGON_EXPECTS(!cells.empty());
  std::ranges::sort(cells, {}, [](const TraceCell& cell) { return key_of(cell.point); });
  batches_ = {log_batch(cells.front().point), log_batch(cells.back().point)};
  const auto [slowest, fastest] =
      std::ranges::minmax(cells, {}, [](const TraceCell& cell) { return cell.point.clock; });
  clocks_ = {log_clock(slowest.point), log_clock(fastest.point)};
  floor_ = std::ranges::min(cells, {}, &TraceCell::power).power / 2;
  constexpr double kHalfWeight = 10, kAny = std::numeric_limits<double>::max();
  std::vector<double> times, powers;
  for (const TraceCell& cell : cells) {
    ERGON_EXPECTS(cell.point.batch > 0 && cell.point.clock.has_value() == clocked());
    ERGON_EXPECTS(cell.time > Seconds{0} && cell.power > Watts{0} && cell.weight > 0);
    coordinates_.push_back(coordinates_of(cell.point));
    weights_.push_back(cell.weight / (cell.weight + kHalfWeight));
    times.push_back(std::log(cell.time.si()) - log_batch(cell.point));
    powers.push_back(std::log((cell.power - floor_).si()));
  }
  // At u = v = 0 time is proportional to the batch; at minus half the range it is constant.
  const Range not_sooner{(batches_.min - batches_.max) / 2, kAny}, rising{0, kAny};
  const double clocks_apart = clocks_.max - clocks_.min;
  time_per_sample_ = fit(times, {Range{-kAny, kAny}, not_sooner, not_sooner, Range{-clocks_apart, 0}});
  power_above_floor_ = fit(powers, {Range{-kAny, kAny}, rising, rising, Range{0, 3 * clocks_apart}});
}

TraceSurface::Coordinates TraceSurface::coordinates_of(const Point& point) const {
  return {batches_.share(log_batch(point)), clocks_.share(log_clock(point))};
}

TraceSurface::Trend TraceSurface::fit(const std::vector<double>& values,
                                      const std::array<Range, 4>& allowed) const {
  constexpr Terms kRidge{0, 0.05, 0.05, 0.05};
  Trend trend{{}, values};
  double moved = 1;
  for (int sweep = 0; sweep < 20'000 && moved > 1e-10; ++sweep) {
    moved = 0;
    for (std::size_t k = 0; k < kRidge.size(); ++k) {
      double along = 0, across = kRidge[k];
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = coordinates_[i].terms()[k];
        along += weights_[i] * x * (trend.residuals[i] + trend.coefficients[k] * x);
        across += weights_[i] * x * x;
      }
      const double best = std::clamp(along / across, allowed[k].min, allowed[k].max);
      const double change = best - std::exchange(trend.coefficients[k], best);
      for (std::size_t i = 0; i < values.size(); ++i)
        trend.residuals[i] -= change * coordinates_[i].terms()[k];
      moved = std::max(moved, std::abs(change));
    }
  }
  return trend;
}

double TraceSurface::value_of(const Trend& trend, const Point& point) const {
  constexpr double kMinDistance = 1e-200;  // another clock has distance 0 if all cells have the same clock
  const Coordinates at = coordinates_of(point);
  const Terms terms = at.terms();
  double residual = 0, total = 0, value = 0;
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    const double b = at.batch - coordinates_[i].batch, c = at.clock - coordinates_[i].clock;
    const double nearness = weights_[i] / std::max(b * b + c * c, kMinDistance);
    residual += nearness * trend.residuals[i];
    total += nearness;
  }
  for (std::size_t k = 0; k < terms.size(); ++k) value += trend.coefficients[k] * terms[k];
  return value + residual / total;
}

Expectation TraceSurface::at(const Point& point) const {
  const auto& cells = trace_.cells;
  ERGON_EXPECTS(point.clock.has_value() == clocked());
  ERGON_EXPECTS(cells.front().point.batch <= point.batch && point.batch <= cells.back().point.batch);
  const auto measured = std::ranges::find(cells, point, &TraceCell::point);
  if (measured != cells.end()) return whole(measured->time, measured->power);
  if (clocked()) {
    return whole(Seconds{std::exp(value_of(time_per_sample_, point) + log_batch(point))},
                 floor_ + Watts{std::exp(value_of(power_above_floor_, point))});
  }
  const auto above =
      std::ranges::upper_bound(cells, point.batch, {}, [](const auto& cell) { return cell.point.batch; });
  const TraceCell &from = *std::prev(above), &to = *above;
  const double share = Range{log_batch(from.point), log_batch(to.point)}.share(log_batch(point));
  return whole(from.time * std::pow((to.time / from.time).si(), share),
               from.power * std::pow((to.power / from.power).si(), share));
}

}  // namespace ergon::control
