// For any request, the result contains only declared options with the given values.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "service/api/endpoint.h"
#include "service/jobs/job_kind.h"

namespace ergon::service {
namespace {

std::string random_value() {
  // Special bytes and names.
  const auto bytes =
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab19-=/.,~:\\ \n\0\xff", 16)));
  return *rc::gen::oneOf(bytes, bytes, rc::gen::arbitrary<std::string>(),
                         rc::gen::element<std::string>("true", "false", "resnet50", "--json", "-", "12",
                                                       "1e3", "a.onnx", "/etc/x"));
}

Fields random_fields(const Parameters& parameters) {
  Fields given;
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) {
    std::string name = random_value();
    if (!parameters.empty() && *rc::gen::inRange(0, 8) != 0)
      name = parameters[*rc::gen::inRange<std::size_t>(0, parameters.size())].name;
    given.emplace_back(name, random_value());
  }
  return given;
}

void check_words(const std::vector<std::string>& command, const Parameters& parameters, const Fields& given) {
  const auto words = command_arguments(command, parameters, given);
  if (!words) {
    // unknown_name: a network that is not in the zoo.
    RC_ASSERT(words.error().kind == Errc::invalid_input || words.error().kind == Errc::unknown_name);
    RC_ASSERT(!words.error().message.empty());
    return;
  }
  RC_ASSERT(words->size() >= command.size());
  RC_ASSERT(std::equal(command.begin(), command.end(), words->begin()));
  std::multiset<std::string> expected;
  for (const auto& [name, value] : given) {
    const auto parameter =
        std::find_if(parameters.begin(), parameters.end(),
                     [&, &asked = name](const Parameter& each) { return each.name == asked; });
    RC_ASSERT(parameter != parameters.end());
    if (parameter->kind == Parameter::Kind::argument || parameter->kind == Parameter::Kind::network) {
      RC_ASSERT(!value.starts_with('-'));
      expected.insert(value);
    } else if (parameter->kind == Parameter::Kind::flag) {
      if (value == "true") expected.insert("--" + name);
    } else {
      expected.insert("--" + name + "=" + value);
    }
  }
  const auto begin = words->begin() + static_cast<std::ptrdiff_t>(command.size());
  RC_ASSERT(std::multiset<std::string>(begin, words->end()) == expected);
  for (const Parameter& parameter : parameters) {
    if (!parameter.required) continue;
    RC_ASSERT(std::any_of(given.begin(), given.end(),
                          [&](const auto& field) { return field.first == parameter.name; }));
  }
}

RC_GTEST_PROP(ParametersProperty, OutputsOnlyDeclaredOptions, ()) {
  const Endpoint endpoint = *rc::gen::elementOf(endpoints());
  check_words(endpoint.command, endpoint.parameters, random_fields(endpoint.parameters));
}

// Valid values, so that most requests are accepted.
RC_GTEST_PROP(ParametersProperty, KeepsValidValuesUnchanged, ()) {
  const Endpoint endpoint = *rc::gen::elementOf(endpoints());
  Fields given;
  for (const Parameter& parameter : endpoint.parameters) {
    if (!parameter.required && *rc::gen::arbitrary<bool>()) continue;
    const bool flag = parameter.kind == Parameter::Kind::flag;
    if (parameter.kind == Parameter::Kind::network) {
      given.emplace_back(parameter.name, "resnet50");
      continue;
    }
    const bool number = parameter.kind == Parameter::Kind::number;
    given.emplace_back(parameter.name, flag     ? *rc::gen::element<std::string>("true", "false")
                                       : number ? std::to_string(*rc::gen::arbitrary<int>())
                                                : "v" + *rc::gen::container<std::string>(rc::gen::elementOf(
                                                            std::string("abcxyz019-_,:+% "))));
  }
  RC_ASSERT(bool(command_arguments(endpoint.command, endpoint.parameters, given)));
  check_words(endpoint.command, endpoint.parameters, given);
}

// Steps of jobs: added options are fixed, and their paths are in the folder.
RC_GTEST_PROP(ParametersProperty, JobsWriteOnlyToTheirFolder, ()) {
  const JobKind kind = *rc::gen::elementOf(job_kinds());
  const auto steps = job_steps(kind, random_fields(kind.parameters), "/folder/of/job");
  if (!steps) return;
  for (const JobStep& step : *steps) {
    for (const std::string& word : step.words) {
      if (word.starts_with('/')) RC_ASSERT(word.starts_with("/folder/of/job/"));
      RC_ASSERT(word.find("..") == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace ergon::service
