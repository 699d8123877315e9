#include "report/text_table.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::report {
namespace {

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

std::string TextTable::text(bool bold) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    std::size_t width = width_of(headings_[i].text);
    for (const auto& row : rows_) width = std::max(width, width_of(row[i]));
    widths.push_back(width);
  }
  std::string out;
  const auto line = [&](auto cell_at) {
    std::string text;
    for (std::size_t i = 0; i < headings_.size(); ++i) {
      const std::string cell = cell_at(i);
      const std::string padding(widths[i] - width_of(cell), ' ');
      if (i > 0) text += "  ";
      text += headings_[i].align == Align::left ? cell + padding : padding + cell;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  const std::string heading = line([&](std::size_t i) { return headings_[i].text; });
  if (bold) {
    out += "\x1b[1m" + heading.substr(0, heading.size() - 1) + "\x1b[0m\n";
  } else {
    out += heading + line([&](std::size_t i) { return std::string(widths[i], '-'); });
  }
  for (const auto& row : rows_) out += line([&](std::size_t i) { return row[i]; });
  return out;
}

}  // namespace ergon::report
