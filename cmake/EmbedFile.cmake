# Run by jfrtree_embed: cmake -DINPUT=… -DSYMBOL=… -DHEADER=… -DSOURCE=… -P EmbedFile.cmake
file(READ "${INPUT}" bytes HEX)
if(bytes STREQUAL "")
  message(FATAL_ERROR "${INPUT} is empty")
endif()
# An array and not a string literal: literals above 64 KiB are not portable.
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
# The regular expressions of CMake have no counts: 16 bytes are one line of source.
set(byte "'..[^']*',")
string(REPEAT "${byte}" 16 line)
string(REGEX REPLACE "(${line})" "\\1\n  " bytes "${bytes}")

file(WRITE "${HEADER}" "#pragma once

#include <string_view>

namespace jfrtree::embedded {

extern const std::string_view ${SYMBOL};

}  // namespace jfrtree::embedded
")
file(WRITE "${SOURCE}" "#include \"embedded/${SYMBOL}.hpp\"

namespace jfrtree::embedded {
namespace {

constexpr char ${SYMBOL}_bytes[] = {
  ${bytes}
};

}  // namespace

constexpr std::string_view ${SYMBOL}{${SYMBOL}_bytes, sizeof(${SYMBOL}_bytes)};

}  // namespace jfrtree::embedded
")
