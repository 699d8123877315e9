#include "report/score_text.h"

#include <fmt/format.h>

#include "report/text_table.h"

namespace ergon::report {

std::string score_text(const std::vector<predict::Score>& scores, const TableStyle& style) {
  TextTable table({{"held-out rows"},
                   {"rows", Align::right},
                   {"MAPE", Align::right},
                   {"R2", Align::right, 1},
                   {"coverage (90 %)", Align::right}});
  for (const predict::Score& score : scores) {
    table.row({score.what, std::to_string(score.rows), fmt::format("{:.1f} %", 100 * score.mape),
               score.r_squared ? fmt::format("{:.3f}", *score.r_squared) : "",
               score.coverage ? fmt::format("{:.0f} %", 100 * *score.coverage) : ""});
  }
  return table.text(style);
}

}  // namespace ergon::report
