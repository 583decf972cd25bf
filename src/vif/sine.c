/* A sine that is the same on every machine: argument reduction and Taylor series on pairs of f64.
 */
#include "vif/sine.h"

#include <math.h>

/* An unevaluated sum hi + lo with |lo| at most half an ulp of hi: about 106 bits. */
typedef struct Pair {
    double hi, lo;
} Pair;

static Pair two_sum(double a, double b)
{
    const double s = a + b, t = s - a;
    return (Pair){s, (a - (s - t)) + (b - t)};
}

static Pair two_product(double a, double b)
{
    const double p = a * b;
    return (Pair){
        p, fma(a, b, -p)}; /* fma is one rounding on every machine, so the error term is exact */
}

static Pair add(Pair a, Pair b)
{
    Pair s = two_sum(a.hi, b.hi);
    const Pair t = two_sum(a.lo, b.lo);
    s = two_sum(s.hi, s.lo + t.hi);
    return two_sum(s.hi, s.lo + t.lo);
}

static Pair multiply(Pair a, Pair b)
{
    const Pair p = two_product(a.hi, b.hi);
    return two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static Pair divide(Pair a, double b)
{
    const double q = a.hi / b;
    const Pair p = two_product(q, b);
    return two_sum(q, ((a.hi - p.hi) - p.lo + a.lo) / b);
}

/* first + first * -r2 / (n (n + 1)) + ...: the sine's series from n = 2 and first = r, the cosine's
 * from n = 1 and first = 1. |r2| < 0.62, so thirty factors are far past 2^-106. */
static Pair series(Pair first, Pair r2, int n)
{
    const Pair negated = {-r2.hi, -r2.lo};
    Pair sum = first, term = first;
    for (int i = 0; i < 15; i++, n += 2) {
        term = divide(multiply(term, negated), (double)n * (n + 1));
        sum = add(sum, term);
    }
    return sum;
}

double vif_sine(double x)
{
    /* pi / 2 in three parts, 159 bits: x - k pi / 2 keeps 106 good bits however close x is to a
     * multiple. */
    static const double half_pi[3] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                      -0x1.f1976b7ed8fbcp-110};
    const double k = nearbyint(x / half_pi[0]);
    Pair r = {x, 0};
    for (int i = 0; i < 3; i++)
        r = add(r, two_product(-k, half_pi[i]));
    const Pair r2 = multiply(r, r);
    const int quadrant = (int)k & 3;
    const Pair s = quadrant & 1 ? series((Pair){1, 0}, r2, 1) : series(r, r2, 2);
    return quadrant & 2 ? -s.hi : s.hi;
}
