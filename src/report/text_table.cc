#include "report/text_table.h"

#include <algorithm>
#include <numeric>

#include "base/contract.h"

namespace ergon::report {
namespace {

constexpr std::size_t kGap = 2;  // blanks between columns

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

TextTable::TextTable(std::vector<Heading> headings) : headings_(std::move(headings)) {}

void TextTable::row(std::vector<std::string> cells) {
  ERGON_EXPECTS(cells.size() == headings_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::fitting_columns(const std::vector<std::size_t>& widths,
                                                    const TableStyle& style) const {
  std::vector<std::size_t> columns(headings_.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const auto total = [&] {
    std::size_t width = kGap * (columns.size() - 1);
    for (const std::size_t column : columns) width += widths[column];
    return width;
  };
  while (style.width && columns.size() > 1 && total() > *style.width) {
    auto dropped = columns.begin() + 1;
    for (auto it = dropped; it != columns.end(); ++it) {
      if (headings_[*it].rank >= headings_[*dropped].rank) dropped = it;
    }
    columns.erase(dropped);
  }
  return columns;
}

std::string TextTable::text(const TableStyle& style) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    std::size_t width = width_of(headings_[i].text);
    for (const auto& row : rows_) width = std::max(width, width_of(row[i]));
    widths.push_back(width);
  }
  const std::vector<std::size_t> columns = fitting_columns(widths, style);
  const auto line = [&](auto cell_at) {
    std::string text;
    for (const std::size_t i : columns) {
      const std::string cell = cell_at(i);
      const std::string padding(widths[i] - width_of(cell), ' ');
      if (i != columns.front()) text += std::string(kGap, ' ');
      text += headings_[i].align == Align::left ? cell + padding : padding + cell;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string out;
  const std::string heading = line([&](std::size_t i) { return headings_[i].text; });
  if (style.bold) {
    out += "\x1b[1m" + heading.substr(0, heading.size() - 1) + "\x1b[0m\n";
  } else {
    out += heading + line([&](std::size_t i) { return std::string(widths[i], '-'); });
  }
  for (const auto& row : rows_) out += line([&](std::size_t i) { return row[i]; });
  if (columns.size() == headings_.size()) return out;
  std::string dropped;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    if (std::find(columns.begin(), columns.end(), i) != columns.end()) continue;
    dropped += (dropped.empty() ? "" : ", ") + headings_[i].text;
  }
  return out + "(not shown: " + dropped + "; --wide shows all columns)\n";
}

}  // namespace ergon::report
