#include "predict/tune_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "base/units_text.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using predict::OperatingPoint;
using predict::TuneRequest;
using predict::TuneResult;
using report::Align;

constexpr double kMillion = 1e6;
// Smaller changes are not shown.
constexpr double kVisible = 0.0005;
constexpr std::size_t kFrontRows = 5;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// "+1.3 %"; empty if not visible.
std::string change(double now, double before) {
  const double share = now / before - 1;
  return std::abs(share) < kVisible ? "" : fmt::format("{:+.1f} %", 100 * share);
}

std::string clock_text(const OperatingPoint& point) {
  return fmt::format("{:.0f} MHz{}", point.prediction.clock.si() / 1e6, point.clock ? "" : " (default)");
}

std::string mass_text(double grams) {
  return grams < 1e3 ? grouped_text(grams) + " g" : grouped_text(grams / 1e3) + " kg";
}

std::string title_text(const std::string& what, const TuneRequest& request) {
  std::string text = fmt::format("{}: minimize {} per sample\n", what, name_of(request.objective));
  std::vector<std::string> bounds;
  for (const predict::BoundKind kind : given(request.bounds))
    bounds.push_back(bound_text(kind, request.bounds));
  if (!bounds.empty()) text += fmt::format("bounds: {}\n", fmt::join(bounds, ", "));
  return text;
}

// A point to show, and its name.
struct NamedPoint {
  const char* name;
  const OperatingPoint* point;
};

bool same_device_and_batch(const OperatingPoint& a, const OperatingPoint& b) {
  return a.device == b.device && a.batch == b.batch;
}

// The choice, default settings at the same batch, and the best default settings if at another batch or
// device.
std::vector<NamedPoint> compared_points(const TuneResult& result) {
  std::vector<NamedPoint> points{{"tuned", &result.choice}, {"default", &result.at_default}};
  if (result.best_default && !same_device_and_batch(*result.best_default, result.choice))
    points.push_back({"best default", &*result.best_default});
  return points;
}

// Energy per sample saved, compared with the row "default".
std::string saving_text(const TuneResult& result, const NamedPoint& each) {
  return each.point == &result.at_default ? "" : percent(energy_saving(*each.point, result.at_default));
}

std::string settings_text(const TuneResult& result, const report::TableStyle& style) {
  report::TextTable table({{"setting"},
                           {"device"},
                           {"batch", Align::right},
                           {"clock"},
                           {"power limit", Align::right},
                           {"latency", Align::right},
                           {"energy/sample", Align::right},
                           {"saving", Align::right, 1}});
  for (const NamedPoint& each : compared_points(result)) {
    const OperatingPoint& point = *each.point;
    // The rows of default settings do not repeat "(default)".
    const auto clock = each.point == &result.choice
                           ? clock_text(point)
                           : fmt::format("{:.0f} MHz", point.prediction.clock.si() / 1e6);
    table.row({each.name, point.device, std::to_string(point.batch), clock, to_text(point.limit),
               to_text(point.latency()), to_text(point.energy_per_sample()), saving_text(result, each)});
  }
  return table.text(style);
}

std::string costs_text(const TuneResult& result, const TuneRequest& request,
                       const report::TableStyle& style) {
  std::vector<report::TextTable::Heading> headings{{"setting"},
                                                   {"throughput", Align::right},
                                                   {"power", Align::right},
                                                   {"energy/sample, 90 % interval", Align::right}};
  const bool priced = request.prices.any(), carbon = request.prices.carbon_grams_per_kwh.has_value();
  if (priced) headings.push_back({"price/million", Align::right});
  if (carbon) headings.push_back({"CO2/million", Align::right});
  report::TextTable table(std::move(headings));
  for (const NamedPoint& each : compared_points(result)) {
    const OperatingPoint& point = *each.point;
    const auto& energy = point.prediction.energy_per_sample;
    std::vector<std::string> cells{each.name, predict::throughput_text(point.throughput()),
                                   fmt::format("{:.1f} W", point.power().si()),
                                   fmt::format("{} to {}", to_text(energy.low), to_text(energy.high))};
    if (priced) cells.push_back(grouped_text(*price_of(point, request.prices) * kMillion));
    if (carbon) cells.push_back(mass_text(*carbon_of(point, request.prices) * kMillion));
    table.row(std::move(cells));
  }
  return "\n" + table.text(style);
}

std::string changes_text(const TuneResult& result, const TuneRequest& request) {
  const OperatingPoint &choice = result.choice, &reference = result.at_default;
  const double saving = result.energy_saving;
  std::string text =
      std::abs(saving) < kVisible ? "Same energy per sample as with default settings.\n"
      : saving > 0
          ? fmt::format("Saves {} energy per sample compared with default settings.\n", percent(saving))
          : fmt::format("Needs {} more energy per sample than default settings.\n", percent(-saving));
  std::vector<std::string> changes;
  const auto add = [&](const char* what, double now, double before) {
    if (const auto changed = change(now, before); !changed.empty())
      changes.push_back(fmt::format("{} {}", what, changed));
  };
  add("latency", choice.latency().si(), reference.latency().si());
  add("throughput", choice.throughput().si(), reference.throughput().si());
  add("power", choice.power().si(), reference.power().si());
  if (request.prices.any())
    add("price", *price_of(choice, request.prices), *price_of(reference, request.prices));
  if (!changes.empty()) text += fmt::format("Changes: {}\n", fmt::join(changes, ", "));
  return text;
}

