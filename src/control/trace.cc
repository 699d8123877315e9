// Without clocks the cells are joined by straight lines in the logarithms of batch, time and power. With
// clocks they are scattered (controllers measured where they happened to go) and noisy (the maximum over
// three batches may have missed the work altogether), so there are two steps.
//
// 1. A trend. Let b and c be the logarithms of batch and clock, each from 0 to 1 over what was measured. The
//    logarithms of the time of a sample, and of power above a floor, are
//        level + u b^2 + v (1 - (1 - b)^2) + w c.
//    The terms in b span all parabolas, with slopes of 2 v at the least batch and 2 u at the most: monotone
//    exactly if neither is below 0, so that what is known beforehand becomes a range of each coefficient. A
//    larger batch is not done sooner. Work does not take longer at a higher clock, and shortens at most in
//    proportion. Power falls neither with batch nor clock, and rises at most with the clock's third power (f
//    V^2, V in proportion to f). Least squares within the ranges are found by descending along one
//    coefficient after the other. A ridge pulls them to 0, where one would begin without cells: time in
//    proportion to the batch, always the same power. A cell of n measurements weighs n / (n + 10): beyond ten
//    it is no longer their noise by which it differs. The floor is half of the lowest power, so that no cell
//    is an outlier only by its logarithm.
// 2. What each cell has beyond the trend is added, weighted by trust in the cell over the square of its
//    distance (Shepard 1968): smooth, and exact at the cells.

#include "control/trace.h"

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

constexpr double kHighestMegahertz = 1531;
constexpr std::size_t kFewestBatches = 3;

// Columns of a table.
struct Layout {
  std::vector<std::string> name;   // of a network
  std::vector<std::string> alike;  // in which a network's rows agree
  std::string batch, pace, power;  // pace: samples in a second
  std::string count;               // "": each row was measured once
  std::string clock;               // "": there is none
};

const std::vector<Layout> kLayouts{
    {{"dnn", "dataset"}, {}, "batch_size", "throughput_img_per_s", "max_power_W", "n", "core_clock_MHz"},
    {{"model"}, {"size", "mode", "dtype"}, "batch", "samples_per_s", "p_mean_instant_w", "iters", ""},
    {{"network"}, {"precision"}, "batch", "throughput_samples_per_second", "mean_power_watts", "", ""}};

// A table of one of the layouts.
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
    constexpr double kLeast = 1e-9, kMost = 1e12;  // nobody measured anything beyond
    const std::string text = field(column, row);
    const auto number = parse_double(text);
    if (number && *number >= kLeast && *number <= kMost) return *number;
    return fail(Errc::invalid_input, "row {}, column {}: \"{}\" is not a number above 0", row + 1, column,
                printable(text));
  }
  Result<TraceCell> cell(std::size_t row) const {
    const auto batch = amount(layout.batch, row), pace = amount(layout.pace, row);
    const auto power = amount(layout.power, row);
    const Result<double> count = layout.count.empty() ? 1.0 : amount(layout.count, row);
    Result<double> megahertz = kHighestMegahertz;
    if (!layout.clock.empty() && field(layout.clock, row) != "auto") megahertz = amount(layout.clock, row);
    for (const auto* each : {&batch, &pace, &power, &count, &std::as_const(megahertz)}) {
      if (!*each) return each->error();
    }
    if (*batch != std::floor(*batch))
      return fail(Errc::invalid_input, "row {}, column {}: a batch of {}", row + 1, layout.batch, *batch);
    const Point point{static_cast<std::int64_t>(*batch),
                      layout.clock.empty() ? std::nullopt : std::optional(Hertz{*megahertz * 1e6})};
    return TraceCell{point, Seconds{*batch / *pace}, Watts{*power}, *count};
  }
};

Result<TraceTable> read_table(const std::string& path) {
  auto csv = table::read_csv(path);
  if (!csv) return csv.error();
  std::string lacking;
  for (const Layout& layout : kLayouts) {
    std::vector<std::string> columns{layout.batch, layout.pace, layout.power, layout.count, layout.clock};
    columns.insert(columns.begin(), layout.alike.begin(), layout.alike.end());
    columns.insert(columns.begin(), layout.name.begin(), layout.name.end());
    const auto absent = std::ranges::find_if_not(
        columns, [&](const auto& column) { return column.empty() || csv->table.has(column); });
    if (absent == columns.end()) return TraceTable{std::move(csv->table), layout};
    lacking += fmt::format("{} \"{}\"", lacking.empty() ? "no column" : " and no", *absent);
  }
  return fail(Errc::invalid_input, "{}: in no layout of measured batches: {}", path, lacking);
}

auto key_of(const Point& point) { return std::pair(point.batch, point.clock.value_or(Hertz{0})); }
Expectation whole(Seconds time, Watts power) { return {time, power, {}, {}}; }  // of unknown parts
double log_batch(const Point& point) { return std::log(static_cast<double>(point.batch)); }
double log_clock(const Point& point) { return point.clock ? std::log(point.clock->si()) : 0; }

}  // namespace

