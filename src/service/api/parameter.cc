#include "service/api/parameter.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "device/twin/precision.h"
#include "graph/zoo/zoo.h"

namespace ergon::service {
namespace {

constexpr std::size_t kMaxValueLength = 4096;

// On the command line, networks, devices, memories and accelerators may also be files.
bool is_file_name(std::string_view value) {
  const std::string small = lower(value);
  for (const std::string_view part : split(small, ',')) {
    for (const char* ending : {".onnx", ".csv", ".json", ".cfg", ".gz", ".xz", ".zst"}) {
      if (part.ends_with(ending)) return true;
    }
    if (part.starts_with('/') || part.starts_with('~') || part.find("..") != std::string_view::npos ||
        part.find('\\') != std::string_view::npos || part.find("trace:") != std::string_view::npos)
      return true;
  }
  return false;
}

// Of a list; also of one value.
std::size_t values_of(std::string_view value) {
  return 1 + static_cast<std::size_t>(std::count(value.begin(), value.end(), ','));
}

Result<> check_value(const Parameter& parameter, const std::string& value) {
  const auto wrong = [&](std::string_view why) {
    return fail(Errc::invalid_input, "{}: {}", parameter.name, why);
  };
  if (value.empty()) return wrong("is empty");
  if (value.size() > kMaxValueLength)
    return wrong(fmt::format("is longer than {} characters", kMaxValueLength));
  const auto printable_ascii = [](char c) { return c >= ' ' && c < 0x7f; };
  if (!std::all_of(value.begin(), value.end(), printable_ascii))
    return wrong("contains characters other than printable ASCII");
  switch (parameter.kind) {
    case Parameter::Kind::flag:
      if (value != "true" && value != "false")
        return wrong(fmt::format("\"{}\" is not true or false", value));
      break;
    case Parameter::Kind::number:
      if (!parse_double(value)) return wrong(fmt::format("\"{}\" is not a number", value));
      break;
    case Parameter::Kind::network:
    case Parameter::Kind::argument:
    case Parameter::Kind::text:
      if (is_file_name(value)) return wrong("file names are not allowed in requests");
      if (value.starts_with('-')) return wrong("must not start with a dash");
      if (const std::size_t values = values_of(value); values > parameter.max_values)
        return wrong(fmt::format("has {} values, more than {}", values, parameter.max_values));
      break;
  }
  // A name that is not in the zoo would be taken for a file.
  if (parameter.kind != Parameter::Kind::network) return {};
  const auto known = graph::zoo::find(value);
  return known ? Result<>{} : Result<>{known.error()};
}

Parameters::const_iterator find(const Parameters& parameters, std::string_view name) {
  return std::find_if(parameters.begin(), parameters.end(),
                      [&](const Parameter& each) { return each.name == name; });
}

std::string names_of(const Parameters& parameters) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Parameter precision_parameter() {
  static const std::string about =
      fmt::format("{} (default: {})", device::kPrecisionList, name_of(device::Precision::tf32));
  return {"precision", Parameter::Kind::text, about};
}

Result<> check_name(const Parameters& parameters, std::string_view name) {
  if (find(parameters, name) != parameters.end()) return {};
  return fail(Errc::invalid_input, "unknown parameter \"{}\"; expected {}", printable(name),
              parameters.empty() ? "none" : names_of(parameters));
}

Result<std::vector<std::string>> command_arguments(const std::vector<std::string>& command,
                                                   const Parameters& parameters, const Fields& given) {
  std::vector<std::string> options, arguments;
  std::vector<std::string_view> seen;
  for (const auto& [name, value] : given) {
    if (auto known = check_name(parameters, name); !known) return known.error();
    const auto found = find(parameters, name);
    if (std::find(seen.begin(), seen.end(), found->name) != seen.end())
      return fail(Errc::invalid_input, "{}: given twice", name);
    seen.push_back(found->name);
    if (auto fine = check_value(*found, value); !fine) return fine.error();
    if (found->kind == Parameter::Kind::argument || found->kind == Parameter::Kind::network) {
      arguments.push_back(value);
    } else if (found->kind != Parameter::Kind::flag) {
      options.push_back(fmt::format("--{}={}", name, value));
    } else if (value == "true") {
      options.push_back(fmt::format("--{}", name));
    }
  }
  for (const Parameter& parameter : parameters) {
    if (parameter.required && std::find(seen.begin(), seen.end(), parameter.name) == seen.end())
      return fail(Errc::invalid_input, "{} is missing ({})", parameter.name, parameter.about);
  }
  std::vector<std::string> words = command;
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace ergon::service
