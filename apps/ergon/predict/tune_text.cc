#include "predict/tune_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/units_text.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using predict::Answer;
using predict::OperatingPoint;
using predict::Question;
using report::Align;

constexpr double kMillion = 1e6;
// Changes below this are shown as none.
constexpr double kVisible = 0.0005;
constexpr std::size_t kFrontRows = 5;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string change(double now, double before) {
  const double share = now / before - 1;
  return std::abs(share) < kVisible ? "" : fmt::format("{:+.1f} %", 100 * share);
}

std::string clock_text(const OperatingPoint& point) {
  return fmt::format("{:.0f} MHz{}", point.forecast.clock.si() / 1e6, point.clock ? "" : " (own)");
}

// In a table without a column for limits.
std::string setting_text(const OperatingPoint& point) {
  return clock_text(point) + (point.usual_limit ? "" : fmt::format(", limit {}", to_text(point.limit)));
}

std::string limit_text(const OperatingPoint& point) {
  return to_text(point.limit) + (point.usual_limit ? " (usual)" : "");
}

std::string rate_text(const OperatingPoint& point) { return predict::throughput_text(point.throughput()); }

std::string mass_text(double grams) {
  return grams < 1e3 ? fmt::format("{:.4g} g", grams) : fmt::format("{:.4g} kg", grams / 1e3);
}

std::string objective_text(const Question& question) {
  switch (question.objective) {
    case predict::Objective::energy:
      return "least energy";
    case predict::Objective::energy_delay:
      return "least energy x time";
    case predict::Objective::time:
      return "least time";
    case predict::Objective::price:
      break;
  }
  return "least price";
}

std::string title_text(const std::string& what, const Question& question) {
  std::string text = fmt::format("{}: {} a sample\n", what, objective_text(question));
  std::vector<std::string> bounds;
  for (const predict::BoundKind kind : given(question.bounds))
    bounds.push_back(bound_text(kind, question.bounds));
  if (!bounds.empty()) text += fmt::format("with {}\n", fmt::join(bounds, ", "));
  return text;
}

template <typename Q>
std::string bounds_text(const predict::Expected<Q>& expected) {
  return fmt::format("{} to {}", to_text(expected.low), to_text(expected.high));
}

std::string comparison_text(const Answer& answer, const Question& question, const report::TableStyle& style) {
  const OperatingPoint &choice = answer.choice, &usual = answer.at_default;
  report::TextTable table(
      {{""}, {"choice", Align::right}, {"default", Align::right}, {"change", Align::right}});
  const auto row = [&](const char* what, const auto& text_of) {
    table.row({what, text_of(choice), text_of(usual), ""});
  };
  const auto compared = [&](const char* what, const auto& text_of, const auto& number_of) {
    table.row({what, text_of(choice), text_of(usual), change(number_of(choice), number_of(usual))});
  };
  row("device", [](const OperatingPoint& point) { return point.device; });
  row("batch", [](const OperatingPoint& point) { return std::to_string(point.batch); });
  row("core clock", clock_text);
  row("power limit", limit_text);
  compared(
      "latency", [](const OperatingPoint& point) { return to_text(point.latency()); },
      [](const OperatingPoint& point) { return point.latency().si(); });
  compared("throughput", rate_text, [](const OperatingPoint& point) { return point.throughput().si(); });
  compared(
      "power", [](const OperatingPoint& point) { return fmt::format("{:.1f} W", point.power().si()); },
      [](const OperatingPoint& point) { return point.power().si(); });
  compared(
      "energy a sample", [](const OperatingPoint& point) { return to_text(point.energy_per_sample()); },
      [](const OperatingPoint& point) { return point.energy_per_sample().si(); });
  row("  nine times in ten",
      [](const OperatingPoint& point) { return bounds_text(point.forecast.energy_per_sample); });
  if (question.prices.any()) {
    const auto price = [&](const OperatingPoint& point) {
      return *price_of(point, question.prices) * kMillion;
    };
    compared(
        "price of a million",
        [&](const OperatingPoint& point) { return fmt::format("{:.4g}", price(point)); }, price);
  }
  if (question.prices.carbon_grams_per_kwh) {
    const auto grams = [&](const OperatingPoint& point) {
      return *carbon_of(point, question.prices) * kMillion;
    };
    compared(
        "CO2 of a million", [&](const OperatingPoint& point) { return mass_text(grams(point)); }, grams);
  }
  return table.text(style);
}

std::string basis_of(predict::Regime regime) {
  return regime == predict::Regime::twin ? "twin alone" : std::string(name_of(regime));
}

