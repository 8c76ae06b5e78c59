// What threads, blocks and clusters are told of where they are: each thread of
// a grid of two dimensions writes its ids to the row of its number.
//
// RUN: rudnn-runner %s --device=emulate --seed=1 | FileCheck %s
// CHECK: result 0, argument 0: i32 [192]

module attributes {gpu.container_module} {
  func.func @ids(%y: memref<192xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernel::@k clusters in (%c2, %c1, %c1) blocks in (%c4, %c2, %c1)
        threads in (%c8, %c3, %c1) args(%y : memref<192xi32>)
    return
  }
  gpu.module @kernel {
    gpu.func @k(%y: memref<192xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c24 = arith.constant 24 : index
      %c32 = arith.constant 32 : index
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %tz = gpu.thread_id z
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %dx = gpu.block_dim x
      %dy = gpu.block_dim y
      %gx = gpu.grid_dim x
      %gy = gpu.grid_dim y
      %cx = gpu.cluster_id x
      %cy = gpu.cluster_id y
      %rx = gpu.cluster_block_id x
      %ry = gpu.cluster_block_id y
      %nx = gpu.cluster_dim x
      %mx = gpu.cluster_dim_blocks x
      %lane = gpu.lane_id
      %warp = gpu.subgroup_id : index
      %warps = gpu.num_subgroups : index
      %warpSize = gpu.subgroup_size : index
      %row = arith.muli %ty, %dx : index
      %inBlock = arith.addi %row, %tx : index
      %blockRow = arith.muli %by, %gx : index
      %block = arith.addi %blockRow, %bx : index
      %first = arith.muli %block, %c24 : index
      %number = arith.addi %first, %inBlock : index

      %dims = arith.cmpi eq, %dx, %c8 : index
      cf.assert %dims, "block_dim x"
      %dims1 = arith.cmpi eq, %dy, %c3 : index
      cf.assert %dims1, "block_dim y"
      %grid = arith.cmpi eq, %gx, %c4 : index
      cf.assert %grid, "grid_dim x"
      %grid1 = arith.cmpi eq, %gy, %c2 : index
      cf.assert %grid1, "grid_dim y"
      %z = arith.cmpi eq, %tz, %c0 : index
      cf.assert %z, "thread_id z"
      %lanes = arith.cmpi eq, %lane, %inBlock : index
      cf.assert %lanes, "lane_id"
      %warp0 = arith.cmpi eq, %warp, %c0 : index
      cf.assert %warp0, "subgroup_id"
      %warps1 = arith.cmpi eq, %warps, %c1 : index
      cf.assert %warps1, "num_subgroups"
      %size = arith.cmpi eq, %warpSize, %c32 : index
      cf.assert %size, "subgroup_size"
      %half = arith.divui %bx, %c2 : index
      %cluster = arith.cmpi eq, %cx, %half : index
      cf.assert %cluster, "cluster_id x"
      %cluster1 = arith.cmpi eq, %cy, %by : index
      cf.assert %cluster1, "cluster_id y"
      %odd = arith.remui %bx, %c2 : index
      %rank = arith.cmpi eq, %rx, %odd : index
      cf.assert %rank, "cluster_block_id x"
      %rank1 = arith.cmpi eq, %ry, %c0 : index
      cf.assert %rank1, "cluster_block_id y"
      %clusters = arith.cmpi eq, %nx, %c2 : index
      cf.assert %clusters, "cluster_dim x"
      %blocks = arith.cmpi eq, %mx, %c2 : index
      cf.assert %blocks, "cluster_dim_blocks x"

      %value = arith.index_cast %number : index to i32
      memref.store %value, %y[%number] : memref<192xi32>
      gpu.return
    }
  }
}
