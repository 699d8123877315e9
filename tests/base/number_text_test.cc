#include "base/number_text.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/text.h"

namespace ergon {
namespace {

TEST(NumberText, RoundsWithoutAnExponent) {
  EXPECT_EQ(rounded_text(20372.9), "20370");
  EXPECT_EQ(rounded_text(1234567.89, 6), "1234570");
  EXPECT_EQ(rounded_text(9999.96), "10000");
  EXPECT_EQ(rounded_text(0.0000123456), "0.00001235");
  EXPECT_EQ(rounded_text(-3.14159), "-3.142");
  EXPECT_EQ(rounded_text(0), "0");
}

TEST(NumberText, GroupsDigitsFromTenThousand) {
  EXPECT_EQ(grouped_text(20372.9), "20,370");
  EXPECT_EQ(grouped_text(-20372.9), "-20,370");
  EXPECT_EQ(grouped_text(123456), "123,500");
  EXPECT_EQ(grouped_text(1234567), "1,235,000");
  EXPECT_EQ(grouped_text(-1234567), "-1,235,000");
  EXPECT_EQ(grouped_text(9999), "9999");
  EXPECT_EQ(grouped_text(9999.96), "10,000");
  EXPECT_EQ(grouped_text(12345.67, 6), "12,345.7");
  EXPECT_EQ(grouped_text(2.5e14), "250,000,000,000,000");
  EXPECT_EQ(grouped_text(0.25), "0.25");
}

TEST(NumberText, HasAnExponentOnlyOutsideTheRangeOfQuantities) {
  for (double number = 1.2345e-5; number < 1e15; number *= 3) {
    EXPECT_EQ(grouped_text(number).find('e'), std::string::npos) << number;
    EXPECT_EQ(grouped_text(-number).find('e'), std::string::npos) << number;
    std::string digits = grouped_text(number);
    std::erase(digits, ',');
    EXPECT_NEAR(*parse_double(digits) / number, 1, 5e-4) << grouped_text(number);
  }
  EXPECT_EQ(grouped_text(1e18), "1e+18");
  EXPECT_EQ(grouped_text(std::numeric_limits<double>::infinity()), "inf");
}

}  // namespace
}  // namespace ergon
