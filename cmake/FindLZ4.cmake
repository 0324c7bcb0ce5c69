# Finds the LZ4 library with its frame format (lz4frame.h). Defines
#   LZ4_FOUND, LZ4_VERSION
#   LZ4::lz4    imported target
# LZ4 comes with a pkg-config file but, on most systems, without a CMake package.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_LZ4 QUIET liblz4)
endif()

find_path(LZ4_INCLUDE_DIR lz4frame.h HINTS ${PC_LZ4_INCLUDE_DIRS})
find_library(LZ4_LIBRARY NAMES lz4 liblz4 HINTS ${PC_LZ4_LIBRARY_DIRS})
mark_as_advanced(LZ4_INCLUDE_DIR LZ4_LIBRARY)

if(LZ4_INCLUDE_DIR AND EXISTS "${LZ4_INCLUDE_DIR}/lz4.h")
  file(STRINGS "${LZ4_INCLUDE_DIR}/lz4.h" lz4_version_lines
    REGEX "^#define LZ4_VERSION_(MAJOR|MINOR|RELEASE)[ \t]+[0-9]+")
  string(REGEX MATCHALL "[ \t][0-9]+" lz4_version_parts "${lz4_version_lines}")
  list(JOIN lz4_version_parts "." LZ4_VERSION)
  string(REGEX REPLACE "[ \t]" "" LZ4_VERSION "${LZ4_VERSION}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LZ4
  REQUIRED_VARS LZ4_LIBRARY LZ4_INCLUDE_DIR
  VERSION_VAR LZ4_VERSION)

if(LZ4_FOUND AND NOT TARGET LZ4::lz4)
  add_library(LZ4::lz4 UNKNOWN IMPORTED)
  set_target_properties(LZ4::lz4 PROPERTIES
    IMPORTED_LOCATION "${LZ4_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LZ4_INCLUDE_DIR}")
endif()
