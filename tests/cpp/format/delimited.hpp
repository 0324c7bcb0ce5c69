#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include <jfrtree/limits.hpp>

#include "format/opened.hpp"
#include "support/recording_writer.hpp"

namespace jfrtree::test {

/// The chunks that a `ChunkSource` finds, "NUMBER@OFFSET+BYTES STATE; " each, then the findings.
/// Checks that each chunk has the bytes of its place.
std::string delimited(const Bytes& bytes, Source source, const Limits& limits = {});

/// The same from memory, from a file and from a stream: there must be no difference.
std::string delimited(const Bytes& bytes);

/// A chunk of 2000 bytes: one long event, then the metadata.
Bytes chunk_of_2000(const HeaderFields& header = {});

/// The same with another size in its header.
Bytes claiming(std::int64_t size);

/// Bytes that are neither records nor headers: nine of them are a size beyond everything.
Bytes noise(std::size_t size);

Bytes joined(std::initializer_list<Bytes> parts);

/// A checkpoint as a JVM writes it at each flush: its only pool holds a copy of the header.
Bytes checkpoint_with_copy(const HeaderFields& header);

}  // namespace jfrtree::test
