// In each function, makes a row program of the loop over rows of the op marked
// `consumer` and fuses the norm and the op marked `producer` into it.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %functions : !transform.any_op {
    ^bb0(%function: !transform.any_op):
      %consumer = transform.structured.match attributes{consumer} in %function : (!transform.any_op) -> !transform.any_op
      %norm = transform.structured.match ops{["norm.rms_norm", "norm.rms_norm_backward"]} in %function : (!transform.any_op) -> !transform.any_op
      %producer = transform.structured.match attributes{producer} in %function : (!transform.any_op) -> !transform.any_op
      %tiled, %loop = transform.structured.tile_using_forall %consumer tile_sizes [1] (mapping = [#norm.task<0>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      %schedule = transform.param.constant #norm.schedule<vector = 8, unroll = 2> -> !transform.any_param
      transform.annotate %loop "norm.schedule" = %schedule : !transform.any_op, !transform.any_param
      %0, %with_norm = transform.structured.fuse_into_containing_op %norm into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
      %1, %with_all = transform.structured.fuse_into_containing_op %producer into %with_norm : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
