#include "predict/known_operations.h"

#include <gtest/gtest.h>

#include "device/twin/catalogue.h"

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

const Condition kRounded{32, Mode::inference, Precision::tf32};
const Condition kPlain{32, Mode::inference, Precision::fp32};

TEST(KnownOperations, AreKnownInTheirModeAndNumbersOnly) {
  const Task conv = task_of(product, "00000000000000ab");
  KnownOperations known;
  EXPECT_FALSE(known.contains(conv, kRounded));
  known.add(conv, {32, Mode::inference, Precision::tf32});
  EXPECT_TRUE(known.contains(conv, kRounded));
  EXPECT_FALSE(known.contains(conv, kPlain)) << "matrix units work otherwise";
  EXPECT_FALSE(known.contains(conv, {32, Mode::training, Precision::tf32}));
  EXPECT_FALSE(known.contains(conv, {32, Mode::inference, Precision::bf16}));
  EXPECT_FALSE(known.contains(task_of(product, "00000000000000ac"), kRounded));
}

TEST(KnownOperations, WhatOnlyMovesDoesSoAlikeHoweverProductsAreRounded) {
  const Task relu = task_of(stream, "1");
  for (const auto& [measured, asked] : {std::pair{kRounded, kPlain}, std::pair{kPlain, kRounded}}) {
    KnownOperations known;
    known.add(relu, {32, measured.mode, measured.precision});
    EXPECT_TRUE(known.contains(relu, measured));
    EXPECT_TRUE(known.contains(relu, asked));
    EXPECT_FALSE(known.contains(relu, {32, Mode::inference, Precision::bf16}));
  }
}

TEST(KnownOperations, WhatMultipliesDoesNot) {
  for (const device::KernelKind kind : {product, depthwise, grouped}) {
    KnownOperations known;
    known.add(task_of(kind, "1"), {32, Mode::inference, Precision::fp32});
    EXPECT_FALSE(known.contains(task_of(kind, "1"), kRounded));
  }
}

// An RTX 2080 Ti was measured "in TF32", which it does not have.
TEST(KnownOperations, AreTheSameInPlainNumbersWhereAChipHasNoOthers) {
  const auto turing = device::find_device("rtx2080ti").value(), ampere = device::find_device("a30").value();
  EXPECT_EQ(as_run(kPlain, turing), as_run(kRounded, turing));
  EXPECT_EQ(as_run(kPlain, ampere), kPlain);
  EXPECT_EQ(as_run(kRounded, ampere), kRounded);
  const Condition half{32, Mode::inference, Precision::bf16};
  EXPECT_EQ(as_run(half, turing), half);
}

// Alone, images lie channels first.
TEST(KnownOperations, TurnedImagesWereNotMeasured) {
  Task filters = task_of(depthwise, "1");
  KnownOperations known;
  known.add(filters, {32, Mode::inference, Precision::fp32});
  EXPECT_TRUE(known.contains(filters, kPlain));
  filters.turned = true;
  EXPECT_FALSE(known.contains(filters, kPlain));
}

TEST(KnownOperations, AreHeldOnceAndInOrder) {
  KnownOperations known;
  for (const char* id : {"ff", "1", "ff", "8000000000000000", "2"})
    known.add(task_of(product, id), {32, Mode::training, Precision::bf16});
  const KnownOperations::Ids expected{1, 2, 0xff, 0x8000000000000000};
  EXPECT_EQ(known.ids().at({Mode::training, Precision::bf16}), expected);
  const KnownOperations again({{{Mode::training, Precision::bf16}, {0xff, 2, 1, 2, 0x8000000000000000}}});
  EXPECT_EQ(again.ids(), known.ids());
}

// Copies that nobody asks for have names, not numbers.
TEST(KnownOperations, WhatHasNoNumberIsNeverKnown) {
  KnownOperations known;
  for (const char* id : {"", "strided", "12 3", "-1", "11112222333344445"}) {
    known.add(task_of(product, id), {32, Mode::inference, Precision::tf32});
    EXPECT_FALSE(known.contains(task_of(product, id), kRounded)) << id;
  }
}

}  // namespace
}  // namespace ergon::predict
