# JFRTREE_SANITIZE applies to every target of the build, since code with and without a sanitizer
# in one program reports faults that are none (containers) or misses real ones.
if(JFRTREE_SANITIZE)
  set(jfrtree_sanitize_options
    "-fsanitize=${JFRTREE_SANITIZE}" -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_compile_options(${jfrtree_sanitize_options})
  add_link_options(${jfrtree_sanitize_options})
  if(JFRTREE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC warns that ThreadSanitizer does not follow fences; the code uses none.
    add_compile_options(-Wno-tsan)
  endif()
endif()

if(JFRTREE_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR
      "JFRTREE_BUILD_FUZZERS needs clang with libFuzzer (Debian: clang-14 libclang-rt-14-dev). "
      "Use the preset fuzz.")
  endif()
  # Coverage for the library; main() comes with -fsanitize=fuzzer at the fuzz targets.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
