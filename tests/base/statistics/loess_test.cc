#include "base/statistics/loess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "check.h"
#include "reference_data.h"

namespace ergon::statistics {
namespace {

struct ReferencePoint {
  double x;
  double fit;
  double standard_error;
  double low;
  double high;
};

struct LoessReference {
  double span;
  int degree;
  double residual_scale;
  double degrees_of_freedom;
  ReferencePoint points[4];
};

// All references below, R 4.2:
//   l <- loess(y ~ x, span = span, degree = degree,
//              control = loess.control(surface = "direct", statistics = "exact"))
//   p <- predict(l, data.frame(x = x), se = TRUE)
//   c(p$residual.scale, p$df)                  p$df is l$one.delta^2 / l$two.delta
//   rbind(x, p$fit, p$se.fit, p$fit - qt(.975, p$df) * p$se.fit, p$fit + qt(.975, p$df) * p$se.fit)

// x <- cars$speed; y <- cars$dist
constexpr LoessReference kCarsReferences[] = {
    {0.3,
     0,
     14.983255788140852,
     43.09755204115669,
     {{4, 12.070909142073505, 5.6273137289147375, 0.7230922530520374, 23.418726031094973},
      {10.5, 22.81532121457285, 5.002985901925835, 12.726498972142213, 32.904143457003485},
      {15, 40.395659432387305, 5.092839312421974, 30.125642378669525, 50.665676486105085},
      {24, 80.7914489955833, 5.252780036888908, 70.1989018428198, 91.3839961483468}}},
    {0.3,
     1,
     14.60726004809696,
     41.57511578285964,
     {{4, 5.658684925237098, 9.404396558247518, -13.32590362080052, 24.643273471274714},
      {10.5, 22.79729088306026, 5.160158279942135, 12.380516008630055, 33.21406575749047},
      {15, 38.723851030110936, 5.161179898293716, 28.305013821969503, 49.14268823825237},
      {24, 86.23627664216306, 5.793210905480673, 74.54156292823356, 97.93099035609256}}},
    {0.3,
     2,
     14.894088538473016,
     35.69604584671235,
     {{4, 6.1386565156496875, 10.482955015142592, -15.128049380361132, 27.405362411660505},
      {10.5, 25.721028873506434, 7.636288894538084, 10.229336900915627, 41.21272084609724},
      {15, 33.33333333333333, 8.599106027021518, 15.888380208845156, 50.7782864578215},
      {24, 86.10809378470164, 5.957460647931957, 74.02223027545108, 98.1939572939522}}},
    {0.5,
     0,
     16.879350617030745,
     46.552554703745685,
     {{4, 16.755679978435843, 4.628459835405432, 7.442056774496631, 26.069303182375055},
      {10.5, 26.735284982985007, 3.798534041415654, 19.091680836643125, 34.37888912932689},
      {15, 40.334919222186784, 3.892525064450622, 32.50218154023461, 48.16765690413896},
      {24, 67.15013731557535, 3.9575011334380727, 59.186651470013096, 75.11362316113761}}},
    {0.5,
     1,
     15.268081371537855,
     44.90530340272518,
     {{4, 5.312696453885315, 8.711633761330766, -12.234455946377842, 22.859848854148474},
      {10.5, 23.162164475643944, 3.774929873580553, 15.558622866026788, 30.7657060852611},
      {15, 40.81060598115232, 3.5395644979813703, 33.681142165498024, 47.94006979680662},
      {24, 83.85570031307405, 5.8105247960778135, 72.15202142624369, 95.55937919990441}}},
    {0.5,
     2,
     14.782162865887303,
     42.563333373214654,
     {{4, 6.1283339618584804, 10.10405619823987, -14.254484562946356, 26.511152486663317},
      {10.5, 20.711047021487374, 4.856803074902681, 10.913463383373756, 30.508630659600993},
      {15, 40.55344507611061, 5.021332652193322, 30.42395745309416, 50.682932699127065},
      {24, 85.27167147826448, 5.767793215293629, 73.63635590901713, 96.90698704751183}}},
    {0.75,
     0,
     18.122649645516955,
     47.71511359632001,
     {{4, 23.360886259119074, 3.7612865499771915, 15.7971461305803, 30.924626387657845},
      {10.5, 28.974427361300574, 3.4926684111504382, 21.950863517897435, 35.99799120470371},
      {15, 40.49461892934016, 3.730419620319646, 32.99295049658776, 47.996287362092566},
      {24, 61.98206984952982, 3.662107949236142, 54.617772425594865, 69.34636727346478}}},
    {0.75,
     1,
     15.361569978589309,
     46.222795788235835,
     {{4, 3.259542235923263, 7.654505857986015, -12.146175064229617, 18.665259536076142},
      {10.5, 24.048028748943164, 3.3560149492038547, 17.29359959025612, 30.802457907630206},
      {15, 41.103032646843566, 3.1640997198297516, 34.73485856773776, 47.47120672594937},
      {24, 82.2276226529257, 5.452790072825807, 71.2531529853126, 93.20209232053881}}},
    {0.75,
     2,
     15.298172155328375,
     44.64545867161632,
     {{4, 5.887056751992544, 9.884207047514389, -14.025122552108689, 25.799236056093775},
      {10.5, 23.720854415497936, 4.003171292457303, 15.656285940024137, 31.785422890971734},
      {15, 41.20522619775599, 4.710557242700621, 31.71559693483247, 50.69485546067951},
      {24, 85.0533636525464, 5.947541905043368, 73.07177319591376, 97.03495410917903}}},
    {1.5,
     0,
     22.4692848810108,
     48.83680784034823,
     {{4, 34.87375226231811, 3.4198315170395013, 28.00076260343205, 41.746741921204176},
      {10.5, 36.640371808721575, 3.3547508689235297, 29.898177663961278, 43.38256595348187},
      {15, 41.466169642047284, 3.340845387856415, 34.751921969825155, 48.18041731426941},
      {24, 48.41282804625438, 3.3211490026301065, 41.73816508787074, 55.087491004638025}}},
    {1.5,
     1,
     15.328694475219981,
     47.70604062372724,
     {{4, 1.547091121852123, 5.591076305505323, -9.696311023227368, 12.790493266931614},
      {10.5, 24.455174423863056, 3.0021733504126837, 18.417939293536982, 30.49240955418913},
      {15, 40.33029208679832, 2.289424663030242, 35.726362402997374, 44.93422177059927},
      {24, 78.2693889074731, 4.381617281365258, 69.45815428137601, 87.08062353357019}}},
    {1.5,
     2,
     15.168917531942881,
     46.63168224319751,
     {{4, 5.149824126412818, 8.405971905105536, -11.764336646683773, 22.063984899509407},
      {10.5, 23.97193864315649, 3.0548786168242037, 17.825033960323054, 30.11884332598993},
      {15, 39.22044731384692, 2.9168532127390336, 33.35127183375448, 45.089622793939355},
      {24, 82.54504275512897, 5.476357331832699, 71.52573536185955, 93.5643501483984}}},
};

// i <- 1:200; x <- 2 * sin(0.7 * i) + i / 50; y <- sin(x) + 0.3 * sin(i^2)
constexpr LoessReference kWaveReferences[] = {
    {0.3,
     0,
     0.2655724199526446,
     193.67724620596067,
     {{-1.5, -0.548527711746688, 0.04272367534560588, -0.6327911108769425, -0.4642643126164336},
      {0.25, 0.2745985995675183, 0.04111233183657735, 0.19351323416537525, 0.35568396496966137},
      {1.2345, 0.9597736079025484, 0.04152349012053034, 0.8778773198841702, 1.0416698959209267},
      {5, -0.8388865640272651, 0.04112227498816434, -0.9199915401895783, -0.757781587864952}}},
    {0.3,
     1,
     0.22199610715321974,
     192.26275026926507,
     {{-1.5, -1.158539280076603, 0.06454499312003117, -1.2858464945770545, -1.0312320655761515},
      {0.25, 0.22222585246482185, 0.03473611226383241, 0.15371306036242272, 0.290738644567221},
      {1.2345, 0.9551574787793169, 0.03485321264016127, 0.8864137203074636, 1.0239012372511702},
      {5, -0.8323302823402721, 0.04113058810001375, -0.9134554068257705, -0.7512051578547736}}},
    {0.3,
     2,
     0.21019073505486632,
     187.42169499285788,
     {{-1.5, -1.1348373074868527, 0.06948590416132579, -1.2719122982730686, -0.9977623167006369},
      {0.25, 0.19047402992989743, 0.04672964146212837, 0.09829036692404781, 0.28265769293574705},
      {1.2345, 0.99191689638561, 0.04673617768865335, 0.8997203393518061, 1.084113453419414},
      {5, -0.9691492062804639, 0.0449088384194161, -1.0577409672550204, -0.8805574453059073}}},
    {0.5,
     0,
     0.3637706119653509,
     196.34241308612846,
     {{-1.5, -0.20812376176643566, 0.046805865151901827, -0.3004305378081997, -0.1158169857246716},
      {0.25, 0.33673871716131315, 0.043445555033914986, 0.25105887542543665, 0.42241855889718966},
      {1.2345, 0.875019154071758, 0.04298932951130178, 0.7902390437478258, 0.9597992643956902},
      {5, -0.6203600060384648, 0.044819522135769466, -0.7087494755773535, -0.531970536499576}}},
    {0.5,
     1,
     0.2560623885195403,
     194.96324449484626,
     {{-1.5, -1.1905679471817718, 0.06455322460287231, -1.3178802281385311, -1.0632556662250126},
      {0.25, 0.2079644335473465, 0.03168360040594471, 0.14547783490849486, 0.27045103218619815},
      {1.2345, 0.8544610953510099, 0.03071723168788196, 0.7938803752565486, 0.9150418154454711},
      {5, -0.8692140154137493, 0.04608048229286657, -0.9600942362607086, -0.7783337945667901}}},
    {0.5,
     2,
     0.21091273902014482,
     192.12918874813806,
     {{-1.5, -1.152455675135739, 0.06702730292855182, -1.28465952844594, -1.0202518218255383},
      {0.25, 0.255972598471384, 0.03601303882765631, 0.18494090997421853, 0.32700428696854944},
      {1.2345, 0.9922027835511564, 0.035484787946968216, 0.9222130107941471, 1.0621925563081658},
      {5, -0.9367094246892734, 0.03792765980815953, -1.0115174887855123, -0.8619013605930347}}},
    {0.75,
     0,
     0.5431580227179642,
     197.79741942079832,
     {{-1.5, 0.15749578429841954, 0.0548835072546598, 0.04926386712360824, 0.2657277014732308},
      {0.25, 0.4002863920997105, 0.050470072496343235, 0.3007579002180777, 0.4998148839813433},
      {1.2345, 0.7013983469740074, 0.051038627562878934, 0.6007486475029054, 0.8020480464451094},
      {5, -0.26878031495876004, 0.05390300988352327, -0.3750786620034671, -0.16248196791405295}}},
    {0.75,
     1,
     0.3296739035534342,
     196.47438965996048,
     {{-1.5, -1.0028869000159368, 0.07060408419145128, -1.1421260363500805, -0.8636477636817932},
      {0.25, 0.14285807471861156, 0.03451673511360783, 0.07478721959271104, 0.2109289298445121},
      {1.2345, 0.670591060202694, 0.031515260645723346, 0.6084394478149894, 0.7327426725903986},
      {5, -0.9570932275465006, 0.055468987083914074, -1.0664842626876252, -0.847702192405376}}},
    {0.75,
     2,
     0.23715330021074207,
     194.6898556253088,
     {{-1.5, -1.3032556913589894, 0.0693972883271921, -1.4401226659935786, -1.1663887167244003},
      {0.25, 0.3498125644230445, 0.031546359202512655, 0.2875960881188523, 0.4120290407272367},
      {1.2345, 0.9532975592031885, 0.030918843269263013, 0.8923186846755088, 1.0142764337308683},
      {5, -0.8758793810434067, 0.04135689546647187, -0.9574444291773845, -0.7943143329094289}}},
    {1.5,
     0,
     0.7475097876943663,
     198.86371982766366,
     {{-1.5, 0.22604085899168427, 0.05551491525905044, 0.11656739955921504, 0.3355143184241535},
      {0.25, 0.22853070427209066, 0.0547868727121793, 0.1204929191236962, 0.3365684894204851},
      {1.2345, 0.23632029893200807, 0.054406042139289706, 0.12903349827268884, 0.3436070995913273},
      {5, 0.12780634573608948, 0.05537769603946144, 0.018603477776180988, 0.23700921369599798}}},
    {1.5,
     1,
     0.6157407496920303,
     197.77433531713575,
     {{-1.5, 0.10405332998315305, 0.09961433233215454, -0.0923892527114155, 0.3004959126777216},
      {0.25, 0.22056418907108322, 0.06149736718427265, 0.09928945524751281, 0.3418389228946536},
      {1.2345, 0.25907146866702646, 0.04784100191212786, 0.1647275147972418, 0.35341542253681113},
      {5, -0.5276525372686462, 0.08627858158013686, -0.6977966018828826, -0.3575084726544099}}},
    {1.5,
     2,
     0.40703685704304543,
     196.76532882408435,
     {{-1.5, -1.299604596582922, 0.09721389142257755, -1.491319486808568, -1.107889706357276},
      {0.25, 0.3578447693596446, 0.04070660473589259, 0.2775675358881744, 0.4381220028311148},
      {1.2345, 0.7246015286330426, 0.03856260741311031, 0.6485524584967336, 0.8006505987693516},
      {5, -0.9930267559093338, 0.06924874382537398, -1.1295917583639332, -0.8564617534547343}}},
};

struct Cloud {
  std::vector<double> x;
  std::vector<double> y;
};

Cloud wave(int count, double slowness) {
  Cloud cloud;
  for (int i = 1; i <= count; ++i) {
    const double x = 2 * std::sin(0.7 * i) + i / slowness;
    cloud.x.push_back(x);
    cloud.y.push_back(std::sin(x) + 0.3 * std::sin(static_cast<double>(i) * i));
  }
  return cloud;
}

void expect_agreement(std::span<const LoessReference> references, std::span<const double> x,
                      std::span<const double> y) {
  for (const LoessReference& reference : references) {
    SCOPED_TRACE("span " + std::to_string(reference.span) + ", degree " + std::to_string(reference.degree));
    const auto loess = Loess::fit(x, y, {.span = reference.span, .degree = reference.degree});
    ASSERT_TRUE(loess);
    EXPECT_TRUE(agrees(loess->residual_deviation(), reference.residual_scale, 1e-10));
    EXPECT_TRUE(agrees(loess->degrees_of_freedom(), reference.degrees_of_freedom, 1e-10));
    for (const ReferencePoint& expected : reference.points) {
      SCOPED_TRACE(expected.x);
      const LoessPoint actual = loess->at(expected.x);
      EXPECT_EQ(actual.x, expected.x);
      EXPECT_TRUE(agrees(actual.fit, expected.fit, 1e-10));
      EXPECT_TRUE(agrees(actual.standard_error, expected.standard_error, 1e-10));
      EXPECT_NEAR(actual.low, expected.low, 1e-10 * std::abs(expected.fit));
      EXPECT_NEAR(actual.high, expected.high, 1e-10 * std::abs(expected.fit));
    }
  }
}

TEST(Loess, OfTiedXAgreesWithR) { expect_agreement(kCarsReferences, kCarsSpeed, kCarsDistance); }

TEST(Loess, OfAWaveAgreesWithR) {
  const Cloud cloud = wave(200, 50);
  expect_agreement(kWaveReferences, cloud.x, cloud.y);
}

// 50 * 0.58 is just below 29 in binary; R counts 29 neighbours. R 4.2, as above, with cars, span = .58,
// degree = 1
TEST(Loess, CountsNearestPointsAsRDoes) {
  const auto loess = Loess::fit(kCarsSpeed, kCarsDistance, {.span = 0.58, .degree = 1});
  ASSERT_TRUE(loess);
  EXPECT_TRUE(agrees(loess->at(10.5).fit, 23.522349554072846, 1e-10));
  EXPECT_TRUE(agrees(loess->at(10.5).standard_error, 3.6723076269446482, 1e-10));
  EXPECT_TRUE(agrees(loess->residual_deviation(), 15.354532293767955, 1e-10));
  EXPECT_TRUE(agrees(loess->degrees_of_freedom(), 45.419218790224178, 1e-10));
}

TEST(Loess, DoesNotDependOnTheOrderOfPoints) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < kCarsSpeed.size(); ++i) {
    x.push_back(kCarsSpeed[i * 17 % 50]);
    y.push_back(kCarsDistance[i * 17 % 50]);
  }
  expect_agreement(kCarsReferences, x, y);
}

