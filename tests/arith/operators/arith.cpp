/* src/arith without operators. */
#include "dialect_strict.h"

#include "arith/fp64_free.h"
#include "arith/ranged.h"
#include "arith/reflect.h"

#ifdef FORBIDDEN
vqx_f32 forbidden(vqx_f32 a, vqx_f32 b)
{
    return a FORBIDDEN b;
}
#endif
