#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "device/nvml/find.h"
#include "device/nvml/library.h"

namespace ergon::device::nvml {
namespace {

TEST(NvmlLibrary, MapsReturnCodesToErrorKinds) {
  EXPECT_EQ(errc_of(Return::not_supported), Errc::unsupported);
  EXPECT_EQ(errc_of(Return::function_not_found), Errc::unsupported);
  EXPECT_EQ(errc_of(Return::no_permission), Errc::permission);
  for (const Return lost : {Return::gpu_is_lost, Return::uninitialized, Return::driver_not_loaded,
                            Return::library_not_found, Return::reset_required}) {
    EXPECT_EQ(errc_of(lost), Errc::device_lost);
  }
  EXPECT_EQ(errc_of(Return::not_found), Errc::not_found);
  EXPECT_EQ(errc_of(Return::invalid_argument), Errc::invalid_input);
  for (const Return other :
       {Return::timeout, Return::irq_issue, Return::in_use, Return::unknown, static_cast<Return>(12345)}) {
    EXPECT_EQ(errc_of(other), Errc::io);
  }
}

TEST(NvmlLibrary, MessagesEndWithTheNvmlErrorString) {
  const auto library = Library::of({.error_string = [](Return answer) {
    return answer == Return::gpu_is_lost ? "GPU is lost" : static_cast<const char*>(nullptr);
  }});
  EXPECT_EQ(library->error(Return::gpu_is_lost, "power of gpu0").message, "power of gpu0: GPU is lost");
  EXPECT_EQ(library->error(Return::timeout, "power of gpu0").message, "power of gpu0: NVML error 10");
  EXPECT_EQ(Library::of({})->error(Return::gpu_is_lost, "power").message, "power: NVML error 15");
}

TEST(NvmlLibrary, ReportsAMissingDriver) {
  const auto found = find_devices();
  if (found) GTEST_SKIP() << "this machine has a driver";
  EXPECT_EQ(found.error().kind, Errc::not_found);
  EXPECT_TRUE(found.error().message.starts_with("no NVIDIA driver")) << found.error().message;
}

TEST(NvmlLibrary, ReportsAMissingLibrary) {
  const auto found = find_devices("/nowhere/libnvidia-ml.so.1");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, Errc::not_found);
  EXPECT_TRUE(found.error().message.starts_with("NVML cannot be loaded from /nowhere/libnvidia-ml.so.1 ("))
      << found.error().message;
}

TEST(NvmlLibrary, UsesTheEnvironmentVariable) {
  ASSERT_EQ(::setenv("ERGON_NVML", "/nowhere/by/environment.so", 1), 0);
  const auto found = find_devices();
  const auto asked = find_devices("/nowhere/asked.so");
  ::unsetenv("ERGON_NVML");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("/nowhere/by/environment.so"), std::string::npos);
  EXPECT_NE(asked.error().message.find("/nowhere/asked.so"), std::string::npos);
}

TEST(NvmlLibrary, RejectsAnotherLibrary) {
  const auto found = find_devices("libm.so.6");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, Errc::invalid_input);
  EXPECT_EQ(found.error().message, "libm.so.6 is not NVML: it does not export nvmlDeviceGetCount");
}

}  // namespace
}  // namespace ergon::device::nvml