// R 4.2: qt(.75, 44.645458671616318) and qt(.975, 44.645458671616318), the freedom of cars with span .75 and
// degree 2
TEST(Loess, BandWidensWithItsConfidence) {
  const auto half = Loess::fit(kCarsSpeed, kCarsDistance, {.confidence = 0.5});
  const auto most = Loess::fit(kCarsSpeed, kCarsDistance, {.confidence = 0.95});
  ASSERT_TRUE(half && most);
  const LoessPoint a = half->at(15), b = most->at(15);
  EXPECT_EQ(a.fit, b.fit);
  EXPECT_EQ(a.standard_error, b.standard_error);
  EXPECT_TRUE(agrees((a.high - a.low) / 2 / a.standard_error, 0.68002474995544238, 1e-10));
  EXPECT_TRUE(agrees((b.high - b.low) / 2 / b.standard_error, 2.0145449410743179, 1e-10));
}

TEST(Loess, OfALargeOffsetIsTheSame) {
  std::vector<double> x;
  for (const double speed : kCarsSpeed) x.push_back(speed + 1.7e9);
  const auto near = Loess::fit(kCarsSpeed, kCarsDistance), far = Loess::fit(x, kCarsDistance);
  ASSERT_TRUE(near && far);
  EXPECT_TRUE(agrees(far->degrees_of_freedom(), near->degrees_of_freedom(), 1e-12));
  EXPECT_TRUE(agrees(far->at(1.7e9 + 10.5).fit, near->at(10.5).fit, 1e-12));
  EXPECT_TRUE(agrees(far->at(1.7e9 + 10.5).high, near->at(10.5).high, 1e-12));
}

