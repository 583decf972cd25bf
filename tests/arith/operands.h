/* Operands of the two f64 expressions: everyday ones, and ones built to lie on and beside every
 * kind of tie. */
#ifndef VQX_TESTS_ARITH_OPERANDS_H
#define VQX_TESTS_ARITH_OPERANDS_H

#include <stdint.h>

/* Devices compile operands.c too, with functions of their own kind. */
#ifndef OPERAND_API
#define OPERAND_API
#endif

typedef enum OperandKind {
    OPERAND_LOG,      /* log-uniform over the whole stated range */
    OPERAND_UNIFORM,  /* uniform, as in natural content */
    OPERAND_EDGE,     /* zero, subnormals, the least and largest values, powers of two and their
                         neighbours */
    OPERAND_TIE,      /* 1 + q lies exactly between two f32 */
    OPERAND_NEAR_TIE, /* as near to such a tie as operands of 24 bits come, on both sides */
    OPERAND_SUM_TIE,  /* sv + nsq lies exactly between two f64, or beside that */
    OPERAND_SOLVED,   /* sv solved for so that 1 + gs / (sv + nsq) lies beside a tie */
    OPERAND_KINDS
} OperandKind;

extern const char *const operand_kind_name[OPERAND_KINDS];

typedef struct NumOperand {
    float gs, sv;
} NumOperand;

/* Operand n of a seed, for a noise variance. */
OPERAND_API NumOperand operand_num(OperandKind kind, double nsq, uint64_t seed, uint64_t n);

/* s1 of the denominator; OPERAND_SUM_TIE is OPERAND_LOG here, no sum precedes the quotient. */
OPERAND_API float operand_den(OperandKind kind, double nsq, uint64_t seed, uint64_t n);

#endif
