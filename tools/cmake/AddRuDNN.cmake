# The one place that knows how RuDNN finds, compiles against and links LLVM and
# MLIR. Subdirectories only list files: add_rudnn_library, add_rudnn_tool.

option(RUDNN_STATIC
  "Link LLVM, MLIR and libstdc++ statically, all tools as one portable binary" OFF)
option(RUDNN_SANITIZE
  "Build RuDNN's own code with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
set(RUDNN_LLVM_ROOT "/usr/lib/llvm-22" CACHE PATH
    "Prefix of the LLVM and MLIR 22.1 packages")

# "22" alone is refused by the packages' version file.
find_package(MLIR 22.1 REQUIRED CONFIG PATHS "${RUDNN_LLVM_ROOT}")
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# The packages leave MLIR_LINK_MLIR_DYLIB unset although they ship libMLIR.so.
if(RUDNN_STATIC)
  set(LLVM_LINK_LLVM_DYLIB OFF)
  set(MLIR_LINK_MLIR_DYLIB OFF)
else()
  set(MLIR_LINK_MLIR_DYLIB ON)
endif()

# TableGen's documentation goes to ${MLIR_BINARY_DIR}/docs; unset, that is /docs.
set(MLIR_BINARY_DIR "${PROJECT_BINARY_DIR}")
set(LLVM_RUNTIME_OUTPUT_INTDIR "${PROJECT_BINARY_DIR}/bin")
set(LLVM_LIBRARY_OUTPUT_INTDIR "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

if(RUDNN_SANITIZE)
  # The packages' libLLVM and libMLIR are not instrumented; test/lit.cfg.py sets
  # the ASAN_OPTIONS that follow from that.
  set(LLVM_USE_SANITIZER "Address;Undefined")
  set(LLVM_UBSAN_FLAGS
      "-fsanitize=undefined -fno-sanitize=vptr,function -fno-sanitize-recover=all")
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
# Brings LLVM's own warnings, hidden inline functions, no exceptions, and RTTI as
# the packages have it. Nothing more is hidden: classes must stay the same class
# on both sides of libMLIR.so.
include(HandleLLVMOptions)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories("${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
separate_arguments(RUDNN_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${RUDNN_LLVM_DEFINITIONS})
add_compile_options(-Werror)

if(RUDNN_STATIC)
  include(StaticLLVM)
  rudnn_use_llvm_archives()
endif()

function(rudnn_check_mlir_libs name)
  get_property(upstream GLOBAL PROPERTY MLIR_ALL_LIBS)
  foreach(lib IN LISTS ARGN)
    if(NOT lib IN_LIST upstream)
      message(SEND_ERROR "${name}: MLIR_LIBS has ${lib}, which MLIR does not ship")
    endif()
  endforeach()
endfunction()

# add_rudnn_library(name sources... [DEPENDS tablegen targets]
#                   [LINK_LIBS RuDNN libraries] [MLIR_LIBS upstream libraries])
# MLIR_LIBS must be complete: a shared build takes libMLIR.so for all of them, a
# static one links exactly those archives.
function(add_rudnn_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS;MLIR_LIBS" ${ARGN})
  rudnn_check_mlir_libs(${name} ${ARG_MLIR_LIBS})
  # The tree's TableGen targets hang on mlir-headers; without this a source could
  # be compiled before the generated header of a library that it links.
  add_mlir_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS}
    PARTIAL_SOURCES_INTENDED
    DISABLE_INSTALL
    EXCLUDE_FROM_LIBMLIR
    DEPENDS mlir-headers ${ARG_DEPENDS}
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PUBLIC ${ARG_MLIR_LIBS})
endfunction()

# add_rudnn_tool(name sources... [LINK_LIBS RuDNN libraries]
#                [MLIR_LIBS upstream libraries])
# A static build turns `name` into an object library whose main is renamed, and
# rudnn_finish_tools() makes one multi-call binary of them all.
function(add_rudnn_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS;MLIR_LIBS" ${ARGN})
  rudnn_check_mlir_libs(${name} ${ARG_MLIR_LIBS})
  set_property(GLOBAL APPEND PROPERTY RUDNN_TOOLS ${name})
  if(RUDNN_STATIC)
    add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
    llvm_update_compile_flags(${name})
    string(MAKE_C_IDENTIFIER "${name}_main" entry)
    target_compile_definitions(${name} PRIVATE main=${entry})
    target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${ARG_MLIR_LIBS})
  else()
    add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS}
      PARTIAL_SOURCES_INTENDED DISABLE_LLVM_LINK_LLVM_DYLIB)
    target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  endif()
  add_dependencies(${name} mlir-headers)
endfunction()

# To be called once, after the last add_rudnn_tool. Sets RUDNN_TOOL_TARGETS to
# what a test run has to build first.
function(rudnn_finish_tools)
  get_property(tools GLOBAL PROPERTY RUDNN_TOOLS)
  if(RUDNN_STATIC)
    rudnn_add_multicall_binary(rudnn ${tools})
    set(tools rudnn)
  endif()
  set(RUDNN_TOOL_TARGETS ${tools} PARENT_SCOPE)
endfunction()
