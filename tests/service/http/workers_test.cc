#include "service/http/workers.h"

#include <atomic>
#include <future>
#include <vector>

#include <gtest/gtest.h>

#include "service/http/memory_budget.h"

namespace ergon::service {
namespace {

TEST(Workers, RunTasksInOrderAndRefuseTooMany) {
  std::promise<void> go;
  const std::shared_future<void> gone = go.get_future().share();
  std::vector<int> order;
  std::atomic<bool> began = false;
  {
    Workers workers({.threads = 1, .waiting = 2});
    ASSERT_TRUE(workers.submit([&] {
      began = true;
      gone.wait();
      order.push_back(0);
    }));
    while (!began) std::this_thread::yield();
    EXPECT_TRUE(workers.submit([&] { order.push_back(1); }));
    EXPECT_TRUE(workers.submit([&] { order.push_back(2); }));
    EXPECT_FALSE(workers.submit([&] { order.push_back(3); }));
    go.set_value();
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(Workers, WithoutAQueueNeedAFreeThread) {
  std::promise<void> go;
  const std::shared_future<void> gone = go.get_future().share();
  std::atomic<int> began = 0;
  Workers workers({.threads = 2, .waiting = 0});
  const auto wait = [&] {
    ++began;
    gone.wait();
  };
  ASSERT_TRUE(workers.submit(wait));
  ASSERT_TRUE(workers.submit(wait));
  while (began < 2) std::this_thread::yield();
  EXPECT_FALSE(workers.submit(wait));
  go.set_value();
}

TEST(MemoryBudget, LimitsTheSumOfReservations) {
  MemoryBudget budget(100);
  {
    Reservation first(budget), second(budget);
    EXPECT_TRUE(first.resize(60));
    EXPECT_FALSE(second.resize(50));
    EXPECT_TRUE(second.resize(40));
    EXPECT_EQ(budget.used(), 100u);
    EXPECT_TRUE(first.resize(10));
    EXPECT_TRUE(second.resize(50));
    Reservation moved(std::move(second));
    EXPECT_EQ(budget.used(), 60u);
    first = Reservation(budget);
    EXPECT_EQ(budget.used(), 50u);
  }
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace ergon::service
