// libergon.so exports the public API and nothing else.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "support.h"

namespace ergon::test {
namespace {

namespace fs = std::filesystem;

// Demangled names of the defined dynamic symbols, without the version.
std::vector<std::string> exported_symbols() {
  const auto listed = run_shell(std::string(ERGON_NM) + " -DC --defined-only '" + ERGON_LIBRARY + "'");
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  std::vector<std::string> names;
  std::istringstream in(listed.out);
  for (std::string line; std::getline(in, line);) {
    // ADDRESS TYPE NAME@@VERSION
    const auto type = line.find(' ');
    if (type == std::string::npos || line.size() < type + 4) continue;
    std::string name = line.substr(type + 3);
    name = name.substr(0, name.find("@@"));
    if (name != "ERGON_0.2") names.push_back(name);
  }
  return names;
}

// Classes and functions that the headers mark with ERGON_API.
std::set<std::string> promised_names() {
  std::set<std::string> names;
  const std::regex type(R"(class ERGON_API (\w+))"), function(R"(ERGON_API (?!__)[\w:<>,\s\*&]*?(\w+)\()");
  for (const auto& entry : fs::directory_iterator(fs::path(ERGON_REPOSITORY) / "include/ergon")) {
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator it(text.begin(), text.end(), type), end; it != end; ++it)
      names.insert((*it)[1]);
    for (std::sregex_iterator it(text.begin(), text.end(), function), end; it != end; ++it)
      names.insert((*it)[1]);
  }
  return names;
}

// "Network" of "ergon::Network::load(...)", "find_devices" of "ergon::find_devices()"; "" for other names.
std::string public_name_of(const std::string& symbol) {
  static const std::regex data(R"((?:vtable|typeinfo|typeinfo name) for ergon::(\w+))");
  static const std::regex member(R"(ergon::(?:Error::|detail::)?(\w+)(?:\[abi:cxx11\])?(?:::|\().*)");
  std::smatch match;
  if (std::regex_match(symbol, match, data) || std::regex_match(symbol, match, member)) return match[1];
  return "";
}

TEST(ApiExports, AreThePublicNames) {
  const auto promised = promised_names();
  ASSERT_TRUE(promised.contains("Network") && promised.contains("find_devices") && promised.contains("in"));
  std::set<std::string> exported;
  for (const std::string& symbol : exported_symbols()) {
    const std::string name = public_name_of(symbol);
    EXPECT_TRUE(promised.contains(name)) << symbol;
    EXPECT_FALSE(std::regex_search(symbol, std::regex(R"(^([a-z ]+ for )?ergon::\w+::State)"))) << symbol;
    exported.insert(name);
  }
  for (const std::string& name : promised)
    EXPECT_TRUE(exported.contains(name)) << name << " is not in libergon.map";
}

TEST(ApiExports, HoldNoInternalOrVendorNames) {
  for (const std::string& symbol : exported_symbols()) {
    for (const char* const foreign :
         {"fmt::", "nlohmann", "onnx", "google::", "torch",
          "ergon::graph::", "ergon::device::", "ergon::predict::", "ergon::control::", "ergon::api::"}) {
      EXPECT_EQ(symbol.find(foreign), std::string::npos) << symbol;
    }
  }
}

TEST(ApiExports, HaveASonameAndAVersion) {
  const auto dynamic = run_shell(std::string(ERGON_READELF) + " -dVW '" + ERGON_LIBRARY + "'");
  EXPECT_NE(dynamic.out.find("[libergon.so.0.2]"), std::string::npos);
  EXPECT_NE(dynamic.out.find("ERGON_0.2"), std::string::npos);
  EXPECT_EQ(dynamic.out.find("torch"), std::string::npos) << "libtorch is loaded when needed";
}

}  // namespace
}  // namespace ergon::test
