# jfrtree_embed(TARGET FILE SYMBOL)
#
# Makes the bytes of FILE (relative to the current source folder) part of TARGET as
#   namespace jfrtree::embedded { extern const std::string_view SYMBOL; }
# declared in the generated header "embedded/SYMBOL.hpp". It is made anew when FILE changes.
set(JFRTREE_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/EmbedFile.cmake")

function(jfrtree_embed target file symbol)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set(root "${PROJECT_BINARY_DIR}/generated")
  set(header "${root}/embedded/${symbol}.hpp")
  set(source "${root}/embedded/${symbol}.cpp")
  add_custom_command(
    OUTPUT "${header}" "${source}"
    COMMAND "${CMAKE_COMMAND}"
      "-DINPUT=${file}" "-DSYMBOL=${symbol}" "-DHEADER=${header}" "-DSOURCE=${source}"
      -P "${JFRTREE_EMBED_SCRIPT}"
    DEPENDS "${file}" "${JFRTREE_EMBED_SCRIPT}"
    COMMENT "Embedding ${symbol}"
    VERBATIM)
  # The target may belong to another folder; a custom target carries the rule to it.
  add_custom_target(${target}_embed_${symbol} DEPENDS "${header}" "${source}")
  add_dependencies(${target} ${target}_embed_${symbol})
  target_sources(${target} PRIVATE "${source}" "${header}")
  target_include_directories(${target} PRIVATE "${root}")
endfunction()
