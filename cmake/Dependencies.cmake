# The packages that jfrtree is built with. All of them are private to the library: no public
# header includes one. A missing package is an error that says how to get it.

# jfrtree_find(PACKAGE DEBIAN_PACKAGE [arguments of find_package])
macro(jfrtree_find package debian_package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR
      "jfrtree needs ${package}, which was not found. On Debian: apt-get install "
      "${debian_package} (or run scripts/setup, which installs all that is missing). "
      "README.md names the packages of other systems.")
  endif()
endmacro()

set(THREADS_PREFER_PTHREAD_FLAG ON)
jfrtree_find(Threads libc6-dev)
jfrtree_find(ZLIB zlib1g-dev)
jfrtree_find(zstd libzstd-dev CONFIG)
jfrtree_find(LZ4 liblz4-dev MODULE)
jfrtree_find(re2 libre2-dev MODULE)
jfrtree_find(tsl-robin-map robin-map-dev CONFIG)
if(JFRTREE_BUILD_CLI OR JFRTREE_BUILD_PYTHON)
  jfrtree_find(CLI11 libcli11-dev CONFIG)
endif()
if(JFRTREE_BUILD_PYTHON)
  # In this order: pybind11 takes the Python that is found already.
  set(PYBIND11_FINDPYTHON ON)
  jfrtree_find(Python python3-dev 3.10 COMPONENTS Interpreter Development.Module)
  # That of PyPI, which pip installs for the build; Debian 12 has 2.10.
  jfrtree_find(pybind11 "python3-pybind11 (2.13 or newer, as pip has it)" 2.13 CONFIG)
endif()
if(JFRTREE_BUILD_TESTS)
  jfrtree_find(doctest doctest-dev CONFIG)
  jfrtree_find(nlohmann_json nlohmann-json3-dev CONFIG)
endif()
if(JFRTREE_BUILD_BENCH)
  jfrtree_find(benchmark libbenchmark-dev CONFIG)
endif()

# Which of the three targets exists depends on the version of zstd and on how it was packaged.
set(JFRTREE_ZSTD_TARGETS zstd::libzstd zstd::libzstd_shared zstd::libzstd_static)
foreach(candidate IN LISTS JFRTREE_ZSTD_TARGETS)
  if(TARGET ${candidate})
    set(JFRTREE_ZSTD_TARGET ${candidate})
    break()
  endif()
endforeach()
if(NOT JFRTREE_ZSTD_TARGET)
  message(FATAL_ERROR "The CMake package of zstd defines none of: ${JFRTREE_ZSTD_TARGETS}")
endif()

function(jfrtree_link_dependencies target)
  target_link_libraries(${target} PRIVATE
    Threads::Threads
    ZLIB::ZLIB
    ${JFRTREE_ZSTD_TARGET}
    LZ4::lz4
    re2::re2
    # Headers alone: users of the library need not have them.
    $<BUILD_INTERFACE:tsl::robin_map>)
endfunction()
