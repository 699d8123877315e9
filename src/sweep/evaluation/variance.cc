#include "sweep/evaluation/variance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/contract.h"

// Every cell (a network at a clock) has the same weight, however many runs it has: the variance is that of a
// random run of a random cell. With m_ij the mean of a cell, m_i and m_j the means over clocks and networks,
// and m the total mean, it is the sum of
//
//   network       mean of (m_i - m)^2
//   clock         mean of (m_j - m)^2
//   interaction   mean of (m_ij - m_i - m_j + m)^2
//   residual      mean over cells of the mean of (run - m_ij)^2
//
// For equal numbers of runs these are the sums of squares of a two-way analysis of variance divided by the
// number of runs. They require every network at every clock. From a table with missing cells, the network or
// clock with the largest share of missing cells is removed repeatedly until none is missing.
//
// If some cells have one run and others more, cells with one run count as missing, unless that would remove
// more than half of the table; then only the means are decomposed and there is no residual.

namespace ergon::sweep {
namespace {

// Networks and clocks of a table without missing cells.
struct Complete {
  std::vector<std::size_t> networks, clocks;
  std::size_t cells() const { return networks.size() * clocks.size(); }
};

Complete complete_part(const std::vector<NetworkRuns>& networks, std::size_t min_runs) {
  struct Line {
    std::size_t holes = 0;
    bool kept = true;
  };
  const std::size_t width = networks.front().size();
  std::vector<Line> rows(networks.size()), columns(width);
  const auto hole = [&](std::size_t i, std::size_t j) { return networks[i][j].size() < min_runs; };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      rows[i].holes += hole(i, j);
      columns[j].holes += hole(i, j);
    }
  }
  std::size_t rows_left = rows.size(), columns_left = width;
  const auto worst = [](std::vector<Line>& lines) {
    return std::max_element(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
      return (a.kept ? a.holes : 0) < (b.kept ? b.holes : 0);
    });
  };
  while (rows_left > 0 && columns_left > 0) {
    const auto row = worst(rows), column = worst(columns);
    if (!row->kept || row->holes == 0) break;
    // Compares holes / columns_left with holes / rows_left.
    if (row->holes * rows_left >= column->holes * columns_left) {
      const auto i = static_cast<std::size_t>(row - rows.begin());
      row->kept = false;
      --rows_left;
      for (std::size_t j = 0; j < width; ++j) columns[j].holes -= hole(i, j);
    } else {
      const auto j = static_cast<std::size_t>(column - columns.begin());
      column->kept = false;
      --columns_left;
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i].holes -= hole(i, j);
    }
  }
  Complete complete;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kept) complete.networks.push_back(i);
  }
  for (std::size_t j = 0; j < width; ++j) {
    if (columns[j].kept) complete.clocks.push_back(j);
  }
  return complete;
}

bool repeated(const std::vector<NetworkRuns>& networks) {
  for (const NetworkRuns& network : networks) {
    for (const auto& runs : network) {
      if (runs.size() > 1) return true;
    }
  }
  return false;
}

VarianceShares shares_of(const std::vector<NetworkRuns>& networks, const Complete& part, bool with_residual) {
  const auto rows = static_cast<double>(part.networks.size()),
             columns = static_cast<double>(part.clocks.size());
  // Relative to one of the values, so a common offset costs no precision.
  const double origin = networks[part.networks[0]][part.clocks[0]][0];
  std::vector<double> row_means(part.networks.size()), column_means(part.clocks.size()), means;
  double all = 0, within = 0;
  VarianceShares shares;
  for (std::size_t i = 0; i < part.networks.size(); ++i) {
    for (std::size_t j = 0; j < part.clocks.size(); ++j) {
      const auto& runs = networks[part.networks[i]][part.clocks[j]];
      const auto count = static_cast<double>(runs.size());
      double mean = 0, squares = 0;
      for (const double run : runs) mean += (run - origin) / count;
      for (const double run : runs) squares += (run - origin - mean) * (run - origin - mean) / count;
      within += squares / (rows * columns);
      row_means[i] += mean / columns;
      column_means[j] += mean / rows;
      all += mean / (rows * columns);
      means.push_back(mean);
      shares.runs += static_cast<std::int64_t>(runs.size());
    }
  }
  const auto squared = [](double x) { return x * x; };
  for (const double mean : row_means) shares.network += squared(mean - all) / rows;
  for (const double mean : column_means) shares.clock += squared(mean - all) / columns;
  for (std::size_t i = 0; i < part.networks.size(); ++i) {
    for (std::size_t j = 0; j < part.clocks.size(); ++j) {
      const double apart = means[i * part.clocks.size() + j] - row_means[i] - column_means[j] + all;
      shares.interaction += squared(apart) / (rows * columns);
    }
  }
  if (with_residual) shares.residual = within;
  shares.total = shares.network + shares.clock + shares.interaction + shares.residual.value_or(0);
  shares.networks = static_cast<std::int64_t>(part.networks.size());
  shares.clocks = static_cast<std::int64_t>(part.clocks.size());
  shares.networks_excluded = static_cast<std::int64_t>(networks.size() - part.networks.size());
  shares.clocks_excluded = static_cast<std::int64_t>(networks.front().size() - part.clocks.size());
  return shares;
}

}  // namespace

std::optional<VarianceShares> decompose(const std::vector<NetworkRuns>& networks) {
  if (networks.empty()) return std::nullopt;
  for (const NetworkRuns& network : networks) ERGON_EXPECTS(network.size() == networks.front().size());
  Complete part = complete_part(networks, 1);
  bool with_residual = false;
  if (repeated(networks)) {
    const Complete twice = complete_part(networks, 2);
    with_residual = twice.networks.size() > 1 && twice.clocks.size() > 1 && twice.cells() * 2 >= part.cells();
    if (with_residual) part = twice;
  }
  if (part.networks.size() < 2 || part.clocks.size() < 2) return std::nullopt;
  VarianceShares shares = shares_of(networks, part, with_residual);
  if (!(shares.total > 0) || !std::isfinite(shares.total)) return std::nullopt;
  shares.network /= shares.total;
  shares.clock /= shares.total;
  shares.interaction /= shares.total;
  if (shares.residual) *shares.residual /= shares.total;
  return shares;
}

}  // namespace ergon::sweep