// Beyond 500 points the freedom is approximate; everything else stays exact.
// R 4.2, as above, with i <- 1:600; x <- 2 * sin(0.7 * i) + i / 150; span = .3; degree = 2
TEST(Loess, OfHundredsOfPointsAgreesWithR) {
  const Cloud cloud = wave(600, 150);
  const auto loess = Loess::fit(cloud.x, cloud.y, {.span = 0.3});
  ASSERT_TRUE(loess);
  EXPECT_TRUE(agrees(loess->residual_deviation(), 0.21330519968181852, 1e-10));
  EXPECT_TRUE(agrees(loess->degrees_of_freedom(), 587.46043356596397, 1e-3));
  const LoessPoint left = loess->at(0.25), right = loess->at(3);
  EXPECT_TRUE(agrees(left.fit, 0.28212252571464547, 1e-10));
  EXPECT_TRUE(agrees(left.standard_error, 0.027858749136714246, 1e-10));
  EXPECT_TRUE(agrees(right.fit, 0.11079247727274125, 1e-10));
  EXPECT_TRUE(agrees(right.standard_error, 0.027530819762977013, 1e-10));
  EXPECT_TRUE(agrees(left.low, 0.22740765390074252, 1e-4));
  EXPECT_TRUE(agrees(right.high, 0.16486329240053835, 1e-4));
}

