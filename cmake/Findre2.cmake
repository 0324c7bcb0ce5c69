# Finds the regular expression library RE2. Defines
#   re2_FOUND, re2_VERSION
#   re2::re2    imported target
# Newer versions of RE2 come with a CMake package, which is taken where it is there; others, those of
# Debian among them, with a pkg-config file only.
find_package(re2 CONFIG QUIET)
if(TARGET re2::re2)
  set(re2_FOUND TRUE)
  return()
endif()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_RE2 QUIET re2)
endif()

find_path(RE2_INCLUDE_DIR re2/re2.h HINTS ${PC_RE2_INCLUDE_DIRS})
find_library(RE2_LIBRARY NAMES re2 HINTS ${PC_RE2_LIBRARY_DIRS})
mark_as_advanced(RE2_INCLUDE_DIR RE2_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(re2
  REQUIRED_VARS RE2_LIBRARY RE2_INCLUDE_DIR
  VERSION_VAR PC_RE2_VERSION)

if(re2_FOUND AND NOT TARGET re2::re2)
  set(re2_VERSION "${PC_RE2_VERSION}")
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES
    IMPORTED_LOCATION "${RE2_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${RE2_INCLUDE_DIR}")
  # What RE2 itself needs: threads, and Abseil from 2023 on.
  set(re2_needs ${PC_RE2_LINK_LIBRARIES})
  list(REMOVE_ITEM re2_needs "${RE2_LIBRARY}")
  set_property(TARGET re2::re2 PROPERTY INTERFACE_LINK_LIBRARIES ${re2_needs})
endif()
