// Says which paths the library takes on this processor, or on the one that valgrind shows.

#include <cstdio>

#include "format/processor.hpp"

int main() { return std::puts(jfrtree::internal::has_fast_bits() ? "fast" : "plain") < 0 ? 1 : 0; }
