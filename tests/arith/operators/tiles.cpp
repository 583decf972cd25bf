/* The tile kernels without operators, on the host's side of their language. */
#include "dialect_strict.h"

using std::memcpy;

#include "arith/fp64_free.h"
#include "arith/reflect.h"

#include "kernels/tiles/language_host.h"

#include "kernels/tiles/args.h"

#define VIF_RADIUS 8
#include "kernels/tiles/sample.h"
#include "kernels/tiles/taps.h"

#include "kernels/tiles/decimate.h"
#include "kernels/tiles/prescale.h"
#include "kernels/tiles/probe.h"
#include "kernels/tiles/row_sums.h"
#include "kernels/tiles/scale.h"
#include "kernels/tiles/dump.h"
