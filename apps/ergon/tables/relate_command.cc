#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/statistics/bootstrap.h"
#include "base/statistics/correlation.h"
#include "base/statistics/least_squares.h"
#include "base/statistics/loess.h"
#include "base/text.h"
#include "report/text_plot.h"
#include "tables/table_commands.h"
#include "tables/table_files.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;
using statistics::Interval;

struct RelateSettings {
  std::string file;
  std::string x;
  std::string y;
  bool log_x = false;
  double span = 0.75;
  std::uint64_t seed = 1;
  ReadSettings read;
};

// The rows in which both columns have a value.
struct Pairs {
  std::vector<double> x;
  std::vector<double> y;
  std::size_t dropped = 0;
};

Result<Pairs> pairs_of(const table::Table& table, const RelateSettings& settings) {
  const auto x = table.number_column(settings.x);
  if (!x) return x.error();
  const auto y = table.number_column(settings.y);
  if (!y) return y.error();
  Pairs pairs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if ((*x)->missing(row) || (*y)->missing(row)) {
      ++pairs.dropped;
      continue;
    }
    const double at = (*x)->number_at(row);
    if (settings.log_x && !(at > 0)) {
      return fail(Errc::invalid_input, "--log-x needs positive values; \"{}\" contains {}", settings.x, at);
    }
    pairs.x.push_back(settings.log_x ? std::log10(at) : at);
    pairs.y.push_back((*y)->number_at(row));
  }
  return pairs;
}

using Correlation = std::optional<double> (*)(std::span<const double>, std::span<const double>);

// Above this number of pairs the analytic interval replaces the bootstrap: as accurate and much faster.
constexpr std::size_t kMaxResampled = 5000;

std::optional<Interval> correlate(const Pairs& pairs, Correlation correlation, double widening,
                                  std::uint64_t seed, const std::stop_token& stop) {
  if (pairs.x.size() > kMaxResampled) {
    const auto estimate = correlation(pairs.x, pairs.y);
    if (!estimate) return std::nullopt;
    return statistics::fisher_interval(*estimate, pairs.x.size(), widening);
  }
  std::vector<double> x, y;
  const auto of_indices = [&](std::span<const std::size_t> indices) {
    x.clear();
    y.clear();
    for (const std::size_t i : indices) {
      x.push_back(pairs.x[i]);
      y.push_back(pairs.y[i]);
    }
    return correlation(x, y);
  };
  return statistics::bootstrap(pairs.x.size(), of_indices, {.resamples = 1000, .seed = seed, .stop = stop});
}

std::string interval_text(const std::optional<Interval>& interval, std::string_view method) {
  if (!interval) return "undefined (a column is constant, or its values are too large)";
  return fmt::format("{:+.3f}  (95 % interval {:+.3f} to {:+.3f}, {})", interval->estimate, interval->low,
                     interval->high, method);
}

Json interval_json(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return {{"estimate", interval->estimate}, {"low", interval->low}, {"high", interval->high}};
}

Result<int> relate(const RelateSettings& settings, Shell& shell) {
  const auto read = settings.read.read(settings.file, shell);
  if (!read) return read.error();
  const auto pairs = pairs_of(read->table, settings);
  if (!pairs) return pairs.error().in(settings.file);
  const statistics::LoessOptions fit{.span = settings.span};
  const auto loess = statistics::Loess::fit(pairs->x, pairs->y, fit);
  if (!loess) return loess.error().in(settings.file);
  const auto pearson = correlate(*pairs, statistics::pearson, 1, settings.seed, shell.stop());
  const auto spearman = correlate(*pairs, statistics::spearman, 1.03, settings.seed, shell.stop());
  if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
  const std::string_view method = pairs->x.size() > kMaxResampled ? "Fisher's z" : "bootstrap";
  const auto line = statistics::fit_line(pairs->x, pairs->y);
  const std::string x_title = settings.log_x ? fmt::format("log10({})", settings.x) : settings.x;

  Result<> printed;
  if (shell.json) {
    Json curve = Json::array();
    for (const auto& point : loess->curve(61)) {
      curve.push_back({{"x", point.x}, {"fit", point.fit}, {"low", point.low}, {"high", point.high}});
    }
    Json body = {{"x", x_title},
                 {"y", settings.y},
                 {"pairs", pairs->x.size()},
                 {"dropped", pairs->dropped},
                 {"seed", settings.seed},
                 {"interval_method", method},
                 {"pearson", interval_json(pearson)},
                 {"spearman", interval_json(spearman)}};
    body["line"] = line ? Json{{"slope", line->slope},
                               {"slope_error", line->slope_error},
                               {"intercept", line->intercept},
                               {"intercept_error", line->intercept_error},
                               {"r_squared", line->r_squared}}
                        : Json(nullptr);
    body["loess"] = {{"span", settings.span},
                     {"degree", fit.degree},
                     {"confidence", fit.confidence},
                     {"residual_deviation", loess->residual_deviation()},
                     {"curve", curve}};
    printed = shell.print_document("ergon.table.relate/1", {settings.file}, body);
  } else {
    std::string out = fmt::format("{} against {}: {}, {} with a missing value\n\n", settings.y, x_title,
                                  counted(pairs->x.size(), "pair"), counted(pairs->dropped, "row"));
    out += fmt::format("Pearson   {}\nSpearman  {}\n", interval_text(pearson, method),
                       interval_text(spearman, method));
    if (line) {
      out += fmt::format("line      {} = {:.5g} + {:.5g} x, slope +- {:.2g}, R^2 {:.3f}\n", settings.y,
                         line->intercept, line->slope, line->slope_error, line->r_squared);
    }
    out +=
        fmt::format("curve     LOESS, span {}, 95 % band ('.' point, ':' several, '#' curve, '-' band)\n\n",
                    settings.span);
    const auto curve = loess->curve(200);
    out += report::scatter_plot(pairs->x, pairs->y, curve, {.x_title = x_title, .y_title = settings.y});
    printed = shell.print_report(out);
  }
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command relate_command() {
  return {
      .name = "relate",
      .summary = "relation of two columns: correlations, least-squares line, LOESS curve",
      .description = "Plots the points with a LOESS curve and its 95 % confidence band.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<RelateSettings>();
        options.argument("FILE", settings->file, "CSV file, or - for standard input");
        options.argument("X", settings->x, "independent column");
        options.argument("Y", settings->y, "dependent column");
        options.flag("--log-x", settings->log_x, "use the decimal logarithm of X");
        options.number("--span", settings->span, 0.05, 10,
                       "share of the points in each local fit (default: 0.75)");
        options.count("--seed", settings->seed, "seed of the bootstrap (default: 1)");
        settings->read.declare(options);
        return [settings](Shell& shell) { return relate(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
