# jfrtree_set_warnings(TARGET)
#
# The warnings that all code of this project is free of. Errors with JFRTREE_WERROR.
function(jfrtree_set_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow)
  # In instrumented code GCC warns of overflows that it only imagines.
  if(JFRTREE_WERROR AND NOT JFRTREE_SANITIZE)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees an overlap in every `"text" + std::string` (its bug 105329).
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
endfunction()
