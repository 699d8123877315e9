// Programs parse, call and print: no class in apps/ implements an interface of src/.

#include "thin_programs.h"

#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace ergon::test {
namespace {

// "public control::Plant<int>" -> "control::Plant".
std::string base_name(std::string_view text) {
  std::string name(trim(text));
  for (const char* word : {"virtual ", "public ", "protected ", "private ", "virtual "}) {
    if (name.starts_with(word)) name = trim(std::string_view(name).substr(std::string_view(word).size()));
  }
  return std::string(trim(name.substr(0, name.find('<'))));
}

// The parts of a base list, separated by commas outside of template arguments.
std::vector<std::string> bases_of(const std::string& list) {
  std::vector<std::string> bases;
  std::string part;
  int depth = 0;
  for (const char c : list + ",") {
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      if (const std::string base = base_name(part); !base.empty()) bases.push_back(base);
      part.clear();
    } else {
      part += c;
    }
  }
  return bases;
}

std::string unqualified(const std::string& name) {
  const auto colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

bool is_vendors(const std::string& name) { return name.starts_with("CLI::") || name.starts_with("std::"); }

}  // namespace

std::vector<ClassHead> class_heads(const std::string& text) {
  static const std::regex head(
      R"((\benum\s+)?\b(?:class|struct)\s+(?:\[\[\w+\]\]\s*)?([A-Za-z_][\w:]*)(?:<[^{};]*>)?\s*(?:final\s*)?)"
      R"((?::(?!:)([^{};]*))?\{)");
  const std::string code = code_of(text, false);
  std::vector<ClassHead> heads;
  for (std::sregex_iterator each(code.begin(), code.end(), head), end; each != end; ++each) {
    const std::smatch& match = *each;
    if (!match[1].matched) heads.push_back({match[2], bases_of(match[3])});
  }
  return heads;
}

std::vector<std::string> derivation_faults(const std::vector<RepositoryFile>& library,
                                           const std::vector<RepositoryFile>& programs) {
  std::set<std::string> of_library, of_programs;
  for (const RepositoryFile& file : library) {
    if (!file.path.ends_with(".h")) continue;
    for (const ClassHead& each : class_heads(file.content)) of_library.insert(unqualified(each.name));
  }
  for (const RepositoryFile& file : programs) {
    for (const ClassHead& each : class_heads(file.content)) of_programs.insert(unqualified(each.name));
  }
  std::vector<std::string> faults;
  for (const RepositoryFile& file : programs) {
    for (const ClassHead& each : class_heads(file.content)) {
      for (const std::string& base : each.bases) {
        const std::string name = unqualified(base);
        const bool own = base == name && of_programs.contains(name);
        if (is_vendors(base) || own || !of_library.contains(name)) continue;
        faults.push_back(
            fmt::format("{}: {} derives from {}, which belongs to src/", file.path, each.name, base));
      }
    }
  }
  return faults;
}

namespace {

std::vector<std::string> bases_in(const std::string& text) {
  const auto heads = class_heads(text);
  return heads.empty() ? std::vector<std::string>{"none"} : heads.front().bases;
}

TEST(ThinPrograms, ClassHeadsAreRead) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(bases_in("class Other final : public control::Plant {"), Names{"control::Plant"});
  EXPECT_EQ(bases_in("struct A : B, private virtual C<D, E> {"), (Names{"B", "C"}));
  EXPECT_EQ(bases_in("class A\n    : public B,\n      public C {\n"), (Names{"B", "C"}));
  EXPECT_EQ(bases_in("struct [[nodiscard]] A : ::ergon::B {"), Names{"::ergon::B"});
  EXPECT_EQ(bases_in("struct A::B : C {"), Names{"C"});
  EXPECT_EQ(bases_in("struct A<int> : C {"), Names{"C"});
  EXPECT_EQ(bases_in("struct A {"), Names{});
  EXPECT_EQ(class_heads("struct A {").front().name, "A");
}

TEST(ThinPrograms, OtherTextIsNoClass) {
  for (const char* text : {"class A;", "enum class A : std::uint8_t { b };", "enum struct A : int {",
                           "// class A : B {", "f(\"class A : B {\");", "template <class T> void f() {",
                           "friend class A;", "struct A* p = nullptr; {"})
    EXPECT_TRUE(class_heads(text).empty()) << text;
}

TEST(ThinPrograms, DerivedClassesAreFaults) {
  const std::vector<RepositoryFile> library{{"src/control/plant.h", "class Plant {};\nstruct Streams {};"},
                                            {"src/control/local.cc", "class Hidden {};"}};
  const auto faults = [&](const std::string& text) {
    return derivation_faults(library, {{"apps/ergon/a.cc", text}});
  };
  EXPECT_EQ(
      faults("class Mine : public control::Plant {};"),
      std::vector<std::string>{"apps/ergon/a.cc: Mine derives from control::Plant, which belongs to src/"});
  EXPECT_EQ(faults("void f() { struct Mine final : Plant { int a; }; }").size(), 1u);
  EXPECT_TRUE(faults("class Formatter : public CLI::Plant {};").empty()) << "a vendor's";
  EXPECT_TRUE(faults("class Streams {}; class Standard : public Streams {};").empty()) << "the program's own";
  EXPECT_EQ(faults("class Streams {}; class Standard : public control::Streams {};").size(), 1u);
  EXPECT_TRUE(faults("class Mine : public Hidden {};").empty()) << "not in a header";
  EXPECT_TRUE(faults("struct Settings { control::Plant plant; };").empty()) << "a member";
}

TEST(ThinPrograms, ImplementNoInterfaceOfTheLibrary) {
  const auto library = source_files({"src", "include"});
  const auto programs = source_files({"apps"});
  EXPECT_GT(library.size(), 500u);
  EXPECT_GT(programs.size(), 50u);
  for (const std::string& fault : derivation_faults(library, programs)) ADD_FAILURE() << fault;
}

}  // namespace
}  // namespace ergon::test
