#pragma once

#include "support/byte_writer.hpp"

#include <cstdint>

namespace jfrtree::test {

/// One gzip member.
Bytes gzip(const Bytes& bytes);

/// One gzip member: `first`, then `mebibytes` MiB of zeros. Compressing is done once for all of the
/// zeros, so this is quick whatever the size; the member has about 1/1000 of it.
Bytes gzip_with_zeros(const Bytes& first, std::uint64_t mebibytes);

}  // namespace jfrtree::test
