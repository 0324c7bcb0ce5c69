# Installs jfrtree to a fresh prefix, moves the prefix, then builds and runs the consumer project
# twice: with the CMake package and with pkg-config. Both must print expected.txt, whose numbers come
# from the JDK: "jfr summary", "jfr print --events jdk.JavaMonitorEnter", testdata/expected.
cmake_minimum_required(VERSION 3.25)

set(recording "${TESTDATA}/jdk17-mixed.jfr")
file(READ "${CONSUMER_DIR}/expected.txt" expected)

function(run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT" "COMMAND")
  list(JOIN arg_COMMAND " " text)
  message(STATUS "${text}")
  execute_process(COMMAND ${arg_COMMAND}
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "exit code ${result}\n${output}\n${errors}")
  endif()
  if(arg_OUTPUT)
    set(${arg_OUTPUT} "${output}" PARENT_SCOPE)
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")
# A prefix that was moved after the installation must work.
run(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/first")
set(prefix "${WORK_DIR}/prefix")
file(RENAME "${WORK_DIR}/first" "${prefix}")

run(COMMAND "${CMAKE_COMMAND}" -S "${CONSUMER_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
  -DCMAKE_BUILD_TYPE=Release)
run(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
run(COMMAND "${WORK_DIR}/build/consumer" "${recording}" "${WORK_DIR}/with_cmake.json"
  OUTPUT with_cmake)

file(GLOB_RECURSE pc_file "${prefix}/*/jfrtree.pc")
cmake_path(GET pc_file PARENT_PATH pc_folder)
set(ENV{PKG_CONFIG_PATH} "${pc_folder}")
run(COMMAND pkg-config --cflags --libs --static jfrtree OUTPUT flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(COMMAND "${CXX_COMPILER}" -std=c++20 "${CONSUMER_DIR}/main.cpp"
  -o "${WORK_DIR}/with_pkg_config" ${flags})
run(COMMAND "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${pc_folder}/.."
  "${WORK_DIR}/with_pkg_config" "${recording}" "${WORK_DIR}/with_pkg_config.json"
  OUTPUT with_pkg_config)

foreach(way IN ITEMS with_cmake with_pkg_config)
  if(NOT "${${way}}" STREQUAL "${expected}")
    message(FATAL_ERROR "${way} the consumer printed\n${${way}}\ninstead of\n${expected}")
  endif()
  file(READ "${WORK_DIR}/${way}.json" document)
  string(JSON samples ERROR_VARIABLE error GET "${document}" flamebearer numTicks)
  if(NOT samples EQUAL 755)
    message(FATAL_ERROR "${way} the flame graph has ${samples} samples instead of 755: ${error}")
  endif()
endforeach()
message(STATUS "The consumer printed:\n${expected}")
