#include "base/statistics/distributions.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "check.h"

namespace ergon::statistics {
namespace {

struct NormalReference {
  double argument;
  double value;
};

struct StudentReference {
  double argument;
  double degrees;
  double value;
};

// R 4.2: qnorm(argument)
constexpr NormalReference kNormalQuantiles[] = {
    {1e-300, -37.0470962993612},     {1e-100, -21.27345356096532},    {1e-10, -6.361340902404056},
    {0.001, -3.090232306167813},     {0.025, -1.9599639845400538},    {0.2, -0.8416212335729142},
    {0.499, -0.0025066308995717666}, {0.5001, 0.0002506628300880075}, {0.75, 0.6744897501960817},
    {0.975, 1.9599639845400536},     {0.999, 3.090232306167813},      {0.9999999999, 6.361340889697421},
};

// R 4.2: pnorm(argument)
constexpr NormalReference kNormalShares[] = {
    {-37, 5.725571222524577e-300}, {-10, 7.619853024160527e-24}, {-3, 0.0013498980316300946},
    {-1, 0.15865525393145705},     {-1e-5, 0.49999601057719606}, {0, 0.5},
    {0.5, 0.691462461274013},      {1.96, 0.9750021048517796},   {3, 0.9986501019683699},
    {8, 0.9999999999999993},
};

// R 4.2: qt(argument, degrees)
constexpr StudentReference kStudentQuantiles[] = {
    {1e-100, 1, -3.183098861837907e99},    {1e-10, 1, -3183098861.8379064},
    {0.001, 1, -318.30883898555044},       {0.025, 1, -12.706204736174707},
    {0.2, 1, -1.3763819204711736},         {0.499, 1, -0.003141602989056244},
    {0.5001, 1, 0.0003141592756945358},    {0.75, 1, 1},
    {0.975, 1, 12.706204736174694},        {0.999, 1, 318.30883898555015},
    {0.9999999999, 1, 3183098598.467148},  {1e-100, 2.5, -8.765437882279927e39},
    {1e-10, 2.5, -8765.437771364597},      {0.001, 2.5, -13.822193110866},
    {0.025, 2.5, -3.574654842003693},      {0.2, 2.5, -1.0101638747222383},
    {0.499, 2.5, -0.0027638962690654774},  {0.5001, 2.5, 0.00027638913918016244},
    {0.75, 2.5, 0.7850136829922968},       {0.975, 2.5, 3.574654842003692},
    {0.999, 2.5, 13.822193110866},         {0.9999999999, 2.5, 8765.43748126238},
    {1e-100, 10, -25645257189.48202},      {1e-10, 10, -25.46600802169772},
    {0.001, 10, -4.143700494046589},       {0.025, 10, -2.2281388519862744},
    {0.2, 10, -0.8790578285505888},        {0.499, 10, -0.0025699811468667274},
    {0.5001, 10, 0.000256997806604864},    {0.75, 10, 0.6998120613124317},
    {0.975, 10, 2.228138851986274},        {0.999, 10, 4.143700494046589},
    {0.9999999999, 10, 25.46600780801601}, {1e-100, 1000, -23.930617087826445},
    {1e-10, 1000, -6.427876283134206},     {0.001, 1000, -3.098402163912922},
    {0.025, 1000, -1.9623390808264078},    {0.2, 1000, -0.8419808221624285},
    {0.499, 1000, -0.0025072576394709746}, {0.5001, 1000, 0.0002507255036228889},
    {0.75, 1000, 0.6747351646070093},      {0.975, 1000, 1.9623390808264076},
    {0.999, 1000, 3.098402163912922},      {0.9999999999, 1000, 6.427876270033021},
};

// R 4.2: pt(argument, degrees)
constexpr StudentReference kStudentShares[] = {
    {-100000, 1, 3.1830988617318035e-6},
    {-40, 1, 0.007956089912025812},
    {-3, 1, 0.10241638234956672},
    {-1, 1, 0.24999999999999978},
    {-1e-7, 1, 0.4999999681690114},
    {0, 1, 0.5},
    {0.0001, 1, 0.5000318309885123},
    {0.5, 1, 0.6475836176504333},
    {1.96, 1, 0.8498285541119834},
    {12, 1, 0.9735353239404101},
    {-100000, 2.5, 2.2747519231756245e-13},
    {-40, 2.5, 7.097817145246693e-5},
    {-3, 2.5, 0.03628804777451592},
    {-1, 2.5, 0.20203051363913677},
    {-1e-7, 2.5, 0.4999999638191276},
    {0, 2.5, 0.5},
    {0.0001, 2.5, 0.5000361808723186},
    {0.5, 2.5, 0.6711510400651426},
    {1.96, 2.5, 0.918526217763593},
    {12, 2.5, 0.9985818924849608},
    {-100000, 10, 1.2304687443603546e-46},
    {-40, 10, 1.1404288715428737e-12},
    {-3, 10, 0.006671827511284794},
    {-1, 10, 0.17044656615103004},
    {-1e-7, 10, 0.4999999610891616},
    {0, 10, 0.5},
    {0.0001, 10, 0.5000389108383253},
    {0.5, 10, 0.6860531971285135},
    {1.96, 10, 0.9607818798761502},
    {12, 10, 0.9999998539295587},
    {-40, 1000, 5.2394260775864375e-210},
    {-3, 1000, 0.001383354522119095},
    {-1, 1000, 0.15877620904233633},
    {-1e-7, 1000, 0.49999996011574427},
    {0, 1000, 0.5},
    {0.0001, 1000, 0.5000398842556648},
    {0.5, 1000, 0.6914074595830625},
    {1.96, 1000, 0.9748634075221256},
    {12, 1000, 1},
};

TEST(Normal, QuantileAgreesWithR) {
  for (const auto& [p, z] : kNormalQuantiles) EXPECT_TRUE(agrees(normal_quantile(p), z, 1e-12)) << p;
}

TEST(Normal, CdfAgreesWithR) {
  for (const auto& [z, p] : kNormalShares) EXPECT_TRUE(agrees(normal_cdf(z), p, 1e-12)) << z;
}

TEST(Normal, MedianIsZero) { EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15); }

TEST(Normal, CdfReachesItsLimits) {
  EXPECT_EQ(normal_cdf(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(normal_cdf(std::numeric_limits<double>::infinity()), 1);
}

TEST(StudentT, QuantileAgreesWithR) {
  for (const auto& [p, degrees, t] : kStudentQuantiles) {
    EXPECT_TRUE(agrees(student_t_quantile(p, degrees), t, 1e-10)) << "p " << p << ", degrees " << degrees;
  }
}

TEST(StudentT, CdfAgreesWithR) {
  for (const auto& [t, degrees, p] : kStudentShares) {
    EXPECT_TRUE(agrees(student_t_cdf(t, degrees), p, 1e-11)) << "t " << t << ", degrees " << degrees;
  }
}

// By hand: the distribution is symmetric about zero.
TEST(StudentT, MedianIsZero) {
  for (const double degrees : {1.0, 2.5, 10.0, 1000.0}) {
    EXPECT_NEAR(student_t_quantile(0.5, degrees), 0, 1e-14) << degrees;
    EXPECT_DOUBLE_EQ(student_t_cdf(0, degrees), 0.5) << degrees;
  }
}

// By hand: with one degree (Cauchy) the quantile is tan(pi (p - 1/2)), with two (2p - 1) / sqrt(2 p (1 - p)).
TEST(StudentT, QuantileHasClosedFormsForOneAndTwoDegrees) {
  for (const double p : {0.01, 0.3, 0.45, 0.6, 0.95}) {
    EXPECT_TRUE(agrees(student_t_quantile(p, 1), std::tan(std::numbers::pi * (p - 0.5)), 1e-12)) << p;
    EXPECT_TRUE(agrees(student_t_quantile(p, 2), (2 * p - 1) / std::sqrt(2 * p * (1 - p)), 1e-12)) << p;
  }
}

// R 4.2: qt(.975, 1e6), pt(1, 1e6), qt(.975, .1), pt(-3, .1)
TEST(StudentT, TakesVeryManyAndVeryFewDegrees) {
  EXPECT_TRUE(agrees(student_t_quantile(0.975, 1e6), 1.9599663568141066, 1e-9));
  EXPECT_TRUE(agrees(student_t_cdf(1, 1e6), 0.841344625083211, 1e-9));
  EXPECT_TRUE(agrees(student_t_quantile(0.975, 0.1), 1682362288745.0776, 1e-10));
  EXPECT_TRUE(agrees(student_t_cdf(-3, 0.1), 0.37384707698634234, 1e-12));
}

TEST(DistributionsDeathTest, ImpossibleArgumentsBreakTheContract) {
  EXPECT_DEATH((void)normal_quantile(0), "broken contract");
  EXPECT_DEATH((void)normal_quantile(1), "broken contract");
  EXPECT_DEATH((void)student_t_quantile(0, 5), "broken contract");
  EXPECT_DEATH((void)student_t_quantile(0.5, 0), "broken contract");
  EXPECT_DEATH((void)student_t_cdf(0.5, -1), "broken contract");
}

}  // namespace
}  // namespace ergon::statistics
