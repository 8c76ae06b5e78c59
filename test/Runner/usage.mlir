// Bad usage ends with exit code 2 and one line that says what is wrong.
//
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{bad} = %python %S/Inputs/exits.py 2 rudnn-runner

func.func @f(%x: tensor<2xf32>, %y: memref<?x3xf32, strided<[?, 1], offset: ?>>,
             %z: memref<2x3xf32, strided<[4, 1], offset: 1>>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func private @hidden() { return }
func.func private @nowhere()

// RUN: %{bad} %s --bogus 2>&1 | FileCheck %s --check-prefix=BOGUS
// BOGUS: Unknown command line argument '--bogus'
// RUN: %{bad} %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: {{.*}}none.mlir: No such file or directory
// RUN: echo 'func.func @f(' > %t/bad.mlir
// RUN: %{bad} %t/bad.mlir 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: bad.mlir:{{[0-9:]+}} error: expected
// PARSE: error: {{.*}}bad.mlir: the module does not parse
// RUN: %{bad} %s --entry=g 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: --entry: the module has no function @g
// RUN: %{bad} %s --entry=nowhere 2>&1 | FileCheck %s --check-prefix=BODY
// BODY: error: --entry: function @nowhere has no body
// RUN: echo 'func.func private @g() func.func @f() {call @g() : () -> () return}' | %{bad} - 2>&1 | FileCheck %s --check-prefix=CALLED --implicit-check-not=error:
// CALLED: error: function @g is called and has no body
// Functions of the C library and of the runner itself need none.
// RUN: echo 'func.func private @getpid() -> i32 func.func private @memrefCopy(i64, !llvm.ptr, !llvm.ptr) func.func @f() {%%i = call @getpid() : () -> i32 return ^never(%%n: i64, %%p: !llvm.ptr): call @memrefCopy(%%n, %%p, %%p) : (i64, !llvm.ptr, !llvm.ptr) -> () return}' | rudnn-runner -
// RUN: echo 'func.func private @f()' | %{bad} - 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: the module has no public function with a body
// RUN: echo 'func.func @a() {return} func.func @b() {return}' | %{bad} - 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: the module has several public functions (@a, @b): choose one by --entry
// RUN: echo 'func.func @a(%%n: index) {return}' | %{bad} - 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: argument 0: expected a ranked tensor or strided memref of {{.*}}, got index
// RUN: echo 'func.func @a(%%n: tensor<2xf80>) {return}' | %{bad} - 2>&1 | FileCheck %s --check-prefix=ELEMENT
// ELEMENT: error: argument 0: {{.*}}, got tensor<2xf80>
// RUN: echo 'func.func @a(%%n: tensor<*xf32>) {return}' | %{bad} - 2>&1 | FileCheck %s --check-prefix=UNRANKED
// UNRANKED: error: argument 0: {{.*}}, got tensor<*xf32>
// RUN: echo 'func.func @a() -> i32 {%%c = arith.constant 1 : i32 return %%c : i32}' | %{bad} - 2>&1 | FileCheck %s --check-prefix=RESULT
// RESULT: error: result 0: {{.*}}, got i32

// RUN: %{bad} %s --device=tpu 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: --device: expected cpu, cuda, emulate, reference or auto, got 'tpu'

// RUN: %{bad} %s --input=x.npy 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: --input: expected I=VALUE with a number I, got 'x.npy'
// RUN: %{bad} %s --input=0=a.npy --input=0=b.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: --input: argument 0 is given twice
// RUN: %{bad} %s --input=3=a.npy 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: --input: there is no argument 3, the function has 3
// RUN: %{bad} %s --rows=2 --misalign=7 2>&1 | FileCheck %s --check-prefix=MISALIGN
// MISALIGN: error: --misalign: there is no argument 7, the function has 3
// RUN: %{bad} %s --rows=2 --expect=1=a.npy 2>&1 | FileCheck %s --check-prefix=EXPECT
// EXPECT: error: --expect: there is no result 1, the function has 1
// RUN: %{bad} %s --fill=purple 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: error: --fill: expected one of normal, {{.*}}, got 'purple'
// RUN: %{bad} %s --fill=0=purple 2>&1 | FileCheck %s --check-prefix=FILLI
// FILLI: error: --fill: cannot read 'purple'
// RUN: %{bad} %s --rows=-1 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: --rows: expected at least 0, got -1
// RUN: %{bad} %s --cols=0 2>&1 | FileCheck %s --check-prefix=COLS
// COLS: error: --cols: expected at least 1, got 0
// RUN: %{bad} %s --threads=-2 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: --threads: expected at least 0, got -2
// RUN: %{bad} %s --repeat=0 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: error: --repeat: expected at least 1, got 0

// RUN: %{bad} %s --rows=2 --strides=1=3 2>&1 | FileCheck %s --check-prefix=STRIDES
// STRIDES: error: argument 1: expected 2 strides, got 1
// RUN: %{bad} %s --rows=2 --strides=1=3,2 2>&1 | FileCheck %s --check-prefix=STRIDE
// STRIDE: error: argument 1: expected stride 1 1 as in its type, got 2
// RUN: %{bad} %s --rows=2 --strides=1=-3,1 2>&1 | FileCheck %s --check-prefix=BACKWARDS
// BACKWARDS: error: argument 1: expected stride 0 >= 0, got -3
// RUN: %{bad} %s --rows=2 --strides=1=a,1 2>&1 | FileCheck %s --check-prefix=READ
// READ: error: --strides: cannot read 'a,1'
// RUN: %{bad} %s --rows=2 --offset=2=0 2>&1 | FileCheck %s --check-prefix=OFFSET
// OFFSET: error: argument 2: expected offset 1 as in its type, got 0
// RUN: %{bad} %s --rows=4611686018427387904 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: argument 1: shape [4611686018427387904, 3] has more elements than 64 bits can count
// RUN: %{bad} %s --rows=100000000000000 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: error: argument 1: cannot allocate 1200000000000000 bytes
// RUN: %{bad} %s --rows=2 --mcpu=bogus 2>&1 | FileCheck %s --check-prefix=MCPU
// MCPU: error: --mcpu: {{.*}}bogus
// An extension that no CPU has any more.
// RUN: %{bad} %s --rows=2 --mcpu=bdver4 2>&1 | FileCheck %s --check-prefix=FMA4
// FMA4: error: --mcpu: expected a CPU whose code runs here, got 'bdver4' with fma4, which this machine lacks
// RUN: echo 'func.func @a(%%x: tensor<2xf32>) {return}' | %{bad} - --check 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: error: --check: no norm or linalg ops to take a reference from
// RUN: %{bad} %s --rows=2 --device=emulate 2>&1 | FileCheck %s --check-prefix=EMULATE
// EMULATE: error: --device=emulate: the module has no norm ops and no kernels: nothing to emulate
// RUN: %{bad} %s --rows=2 --pipeline-options=bogus=1 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: error: --pipeline-options: {{.*}}bogus

// Numbers that are none, or out of range.
// RUN: not rudnn-runner %s --expect-ulp=nan 2>&1 | FileCheck %s --check-prefix=ULP
// RUN: not rudnn-runner %s --expect-ulp=-3 2>&1 | FileCheck %s --check-prefix=ULP
// ULP: error: --expect-ulp: expected a number >= 0, got
// RUN: not rudnn-runner %s --bench --bench-seconds=nan 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: not rudnn-runner %s --bench --bench-seconds=-1 2>&1 | FileCheck %s --check-prefix=SECONDS
// SECONDS: error: --bench-seconds: expected 0 to 3600, got

// A report goes through a pipe that stands where it is to be written.
// RUN: rm -f %t.pipe && mkfifo %t.pipe
// RUN: %python -c "import os, subprocess, sys; fd = os.open(sys.argv[1], os.O_RDWR | os.O_NONBLOCK); subprocess.check_call(sys.argv[2:]); os.write(1, os.read(fd, 65536))" %t.pipe rudnn-runner %s --rows=2 --json=%t.pipe | FileCheck %s --check-prefix=PIPE
// RUN: test -p %t.pipe
// PIPE: "arguments"
