// A file that cannot be used is refused with exit code 2 and a message that says
// which argument it was for, what was expected and what is there. Nothing is
// written.
//
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{write} = %python %S/Inputs/write_npy.py
// DEFINE: %{run} = %python %S/Inputs/exits.py 2 rudnn-runner %s --output-dir=%t/out --json=%t/out.json

func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}

// RUN: %{run} --input=0=%t/none.npy 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: argument 0: {{.*}}none.npy: No such file or directory

// RUN: %{run} --input=0=/dev/zero 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: argument 0: {{.*}}zero: expected a file or a pipe, got a device

// RUN: echo hello > %t/text.npy
// RUN: %{run} --input=0=%t/text.npy 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: argument 0: {{.*}}: not a .npy file

// RUN: %{write} %t/a.npy '<f4' 2,3 0
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: argument 0: expected shape [?, 4], got [2, 3]

// RUN: %{write} %t/a.npy '<f4' 4 0
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: argument 0: expected shape [?, 4], got [4]

// RUN: %{write} %t/a.npy '<f2' 2,4 0
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: argument 0: expected elements of type f32, got f16 in

// RUN: %{write} %t/a.npy '>f4' 2,4 0
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=ENDIAN
// ENDIAN: error: argument 0: {{.*}}: expected little-endian elements, got big-endian '>f4'

// RUN: %{write} %t/a.npy '|O' 2,4 0
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=OBJECT
// OBJECT: error: argument 0: {{.*}}: expected numbers, got Python objects ('|O')

// RUN: %{write} %t/a.npy '<c8' 2,4 0
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=COMPLEX
// COMPLEX: error: argument 0: {{.*}}: expected elements of type f16, {{.*}}, got '<c8'

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --header="{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 4)}"
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=STRUCT
// STRUCT: error: argument 0: {{.*}}: expected a plain element type, got a structured one

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --fortran
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=FORTRAN
// FORTRAN: error: argument 0: {{.*}}: expected row-major (C) order, got Fortran order

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --drop=1
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: argument 0: {{.*}}: truncated .npy file: shape [2, 4] of f32 has 32 bytes, the file has 31

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --extra=5
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: error: argument 0: {{.*}}: trailing bytes in .npy file: shape [2, 4] of f32 has 32 bytes, the file has 37

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --drop=60
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: error: argument 0: {{.*}}: truncated .npy header: expected 118 bytes, got 90

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --drop=152
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=CUTMORE
// CUTMORE: error: argument 0: {{.*}}: truncated .npy header

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --version=4
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: argument 0: {{.*}}: expected .npy version 1, 2 or 3, got 4

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --header="{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 4)}"
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: argument 0: {{.*}}: shape [9223372036854775807, 4] has more bytes than 64 bits can count

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --header="{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 4)}"
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=HUGER
// HUGER: error: argument 0: {{.*}}: malformed .npy header: expected an axis size below 2^63

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --header="{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 4)}"
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: argument 0: {{.*}}: malformed .npy header: expected an axis size below 2^63, got '-2, 4)}

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --header="{'descr': '<f4', 'shape': (2, 4)}"
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=KEYS
// KEYS: error: argument 0: {{.*}}: malformed .npy header: expected 'descr', 'fortran_order' and 'shape'

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --header="{'descr': '<f4', 'order': 1}"
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: argument 0: {{.*}}: malformed .npy header: unknown key 'order'

// RUN: %{write} %t/a.npy '<f4' 2,4 0 --header="{'descr"
// RUN: %{run} --input=0=%t/a.npy 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: argument 0: {{.*}}: malformed .npy header: expected a quoted key

// RUN: not ls %t/out %t/out.json
