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

// The candidate a person most likely meant by a mistyped name, or nothing when none is close.
std::optional<std::string> nearest_name(std::string_view mistyped, std::span<const std::string> candidates);

// " (did you mean \"table\"?)" or "", to end an error message with.
std::string suggestion(std::string_view mistyped, std::span<const std::string> candidates);

}  // namespace ergon
