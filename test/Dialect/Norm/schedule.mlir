// RUN: rudnn-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: rudnn-opt %s --allow-unregistered-dialect | rudnn-opt --allow-unregistered-dialect | FileCheck %s
// RUN: rudnn-opt %s --allow-unregistered-dialect --emit-bytecode | rudnn-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @schedules
func.func @schedules() {
  // The examples of the description.
  // CHECK: #norm.schedule<vector = 8, unroll = 2, parts = 32>
  "test.op"() {schedule =
    #norm.schedule<vector = 8, unroll = 2, parts = 32>
  } : () -> ()
  // CHECK: #norm.schedule<vector = 8, threads = 256, stage = shared, gamma = reload>
  "test.op"() {schedule =
    #norm.schedule<vector = 8, threads = 256, stage = shared, gamma = reload>
  } : () -> ()
  // Fields in any order; printed in one, without those that have their default.
  // CHECK: #norm.schedule<vector = 4, unroll = 1, parts = 128, prefetch = 2, nontemporal = 1048576>
  "test.op"() {schedule = #norm.schedule<nontemporal = 1048576, prefetch = 2, parts = 128, unroll = 1, vector = 4>} : () -> ()
  // CHECK: #norm.schedule<>
  "test.op"() {schedule = #norm.schedule<>} : () -> ()
  // CHECK: #norm.schedule<>
  "test.op"() {schedule = #norm.schedule<vector = 16, unroll = 4, parts = 0, prefetch = 0, nontemporal = 0>} : () -> ()
  // Every keyword.
  // CHECK: #norm.schedule<stage = shared, gamma = reload, first_read = evict_first, second_read = evict_last, store = no_allocate>
  "test.op"() {schedule = #norm.schedule<store = no_allocate, second_read = evict_last, first_read = evict_first, gamma = reload, stage = shared>} : () -> ()
  // CHECK: #norm.schedule<stage = reload, gamma = shared, store = streaming>
  "test.op"() {schedule = #norm.schedule<stage = reload, gamma = shared, store = streaming>} : () -> ()
  // CHECK: #norm.schedule<stage = loop>
  "test.op"() {schedule = #norm.schedule<stage = loop, gamma = registers, first_read = normal>} : () -> ()
  // The ends of each range.
  // CHECK: #norm.schedule<threads = 1024, rows = 1024, stages = 8, extra = 63, blocks = 32, merge_columns = 1024>
  "test.op"() {schedule = #norm.schedule<threads = 1024, rows = 1024, stages = 8, extra = 63, blocks = 32, merge_columns = 1024>} : () -> ()
  // CHECK: #norm.schedule<threads = 1, stages = 1, merge_columns = 1>
  "test.op"() {schedule = #norm.schedule<threads = 1, rows = 1, stages = 1, extra = 0, blocks = 0, merge_columns = 1>} : () -> ()
  // CHECK: #norm.schedule<threads = 32>
  "test.op"() {schedule = #norm.schedule<threads = 32>} : () -> ()
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
