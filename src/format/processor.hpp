#pragma once

/// Whether the compiler can build x86 paths that are chosen at run time.
#if defined(__x86_64__) && defined(__GNUC__)
#define JFRTREE_HAS_X86_PATHS 1
/// Marks a function that may use what `has_fast_bits` asks for.
#define JFRTREE_FAST_BITS __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#else
#define JFRTREE_HAS_X86_PATHS 0
#define JFRTREE_FAST_BITS
#endif

namespace jfrtree::internal {

/// Whether this processor has AVX2, BMI2 and the bit counts, and its bit gathering is fast: the
/// first two generations of AMD Zen do it in microcode. False where there is no path for them.
[[nodiscard]] inline bool has_fast_bits() noexcept {
#if JFRTREE_HAS_X86_PATHS
  static const bool has = __builtin_cpu_supports("avx2") != 0 &&
                          __builtin_cpu_supports("bmi2") != 0 &&
                          __builtin_cpu_supports("popcnt") != 0 &&
                          __builtin_cpu_is("znver1") == 0 && __builtin_cpu_is("znver2") == 0;
  return has;
#else
  return false;
#endif
}

}  // namespace jfrtree::internal
