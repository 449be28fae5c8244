/* Numbers of text files: every number is the double or float nearest to it, as strtod has it. */
#include "data/formats/token.h"

#include "unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 3;
static uint32_t draw(uint32_t bound) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((random_state >> 33) % bound);
}

static void check_number(const char *text) {
  double found = 0, expected = strtod(text, NULL);
  const token t = {text, strlen(text)};
  if (!token_parse_f64(t, &found) || memcmp(&found, &expected, sizeof found))
    unit_fail(__FILE__, __LINE__, "'%s' is %.17g, expected %.17g", text, found, expected);
}

TEST(numbers_are_rounded_as_by_strtod) {
  static const char *const texts[] = {"0",
                                      "-0",
                                      "+1",
                                      "-0.0",
                                      ".5",
                                      "5.",
                                      "0.1",
                                      "1e22",
                                      "1e23",
                                      "1e-22",
                                      "1e-23",
                                      "9007199254740993",
                                      "123456789012345",
                                      "1234567890123456",
                                      "0.000000000000001",
                                      "000000000000000000001",
                                      "1e0005",
                                      "4.35",
                                      "-2.5E+3",
                                      "8.5e-10",
                                      "1e308",
                                      "5e-324",
                                      "2.2250738585072011e-308"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_number(texts[i]);
  for (int i = 0; i < 200000; i++) {
    char text[64] = {0};
    const int digits = 1 + (int)draw(17), point = (int)draw((uint32_t)digits + 1);
    int at = snprintf(text, sizeof text, "%s", draw(2) ? "-" : "");
    for (int d = 0; d < digits; d++) {
      if (d == point) text[at++] = '.';
      text[at++] = (char)('0' + draw(10));
    }
    if (draw(2)) snprintf(text + at, sizeof text - (size_t)at, "e%d", (int)draw(50) - 25);
    check_number(text);
  }
}

TEST(what_is_no_number_is_refused) {
  static const char *const texts[] = {"",      ".",   "-",  "+",  "e5", "1e",    "1e+",  "1.2.3",
                                      "1e5e5", "--1", "1x", " 1", "1 ", "1e1.5", "1e400"};
  double number;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (token_parse_f64((token){texts[i], strlen(texts[i])}, &number))
      unit_fail(__FILE__, __LINE__, "'%s' was taken for %g", texts[i], number);
}
