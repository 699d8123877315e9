#pragma once

#include <filesystem>
#include <string>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "device/rapl/find.h"
#include "support/temporary_folder.h"

namespace ergon::test {

// A copy of tests/device/rapl/recorded/powercap-NAME that lives: its counters can be moved, broken and
// removed.
class PowercapTree {
 public:
  explicit PowercapTree(const std::string& name) {
    namespace fs = std::filesystem;
    const fs::path recorded =
        fs::path(ERGON_REPOSITORY) / "tests/device/rapl/recorded" / ("powercap-" + name);
    fs::copy(recorded, folder_.path(), fs::copy_options::recursive);
    // Whoever a test becomes can come in.
    fs::permissions(folder_.path(), fs::perms(0755));
  }

  const std::filesystem::path& path() const { return folder_.path(); }
  device::rapl::Places places() const { return {path(), path() / "machine-id", path() / "cpuinfo"}; }
  device::Found find() const { return device::rapl::find_devices(places()); }

  void write(const std::string& zone, const std::string& file, const std::string& text) const {
    EXPECT_TRUE(write_file(path() / zone / file, text));
  }
  void set(const std::string& zone, std::uint64_t microjoules) const {
    write(zone, "energy_uj", fmt::format("{}\n", microjoules));
  }
  void remove(const std::string& zone) const { std::filesystem::remove_all(path() / zone); }
  void close(const std::string& zone) const {
    std::filesystem::permissions(path() / zone / "energy_uj", std::filesystem::perms(0400));
    // To its owner it would still be open, were that not root.
    if (::geteuid() != 0) {
      std::filesystem::permissions(path() / zone / "energy_uj", std::filesystem::perms::none);
    }
  }

 private:
  TemporaryFolder folder_;
};

// Root may read everything: while this lives, the test is nobody.
class OrdinaryUser {
 public:
  OrdinaryUser() {
    if (root_ && ::seteuid(65534) != 0) ADD_FAILURE() << "cannot become nobody";
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;
  ~OrdinaryUser() {
    if (root_ && ::seteuid(0) != 0) ADD_FAILURE() << "cannot become root again";
  }

 private:
  bool root_ = ::geteuid() == 0;
};

}  // namespace ergon::test
