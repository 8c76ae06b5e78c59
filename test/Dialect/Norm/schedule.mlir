// RUN: rudnn-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: rudnn-opt %s --allow-unregistered-dialect | rudnn-opt --allow-unregistered-dialect | FileCheck %s
// RUN: rudnn-opt %s --allow-unregistered-dialect --emit-bytecode | rudnn-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @schedules
func.func @schedules() {
  // The example of the description.
  // CHECK: #norm.schedule<vector = 8, unroll = 2, parts = 32>
  "test.op"() {schedule =
    #norm.schedule<vector = 8, unroll = 2, parts = 32>
  } : () -> ()
  // Fields in any order; printed in one, without those that have their default.
  // CHECK: #norm.schedule<vector = 4, unroll = 1, parts = 128, prefetch = 2, nontemporal = 1048576>
  "test.op"() {schedule = #norm.schedule<nontemporal = 1048576, prefetch = 2, parts = 128, unroll = 1, vector = 4>} : () -> ()
  // CHECK: #norm.schedule<>
  "test.op"() {schedule = #norm.schedule<>} : () -> ()
  // CHECK: #norm.schedule<>
  "test.op"() {schedule = #norm.schedule<vector = 16, unroll = 4, parts = 0, prefetch = 0, nontemporal = 0>} : () -> ()
  // The ends of each range.
  // CHECK: #norm.schedule<vector = 1, unroll = 1, parts = 65536, prefetch = 64, nontemporal = 9223372036854775807>
  "test.op"() {schedule = #norm.schedule<vector = 1, unroll = 1, parts = 65536, prefetch = 64, nontemporal = 9223372036854775807>} : () -> ()
  // CHECK: #norm.schedule<vector = 64, unroll = 16>
  "test.op"() {schedule = #norm.schedule<vector = 64, unroll = 16>} : () -> ()
  return
}

// CHECK-LABEL: func.func @row_program
func.func @row_program(%rows: index) {
    // The example of the description.
    // CHECK: scf.forall
    // CHECK: {mapping = [#norm.task<0>]}
    scf.forall (%i) in (%rows) { "test.row"(%i) : (index) -> () } {mapping = [#norm.task<0>]}
    // CHECK: {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8>}
    scf.forall (%i) in (%rows) { "test.row"(%i) : (index) -> () } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8>}
    // CHECK: {mapping = [#norm.task<1>, #norm.task<0>]}
    scf.forall (%i, %j) in (%rows, %rows) { "test.row"(%i) : (index) -> () } {mapping = [#norm.task<1>, #norm.task<0>]}
  return
}
