# What a build of this project alone takes when nothing else was chosen. As part of another
# project nothing here changes what that project decided.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

get_property(jfrtree_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT jfrtree_multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(JFRTREE_CCACHE ccache DOC "Compiler cache, used when found")
  mark_as_advanced(JFRTREE_CCACHE)
  if(JFRTREE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${JFRTREE_CCACHE}")
  endif()
endif()