// Beyond 3000 points the noise is interpolated. R's exact statistics take too long here; the reference is the
// definition, every row of the hat matrix l(x) from its normal equations, in R 4.2:
//   n <- 4000; i <- 1:n; x <- 2 * sin(0.7 * i) + i / 1000; y <- sin(x) + 0.3 * sin(i^2); k <- 1200
//   row <- function(at) { d <- abs(x - at); h <- sort(d)[k]; w <- pmax(0, 1 - (d / h)^3)^3
//     X <- outer((x - at) / h, 0:2, "^"); (solve(crossprod(X * sqrt(w))) %*% t(X * w))[1, ] }
//   delta1 <- sum over j of 1 - 2 * row(x[j])[j] + sum(row(x[j])^2); s <- sqrt(sum(residual^2) / delta1)
//   sum(row(at) * y); s * sqrt(sum(row(at)^2))
TEST(Loess, OfThousandsOfPointsAgreesWithItsDefinition) {
  const Cloud cloud = wave(4000, 1000);
  const auto loess = Loess::fit(cloud.x, cloud.y, {.span = 0.3});
  ASSERT_TRUE(loess);
  EXPECT_TRUE(agrees(loess->residual_deviation(), 0.21503037748333353, 1e-4));
  EXPECT_TRUE(agrees(loess->degrees_of_freedom(), 3987.1400258454159, 1e-4));
  EXPECT_TRUE(agrees(loess->at(0.25).fit, 0.2761362861852053, 1e-10));
  EXPECT_TRUE(agrees(loess->at(0.25).standard_error, 0.010392427223300861, 1e-4));
  EXPECT_TRUE(agrees(loess->at(3).fit, 0.12063345778658138, 1e-10));
  EXPECT_TRUE(agrees(loess->at(3).standard_error, 0.010522653264831688, 1e-4));
}

