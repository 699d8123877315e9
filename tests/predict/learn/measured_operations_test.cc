#include "predict/learn/measured_operations.h"

#include <gtest/gtest.h>

#include "device/twin/catalog.h"

namespace ergon::predict {
namespace {

using device::Precision;
using graph::Mode;

Task task_of(device::KernelKind kind, const std::string& id) {
  Task task;
  task.id = id;
  task.forward.emplace_back().kind = kind;
  return task;
}
using enum device::KernelKind;

const WorkloadConfig kTf32{32, Mode::inference, Precision::tf32};
const WorkloadConfig kFp32{32, Mode::inference, Precision::fp32};

TEST(MeasuredOperations, AreSpecificToModeAndPrecision) {
  const Task conv = task_of(product, "00000000000000ab");
  MeasuredOperations measured;
  EXPECT_FALSE(measured.contains(conv, kTf32));
  measured.add(conv, {32, Mode::inference, Precision::tf32});
  EXPECT_TRUE(measured.contains(conv, kTf32));
  EXPECT_FALSE(measured.contains(conv, kFp32)) << "tensor cores differ";
  EXPECT_FALSE(measured.contains(conv, {32, Mode::training, Precision::tf32}));
  EXPECT_FALSE(measured.contains(conv, {32, Mode::inference, Precision::bf16}));
  EXPECT_FALSE(measured.contains(task_of(product, "00000000000000ac"), kTf32));
}

TEST(MeasuredOperations, ShareTf32AndFp32WithoutMultiplications) {
  const Task relu = task_of(stream, "1");
  for (const auto& [stored, requested] : {std::pair{kTf32, kFp32}, std::pair{kFp32, kTf32}}) {
    MeasuredOperations measured;
    measured.add(relu, {32, stored.mode, stored.precision});
    EXPECT_TRUE(measured.contains(relu, stored));
    EXPECT_TRUE(measured.contains(relu, requested));
    EXPECT_FALSE(measured.contains(relu, {32, Mode::inference, Precision::bf16}));
  }
}

TEST(MeasuredOperations, SeparateTf32AndFp32WithMultiplications) {
  for (const device::KernelKind kind : {product, depthwise, grouped}) {
    MeasuredOperations measured;
    measured.add(task_of(kind, "1"), {32, Mode::inference, Precision::fp32});
    EXPECT_FALSE(measured.contains(task_of(kind, "1"), kTf32));
  }
}

// The rows of the RTX 2080 Ti say tf32, which it does not have.
TEST(MeasuredOperations, ShareTf32AndFp32WithoutTf32Units) {
  const auto turing = device::find_device("rtx2080ti").value(), ampere = device::find_device("a30").value();
  EXPECT_EQ(effective_config(kFp32, turing), effective_config(kTf32, turing));
  EXPECT_EQ(effective_config(kFp32, ampere), kFp32);
  EXPECT_EQ(effective_config(kTf32, ampere), kTf32);
  const WorkloadConfig half{32, Mode::inference, Precision::bf16};
  EXPECT_EQ(effective_config(half, turing), half);
}

// Operations are measured channels-first.
TEST(MeasuredOperations, DoNotIncludeChannelsLastImages) {
  Task filters = task_of(depthwise, "1");
  MeasuredOperations measured;
  measured.add(filters, {32, Mode::inference, Precision::fp32});
  EXPECT_TRUE(measured.contains(filters, kFp32));
  filters.channels_last = true;
  EXPECT_FALSE(measured.contains(filters, kFp32));
}

TEST(MeasuredOperations, AreSortedWithoutDuplicates) {
  MeasuredOperations measured;
  for (const char* id : {"ff", "1", "ff", "8000000000000000", "2"})
    measured.add(task_of(product, id), {32, Mode::training, Precision::bf16});
  const MeasuredOperations::Ids expected{1, 2, 0xff, 0x8000000000000000};
  EXPECT_EQ(measured.ids().at({Mode::training, Precision::bf16}), expected);
  const MeasuredOperations again({{{Mode::training, Precision::bf16}, {0xff, 2, 1, 2, 0x8000000000000000}}});
  EXPECT_EQ(again.ids(), measured.ids());
}

// Implicit copies have ids that are not numbers.
TEST(MeasuredOperations, IgnoreIdsThatAreNotNumbers) {
  MeasuredOperations measured;
  for (const char* id : {"", "strided", "12 3", "-1", "11112222333344445"}) {
    measured.add(task_of(product, id), {32, Mode::inference, Precision::tf32});
    EXPECT_FALSE(measured.contains(task_of(product, id), kTf32)) << id;
  }
}

}  // namespace
}  // namespace ergon::predict