Knobs Trace::knobs() const {
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

Result<Trace> read_trace(const std::string& path, const std::string& network) {
  const auto table = read_table(path);
  if (!table) return table.error();
  std::map<std::pair<std::int64_t, Hertz>, TraceCell> cells;
  std::set<std::string> kinds;
  for (std::size_t row = 0; row < table->table.rows(); ++row) {
    if (table->joined(table->layout.name, row) != network) continue;
    const auto read = table->cell(row);
    if (!read) return read.error().in(path);
    kinds.insert(table->joined(table->layout.alike, row));
    const auto [found, fresh] = cells.emplace(key_of(read->point), *read);
    if (fresh) continue;
    TraceCell& cell = found->second;
    cell.weight += read->weight;
    cell.time += (read->time - cell.time) * (read->weight / cell.weight);
    cell.power += (read->power - cell.power) * (read->weight / cell.weight);
  }
  if (cells.empty())
    return fail(Errc::not_found, "{}: no network \"{}\"{}", path, printable(network),
                suggestion(network, table->networks()));
  if (kinds.size() > 1)
    return fail(Errc::invalid_input, "{}: {} is there as {} and as {}", path, network, *kinds.begin(),
                *kinds.rbegin());
  Trace trace{network, path, {}};
  for (const auto& entry : cells) trace.cells.push_back(entry.second);
  const std::size_t batches = trace.knobs().batches.size();
  if (batches >= kFewestBatches) return trace;
  return fail(Errc::invalid_input, "{}: {} was measured at {}, and a trace needs {}", path, network,
              counted(batches, "batch size"), kFewestBatches);
}

TraceSurface::TraceSurface(Trace trace) : trace_(std::move(trace)) {
  auto& cells = trace_.cells;
  ERGON_EXPECTS(!cells.empty());
  std::ranges::sort(cells, {}, [](const TraceCell& cell) { return key_of(cell.point); });
  batches_ = {log_batch(cells.front().point), log_batch(cells.back().point)};
  const auto [slowest, fastest] =
      std::ranges::minmax(cells, {}, [](const TraceCell& cell) { return cell.point.clock; });
  clocks_ = {log_clock(slowest.point), log_clock(fastest.point)};
  floor_ = std::ranges::min(cells, {}, &TraceCell::power).power / 2;
  constexpr double kEnough = 10, kAny = std::numeric_limits<double>::max();
  std::vector<double> times, powers;
  for (const TraceCell& cell : cells) {
    ERGON_EXPECTS(cell.point.batch > 0 && cell.point.clock.has_value() == clocked());
    ERGON_EXPECTS(cell.time > Seconds{0} && cell.power > Watts{0} && cell.weight > 0);
    places_.push_back(place_of(cell.point));
    trust_.push_back(cell.weight / (cell.weight + kEnough));
    times.push_back(std::log(cell.time.si()) - log_batch(cell.point));
    powers.push_back(std::log((cell.power - floor_).si()));
  }
  // At u = v = 0 time is in proportion to the batch; half the range below, all batches take as long.
  const Range not_sooner{(batches_.least - batches_.most) / 2, kAny}, rising{0, kAny};
  const double clocks_apart = clocks_.most - clocks_.least;
  time_of_sample_ = fit(times, {Range{-kAny, kAny}, not_sooner, not_sooner, Range{-clocks_apart, 0}});
  power_above_floor_ = fit(powers, {Range{-kAny, kAny}, rising, rising, Range{0, 3 * clocks_apart}});
}

TraceSurface::Place TraceSurface::place_of(const Point& point) const {
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
        const double x = places_[i].terms()[k];
        along += trust_[i] * x * (trend.beyond[i] + trend.coefficients[k] * x);
        across += trust_[i] * x * x;
      }
      const double best = std::clamp(along / across, allowed[k].least, allowed[k].most);
      const double change = best - std::exchange(trend.coefficients[k], best);
      for (std::size_t i = 0; i < values.size(); ++i) trend.beyond[i] -= change * places_[i].terms()[k];
      moved = std::max(moved, std::abs(change));
    }
  }
  return trend;
}

double TraceSurface::value_of(const Trend& trend, const Point& point) const {
  constexpr double kSame = 1e-200;  // where all cells have one clock, others are no further away
  const Place place = place_of(point);
  const Terms terms = place.terms();
  double beyond = 0, total = 0, value = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double b = place.batch - places_[i].batch, c = place.clock - places_[i].clock;
    const double nearness = trust_[i] / std::max(b * b + c * c, kSame);
    beyond += nearness * trend.beyond[i];
    total += nearness;
  }
  for (std::size_t k = 0; k < terms.size(); ++k) value += trend.coefficients[k] * terms[k];
  return value + beyond / total;
}

Expectation TraceSurface::at(const Point& point) const {
  const auto& cells = trace_.cells;
  ERGON_EXPECTS(point.clock.has_value() == clocked());
  ERGON_EXPECTS(cells.front().point.batch <= point.batch && point.batch <= cells.back().point.batch);
  const auto measured = std::ranges::find(cells, point, &TraceCell::point);
  if (measured != cells.end()) return whole(measured->time, measured->power);
  if (clocked()) {
    return whole(Seconds{std::exp(value_of(time_of_sample_, point) + log_batch(point))},
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