// Two tight groups of x, as of idle and busy: between them the quadratic is hardly determined, and the error
// must say so. R 4.2, as above, with span = .45, degree = 2, at 20 and 40:
//   i <- 0:39; t <- 0.1 * sin(1.3 * i); x <- ifelse(i %% 2 == 1, t, 100 + t)
//   y <- ifelse(i %% 2 == 1, 50, 250) + sin(i^2)
TEST(Loess, InAWideGapIsAsUncertainAsInR) {
  Cloud cloud;
  for (int i = 0; i < 40; ++i) {
    const double t = 0.1 * std::sin(1.3 * i);
    cloud.x.push_back(i % 2 == 1 ? t : 100 + t);
    cloud.y.push_back((i % 2 == 1 ? 50 : 250) + std::sin(static_cast<double>(i) * i));
  }
  const auto loess = Loess::fit(cloud.x, cloud.y, {.span = 0.45});
  ASSERT_TRUE(loess);
  EXPECT_TRUE(agrees(loess->at(20).fit, 51173.744793526974, 1e-6));
  EXPECT_TRUE(agrees(loess->at(20).standard_error, 59471.04112024526, 1e-6));
  EXPECT_TRUE(agrees(loess->at(40).fit, 204287.61442437678, 1e-6));
  EXPECT_TRUE(agrees(loess->at(40).standard_error, 239006.19304047522, 1e-6));
}

