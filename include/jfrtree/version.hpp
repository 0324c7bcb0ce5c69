#pragma once

/// The version of jfrtree.
///
/// The three macros are the only place where the number is written: CMake reads them from this
/// header for the project, the package configuration, the pkg-config file and the program.
/// Use the macros to choose between interfaces at compile time; use version() for the library
/// that is really linked, which differs from the header when a shared library was exchanged.

#include <string_view>

#define JFRTREE_VERSION_MAJOR 0
#define JFRTREE_VERSION_MINOR 1
#define JFRTREE_VERSION_PATCH 0

namespace jfrtree {

/// The version of the linked library as "MAJOR.MINOR.PATCH". The text lives as long as the
/// program. Safe from any thread; never throws.
std::string_view version() noexcept;

}  // namespace jfrtree