std::string defaults_text(const TuneResult& result, const TuneRequest& request) {
  std::string text = "default: unlocked clock and default power limit, at the same batch\n";
  if (!meets(result.at_default, request.bounds))
    text += "default settings violate the bounds at this batch\n";
  if (!result.best_default)
    return text + "default settings violate the bounds at every batch on every device\n";
  if (same_device_and_batch(*result.best_default, result.choice))
    return text + "no other batch is better at default settings\n";
  return text + "best default: default settings at the best batch and device within the bounds\n";
}

std::string remarks_text(const TuneResult& result, const TuneRequest& request) {
  std::string text;
  if (result.devices.size() == 1)
    text += fmt::format("source: {}\n", name_of(result.choice.prediction.source));
  for (const std::string& warning : result.devices.front().warnings)
    text += fmt::format("warning: {}\n", warning);
  const Seconds high = result.choice.prediction.time.high;
  if (request.bounds.latency && high > *request.bounds.latency)
    text += fmt::format("warning: the 90 % interval of the latency reaches {}\n", to_text(high));
  return text;
}

std::string devices_text(const TuneResult& result, const TuneRequest& request,
                         const report::TableStyle& style) {
  report::TextTable table({{"device"},
                           {"batch", Align::right},
                           {"clock"},
                           {"power limit", Align::right, 2},
                           {"latency", Align::right, 1},
                           {"energy/sample", Align::right},
                           {"90 % interval", Align::right},
                           {"saving", Align::right, 3},
                           {"source"}});
  for (const predict::DeviceTuneResult& each : result.devices) {
    if (!each.choice) {
      table.row({each.device, "-", "out of bounds", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    const OperatingPoint& choice = *each.choice;
    const auto& energy = choice.prediction.energy_per_sample;
    table.row({each.device, std::to_string(choice.batch), clock_text(choice), to_text(choice.limit),
               to_text(choice.latency()), to_text(choice.energy_per_sample()),
               fmt::format("{} to {}", to_text(energy.low), to_text(energy.high)),
               percent(energy_saving(choice, *each.at_default)),
               std::string(name_of(choice.prediction.source))});
  }
  std::string text = "\nBest operating point of each device (saving: compared with its default settings)\n" +
                     table.text(style);
  if (!result.not_distinguished.empty())
    text += fmt::format(
        "warning: the 90 % intervals of the {} of {} and {} overlap; their order is not certain\n",
        name_of(request.objective), result.choice.device, fmt::join(result.not_distinguished, ", "));
  for (std::size_t i = 1; i < result.devices.size(); ++i) {
    for (const std::string& warning : result.devices[i].warnings)
      text += fmt::format("warning: {}: {}\n", result.devices[i].device, warning);
  }
  return text;
}

std::string tradeoffs_text(const std::vector<predict::LatencyTradeoff>& tradeoffs,
                           const report::TableStyle& style) {
  report::TextTable table({{"latency", Align::right}, {"energy/sample", Align::right}});
  for (const predict::LatencyTradeoff& each : tradeoffs) {
    if (!each.point) continue;
    table.row({fmt::format("{:+g} %", 100 * each.latency_change),
               fmt::format("{:+.1f} %", -100 * each.energy_saving)});
  }
  return "Energy at other latencies, relative to the tuned setting\n" + table.text(style);
}

std::string no_saving_text(const TuneResult& result) {
  if (!result.next_cheaper) return "A higher latency saves no energy.\n";
  const OperatingPoint& cheaper = *result.next_cheaper;
  return fmt::format("Up to {:g} % more latency saves no energy; {} ({:+.0f} %, batch {}) saves {}.\n",
                     100 * result.more_latency.back().latency_change, to_text(cheaper.latency()),
                     100 * (cheaper.latency() / result.choice.latency()).si() - 100, cheaper.batch,
                     percent(energy_saving(cheaper, result.choice)));
}

std::string latency_text(const TuneResult& result, const report::TableStyle& style) {
  if (result.more_latency.back().energy_saving >= kVisible)
    return "\n" + tradeoffs_text(result.more_latency, style);
  std::string text = "\n" + no_saving_text(result);
  if (!result.less_latency.front().point)
    return text + "No other operating point within the bounds is faster.\n";
  return text + tradeoffs_text(result.less_latency, style);
}

// Evenly spaced points of the front, with both ends.
std::string front_text(const std::vector<OperatingPoint>& front, const report::TableStyle& style) {
  if (front.size() < 2) return "";
  report::TextTable table({{"latency", Align::right},
                           {"energy/sample", Align::right},
                           {"device"},
                           {"batch", Align::right},
                           {"clock"},
                           {"power limit", Align::right}});
  const std::size_t rows = std::min(kFrontRows, front.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const OperatingPoint& point = front[i * (front.size() - 1) / (rows - 1)];
    table.row({to_text(point.latency()), to_text(point.energy_per_sample()), point.device,
               std::to_string(point.batch), clock_text(point), to_text(point.limit)});
  }
  return fmt::format("\nPareto front of latency and energy, {} of {} points (--json has all)\n{}", rows,
                     front.size(), table.text(style));
}

}  // namespace

std::string tune_text(const std::string& what, const TuneResult& result, const TuneRequest& request,
                      const report::TableStyle& style) {
  std::string text = title_text(what, request) + "\n" + settings_text(result, style) +
                     costs_text(result, request, style) + "\n" + changes_text(result, request) +
                     defaults_text(result, request) + remarks_text(result, request);
  // With several devices, their table replaces the Pareto front.
  if (result.devices.size() > 1)
    return text + devices_text(result, request, style) + latency_text(result, style);
  return text + latency_text(result, style) + front_text(result.front, style);
}

}  // namespace ergon::app