// R 4.2, as above, with i <- 0:49; x <- i / 50; y <- sin(i / 5), at 1.1, 10 and 100
TEST(Loess, OutsideTheDataIsAsUncertainAsInR) {
  Cloud cloud;
  for (int i = 0; i < 50; ++i) {
    cloud.x.push_back(i / 50.0);
    cloud.y.push_back(std::sin(i / 5.0));
  }
  const auto loess = Loess::fit(cloud.x, cloud.y);
  ASSERT_TRUE(loess);
  EXPECT_TRUE(agrees(loess->at(1.1).fit, -1.361059496470465, 1e-10));
  EXPECT_TRUE(agrees(loess->at(1.1).standard_error, 0.28118739706849133, 1e-10));
  EXPECT_TRUE(agrees(loess->at(10).fit, -2192.1085598884993, 1e-8));
  EXPECT_TRUE(agrees(loess->at(10).standard_error, 232.78398889101629, 1e-8));
  EXPECT_TRUE(agrees(loess->at(100).fit, -257230.82026022344, 1e-6));
  EXPECT_TRUE(agrees(loess->at(100).standard_error, 27532.033785618907, 1e-6));
}

// Three values at each of five x.
const Cloud kSteps{{1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5},
                   {1, 2, 3, 2, 3, 4, 4, 5, 5, 6, 5, 6, 8, 9, 8}};

// By hand: a window of nothing but ties gives their mean, with 10 of 15 freedoms left; the squared residuals
// are 2 + 2 + 2/3 + 2/3 + 2/3, so the deviation is sqrt(6 / 10) and the error of a mean of three sqrt(6 / 10
// / 3). (R gives up on such windows: it answers 0 with an error that is not a number.)
TEST(Loess, OfAWindowOfTiesIsTheirMean) {
  for (const int degree : {0, 1, 2}) {
    const auto loess = Loess::fit(kSteps.x, kSteps.y, {.span = 0.2, .degree = degree});
    ASSERT_TRUE(loess);
    EXPECT_DOUBLE_EQ(loess->at(1).fit, 2);
    EXPECT_DOUBLE_EQ(loess->at(3).fit, 14.0 / 3);
    EXPECT_DOUBLE_EQ(loess->at(5).fit, 25.0 / 3);
    EXPECT_TRUE(agrees(loess->degrees_of_freedom(), 10, 1e-12));
    EXPECT_TRUE(agrees(loess->residual_deviation(), std::sqrt(0.6), 1e-12));
    EXPECT_TRUE(agrees(loess->at(3).standard_error, std::sqrt(0.2), 1e-12));
  }
}

