// RUN: rudnn-opt %s --norm-threads-to-coroutines | FileCheck %s

// CHECK: llvm.func @rudnnEmulatorAllocateFrame(!llvm.ptr, i64, i64) -> !llvm.ptr
llvm.func @rudnnEmulatorBarrier(!llvm.ptr, i32)
llvm.func @rudnnEmulatorExit(!llvm.ptr)
llvm.func @use(i32)

// The function returns its handle where it waits, and goes on from there; other
// calls do not wait.
// CHECK: llvm.func @thread(%[[ARGUMENTS:.*]]: !llvm.ptr, %[[THREAD:.*]]: !llvm.ptr) -> !llvm.ptr
// CHECK-SAME: passthrough = ["presplitcoroutine"]
// CHECK-NOT: rudnn.thread_function
// CHECK: %[[ID:.*]] = llvm.intr.coro.id
// CHECK: %[[SIZE:.*]] = llvm.intr.coro.size
// CHECK: %[[ALIGNMENT:.*]] = llvm.intr.coro.align
// CHECK: %[[MEMORY:.*]] = llvm.call @rudnnEmulatorAllocateFrame(%[[THREAD]], %[[SIZE]], %[[ALIGNMENT]])
// CHECK: %[[HANDLE:.*]] = llvm.intr.coro.begin %[[ID]], %[[MEMORY]]
// CHECK: %[[VALUE:.*]] = llvm.load %[[ARGUMENTS]]
// CHECK: llvm.call @use(%[[VALUE]])
// CHECK-NEXT: llvm.call @rudnnEmulatorBarrier(%[[THREAD]],
// CHECK-NEXT: %[[SAVED:.*]] = llvm.intr.coro.save %[[HANDLE]]
// CHECK: %[[OUTCOME:.*]] = llvm.intr.coro.suspend %[[SAVED]]
// CHECK: llvm.switch %[[OUTCOME]] : i8, ^[[END:.*]] [
// CHECK-NEXT: 0: ^[[GO_ON:.*]]
// CHECK: ^[[GO_ON]]:
// CHECK-NEXT: llvm.call @use(%[[VALUE]])
// CHECK: llvm.call @rudnnEmulatorExit
// CHECK-NEXT: llvm.br ^[[END]]
// CHECK: ^[[END]]:
// CHECK: llvm.intr.coro.end %[[HANDLE]]
// CHECK: llvm.return %[[HANDLE]]
llvm.func @thread(%arguments: !llvm.ptr, %thread: !llvm.ptr) attributes {rudnn.thread_function} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %value = llvm.load %arguments : !llvm.ptr -> i32
  llvm.call @use(%value) : (i32) -> ()
  llvm.call @rudnnEmulatorBarrier(%thread, %c0) : (!llvm.ptr, i32) -> ()
  llvm.call @use(%value) : (i32) -> ()
  llvm.call @rudnnEmulatorExit(%thread) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK: llvm.func @host()
// CHECK-NEXT: llvm.return
llvm.func @host() {
  llvm.return
}
