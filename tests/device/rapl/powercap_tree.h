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

// A modifiable copy of tests/device/rapl/recorded/powercap-NAME.
class PowercapTree {
 public:
  explicit PowercapTree(const std::string& name) {
    namespace fs = std::filesystem;
    const fs::path recorded =
        fs::path(ERGON_REPOSITORY) / "tests/device/rapl/recorded" / ("powercap-" + name);
    fs::copy(recorded, folder_.path(), fs::copy_options::recursive);
    // Readable by every user that a test may switch to.
    fs::permissions(folder_.path(), fs::perms(0755));
  }

  const std::filesystem::path& path() const { return folder_.path(); }
  device::rapl::RaplPaths places() const { return {path(), path() / "machine-id", path() / "cpuinfo"}; }
  device::FoundDevices find() const { return device::rapl::find_devices(places()); }

  void write(const std::string& zone, const std::string& file, const std::string& text) const {
    EXPECT_TRUE(write_file(path() / zone / file, text));
  }
  void set(const std::string& zone, std::uint64_t microjoules) const {
    write(zone, "energy_uj", fmt::format("{}\n", microjoules));
  }
  void remove(const std::string& zone) const { std::filesystem::remove_all(path() / zone); }
  void close(const std::string& zone) const {
    std::filesystem::permissions(path() / zone / "energy_uj", std::filesystem::perms(0400));
    // The owner could still read it if the owner were not root.
    if (::geteuid() != 0) {
      std::filesystem::permissions(path() / zone / "energy_uj", std::filesystem::perms::none);
    }
  }

 private:
  TemporaryFolder folder_;
};

// Root can read everything, so the test runs as user "nobody" while this object exists.
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