// Between the steps all neighbours may lie at the very edge of the window, where the kernel is zero.
TEST(Loess, IsANumberEverywhereBetweenTies) {
  for (const double span : {0.2, 0.3, 0.4, 0.5, 0.75}) {
    for (const int degree : {0, 1, 2}) {
      const auto loess = Loess::fit(kSteps.x, kSteps.y, {.span = span, .degree = degree});
      ASSERT_TRUE(loess);
      for (const LoessPoint& point : loess->curve(41)) {
        EXPECT_TRUE(std::isfinite(point.fit))
            << "span " << span << ", degree " << degree << " at " << point.x;
        EXPECT_TRUE(std::isfinite(point.low))
            << "span " << span << ", degree " << degree << " at " << point.x;
        EXPECT_GT(point.high, point.low) << "span " << span << ", degree " << degree << " at " << point.x;
      }
    }
  }
}

TEST(Loess, CurveSpansTheRangeEvenly) {
  const auto loess = Loess::fit(kCarsSpeed, kCarsDistance);
  ASSERT_TRUE(loess);
  const auto curve = loess->curve(8);
  ASSERT_EQ(curve.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_DOUBLE_EQ(curve[i].x, 4 + 3 * static_cast<double>(i));
    EXPECT_EQ(curve[i].fit, loess->at(curve[i].x).fit);
    EXPECT_LT(curve[i].low, curve[i].fit);
    EXPECT_GT(curve[i].high, curve[i].fit);
  }
}

void expect_refused(std::span<const double> x, std::span<const double> y, const LoessOptions& options,
                    const std::string& reason) {
  const auto loess = Loess::fit(x, y, options);
  ASSERT_FALSE(loess) << reason;
  EXPECT_EQ(loess.error().kind, Errc::invalid_input);
  EXPECT_NE(loess.error().message.find(reason), std::string::npos) << loess.error().message;
}

TEST(Loess, RefusesTooFewPoints) {
  expect_refused({}, {}, {}, "too few");
  expect_refused(std::array{1.0, 2.0, 3.0}, std::array{1.0, 2.0, 1.0}, {.span = 1, .degree = 0}, "too few");
  expect_refused(kCarsSpeed, kCarsDistance, {.span = 0.05, .degree = 2}, "too few");
}

TEST(Loess, RefusesOneX) {
  expect_refused(std::array{3.0, 3.0, 3.0, 3.0, 3.0}, std::array{1.0, 2.0, 1.0, 5.0, 2.0}, {}, "same x");
}

TEST(Loess, RejectsValuesThatAreNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const std::array good{1.0, 2.0, 4.0, 5.0, 7.0};
  expect_refused(good, std::array{1.0, 2.0, nan, 5.0, 2.0}, {}, "point 3 is not");
  expect_refused(good, std::array{1.0, 2.0, 1.0, -infinity, 2.0}, {}, "point 4 is not");
  expect_refused(std::array{1.0, 2.0, 4.0, 5.0, infinity}, good, {}, "point 5 is not");
}

TEST(Loess, RefusesACurveThroughEveryPoint) {
  expect_refused(std::array{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, std::array{1.0, 3.0, 2.0, 5.0, 4.0, 0.0},
                 {.span = 0.5, .degree = 2}, "no degrees of freedom");
}

TEST(LoessDeathTest, ImpossibleOptionsBreakTheContract) {
  EXPECT_DEATH((void)Loess::fit(kCarsSpeed, kCarsDistance, {.degree = 3}), "broken contract");
  EXPECT_DEATH((void)Loess::fit(kCarsSpeed, kCarsDistance, {.span = 0}), "broken contract");
  EXPECT_DEATH((void)Loess::fit(kCarsSpeed, kCarsDistance, {.confidence = 1}), "broken contract");
  EXPECT_DEATH((void)Loess::fit(kCarsSpeed, kMpg), "broken contract");
  EXPECT_DEATH((void)Loess::fit(kCarsSpeed, kCarsDistance)->curve(1), "broken contract");
}

}  // namespace
}  // namespace ergon::statistics
