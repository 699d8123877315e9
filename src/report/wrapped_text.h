#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ergon::report {

// Columns that `text` occupies on a terminal: one per UTF-8 character, none for escape sequences (bold).
std::size_t display_width(std::string_view text);

// The words of `text` in lines of at most `width` columns. The first line begins with `first_line`, the
// others with `indent` blanks. A longer word gets a line of its own and is not cut. Ends with a newline.
std::string wrapped_words(std::string_view text, std::size_t width, std::string first_line = "",
                          std::size_t indent = 0);

// The same without a newline at the end, for text that continues a line: `used` columns of the first line are
// occupied already.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t used = 0, std::size_t width = 80);

// Columns of the longest word.
std::size_t longest_word(std::string_view text);

// A text report whose lines of prose occupy at most `width` columns. Shorter lines are not changed.
// A longer line is broken between words. Columns are separated by two or more blanks; the line continues
// below its last column:
//
//   latency   3.749 ms per iteration, 90 % interval 3.6 ms
//             to 3.9 ms
//
// A line with more than three columns is part of a table or of a plot and is not changed.
std::string wrapped_report(std::string_view text, std::size_t width);

}  // namespace ergon::report
