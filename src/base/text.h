#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ergon {

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
// Removes the first line from `text` and returns it, without its '\n'. Lists no lines, so that a long text of
// short lines takes no memory.
std::string_view take_line(std::string_view& text);
std::string lower(std::string_view text);

// The whole text as a number, or nothing; surrounding blanks, hex, "inf" and "nan" are not numbers.
std::optional<double> parse_double(std::string_view text);
std::optional<std::int64_t> parse_int64(std::string_view text);

// A text from outside as it can stand in a one-line message or a table: control characters become '?', and
// more than `most` bytes are cut at the end of a letter.
std::string printable(std::string_view text, std::size_t most = 60);

// "1 row", "2 rows".
std::string counted(std::uint64_t count, std::string_view noun);

// "25,557,032".
std::string grouped_digits(std::int64_t number);

// The shortest decimal text that reads back as exactly this number, without an exponent between 1e-5 and
// 1e15.
std::string shortest_text(double number);

// The candidate that equals `name` up to letter case; an exact match is preferred.
std::optional<std::string> find_ignoring_case(std::string_view name, std::span<const std::string> candidates);

// The candidate with the fewest typing errors, or nothing if all candidates differ too much.
std::optional<std::string> nearest_name(std::string_view mistyped, std::span<const std::string> candidates);

// The end of an error message about an unknown name: " (did you mean \"table\"?)", or "".
std::string suggestion(std::string_view mistyped, std::span<const std::string> candidates);

}  // namespace ergon