// What the comparison is worth.
std::string rival_text(const Answer& answer, const Question& question) {
  std::string text = "default: its own clock and usual limit, at the same batch";
  if (!keeps(answer.at_default, question.bounds)) text += "; it breaks the bounds";
  text += "\n";
  if (!answer.best_default) return text + "default settings keep the bounds nowhere and at no batch\n";
  const OperatingPoint& best = *answer.best_default;
  if (best.device == answer.choice.device && best.batch == answer.choice.batch)
    return text + "no other batch would do better at default settings\n";
  const std::string changed = change(answer.choice.energy_per_sample().si(), best.energy_per_sample().si());
  return text + fmt::format("best default: {} at batch {}, {} a sample; the choice: {}\n", best.device,
                            best.batch, to_text(best.energy_per_sample()),
                            changed.empty() ? "the same" : changed);
}

std::string remarks_text(const Answer& answer, const Question& question) {
  std::string text;
  if (answer.devices.size() == 1) text += fmt::format("basis: {}\n", basis_of(answer.choice.forecast.regime));
  for (const std::string& warning : answer.devices.front().warnings)
    text += fmt::format("beware: {}\n", warning);
  const Seconds late = answer.choice.forecast.time.high;
  if (question.bounds.latency && late > *question.bounds.latency)
    text += fmt::format("beware: by its interval an iteration may take up to {}\n", to_text(late));
  return text;
}

std::string devices_text(const Answer& answer, const report::TableStyle& style) {
  report::TextTable table({{"device"},
                           {"batch", Align::right},
                           {"MHz", Align::right},
                           {"limit", Align::right},
                           {"latency", Align::right},
                           {"a sample", Align::right},
                           {"saves", Align::right},
                           {"basis"}});
  for (const predict::DeviceAnswer& each : answer.devices) {
    if (!each.choice) {
      table.row({each.device, "-", "-", "-", "-", "-", "-", "out of bounds"});
      continue;
    }
    const OperatingPoint& choice = *each.choice;
    table.row({each.device, std::to_string(choice.batch),
               fmt::format("{:.0f}{}", choice.forecast.clock.si() / 1e6, choice.clock ? "" : " (own)"),
               to_text(choice.limit), to_text(choice.latency()), to_text(choice.energy_per_sample()),
               percent(energy_saving(choice, *each.at_default)), basis_of(choice.forecast.regime)});
  }
  return "\n" + table.text(style);
}

// "latency +1 %: energy -2.0 %, +5 %: -9.0 %".
std::string exchanges_text(const std::vector<predict::Exchange>& exchanges) {
  std::vector<std::string> parts;
  for (const predict::Exchange& each : exchanges) {
    if (!each.point) continue;
    parts.push_back(fmt::format("{:+g} %: {}{:+.1f} %", 100 * each.latency_change,
                                parts.empty() ? "energy " : "", -100 * each.energy_saving));
  }
  return fmt::format("latency {}\n", fmt::join(parts, ", "));
}

std::string latency_text(const Answer& answer) {
  if (answer.more_latency.back().energy_saving >= kVisible) return "\n" + exchanges_text(answer.more_latency);
  std::string text = "\nmore latency saves nothing";
  if (!answer.less_latency.front().point) return text + ", and nothing else within the bounds is faster\n";
  return text + "\n" + exchanges_text(answer.less_latency);
}

// Evenly along the front, with both ends.
std::string front_text(const std::vector<OperatingPoint>& front, const report::TableStyle& style) {
  if (front.size() < 2) return "";
  report::TextTable table({{"latency", Align::right},
                           {"energy a sample", Align::right},
                           {"device"},
                           {"batch", Align::right},
                           {"clock"}});
  const std::size_t rows = std::min(kFrontRows, front.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const OperatingPoint& point = front[i * (front.size() - 1) / (rows - 1)];
    table.row({to_text(point.latency()), to_text(point.energy_per_sample()), point.device,
               std::to_string(point.batch), setting_text(point)});
  }
  return fmt::format("\n{} of {} points that none beats in latency and energy (--json has all):\n{}", rows,
                     front.size(), table.text(style));
}

}  // namespace

std::string tune_text(const std::string& what, const Answer& answer, const Question& question, const report::TableStyle& style) {
  std::string text = title_text(what, question) + "\n" + comparison_text(answer, question, style) +
                     rival_text(answer, question) + remarks_text(answer, question);
  // With several devices their table takes the front's place on the screen.
  if (answer.devices.size() > 1) return text + devices_text(answer, style) + latency_text(answer);
  return text + latency_text(answer) + front_text(answer.front, style);
}

}  // namespace ergon::app
