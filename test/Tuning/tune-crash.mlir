// A schedule whose code ends early is dropped and named, and others go on. What
// ends here is the second call of each function, the first being the reference's:
// the C library's second random number is always the same.
// UNSUPPORTED: static, asan
//
// DEFINE: %{exits} = %python %S/../Runner/Inputs/exits.py
// DEFINE: %{entry} = signal
// DEFINE: %{tune} = rudnn-runner %s --entry=%{entry} --rows=9 --threads=2 --tune --tune-budget=1 --check

// RUN: %{tune} 2>&1 | FileCheck %s
// CHECK: warning: --tune: [[CHOSEN:#norm.schedule<.*>]] is dropped: it ended by signal 11
// CHECK-NEXT: tune 2 of
// CHECK: tuning: {{[0-9]+}} schedules, {{[0-9]+}} measured, 1 dropped
// CHECK-NEXT: fastest:
// CHECK-NEXT: chosen : dropped, [[CHOSEN]]
// CHECK: result 0 (y): ok

// One whose code refuses operands.
// REDEFINE: %{entry} = refusal
// RUN: %{tune} 2>&1 | FileCheck %s --check-prefix=REFUSAL
// REFUSAL: error: not today
// REFUSAL-NEXT: warning: --tune: {{.*}} is dropped: a check of its operands failed
// REFUSAL-NEXT: tune 2 of
// REFUSAL: result 0 (y): ok

// A loop that several threads share cannot be left.
// REDEFINE: %{entry} = loop
// RUN: %{exits} 3 %{tune} 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not="tune 2"
// LOOP: warning: --tune: {{.*}} is dropped: it ended by signal 11
// LOOP-NEXT: error: --tune: code ended in a loop that several threads share, which cannot be left

func.func private @rand() -> i32
func.func private @raise(i32) -> i32
func.func private @gettid() -> i32
func.func private @getpid() -> i32
func.func private @sleep(i32) -> i32
func.func private @rudnnParallelFor(i64, i64, !llvm.ptr, !llvm.ptr)

func.func private @isSecond() -> i1 {
  %second = arith.constant 846930886 : i32
  %number = func.call @rand() : () -> i32
  %isSecond = arith.cmpi eq, %number, %second : i32
  return %isSecond : i1
}

func.func @signal(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %ends = func.call @isSecond() : () -> i1
  scf.if %ends {
    %signal = arith.constant 11 : i32
    %status = func.call @raise(%signal) : (i32) -> i32
  }
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

func.func @refusal(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %ends = func.call @isSecond() : () -> i1
  %true = arith.constant true
  %goesOn = arith.xori %ends, %true : i1
  cf.assert %goesOn, "not today"
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// The thread of the call ends; others leave it an iteration to do so.
llvm.func @endFirst(%context: !llvm.ptr, %begin: i64, %end: i64) {
  %thread = func.call @gettid() : () -> i32
  %process = func.call @getpid() : () -> i32
  %isFirst = llvm.icmp "eq" %thread, %process : i32
  llvm.cond_br %isFirst, ^first, ^others
^first:
  %signal = llvm.mlir.constant(11 : i32) : i32
  %status = func.call @raise(%signal) : (i32) -> i32
  llvm.br ^end
^others:
  %seconds = llvm.mlir.constant(2 : i32) : i32
  %rest = func.call @sleep(%seconds) : (i32) -> i32
  llvm.br ^end
^end:
  llvm.return
}
func.func @loop(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %ends = func.call @isSecond() : () -> i1
  scf.if %ends {
    %two = arith.constant 2 : i64
    %body = llvm.mlir.addressof @endFirst : !llvm.ptr
    func.call @rudnnParallelFor(%two, %two, %body, %body) : (i64, i64, !llvm.ptr, !llvm.ptr) -> ()
  }
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
