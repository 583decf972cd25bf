/* Nothing: whether the compiler knows a target. */
