// Forward and backward with nothing static, one function each.
func.func @forward(%x: tensor<?x?xf32>, %gamma: tensor<?xf32>,
                   %y0: tensor<?x?xf32>, %rstd0: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(12.5)
      ins(%x, %gamma : tensor<?x?xf32>, tensor<?xf32>)
      outs(%y0, %rstd0 : tensor<?x?xf32>, tensor<?xf32>)
      -> tensor<?x?xf32>, tensor<?xf32>
  return %y, %rstd : tensor<?x?xf32>, tensor<?xf32>
}

func.func @backward(%x: tensor<?x?xf32>, %dy: tensor<?x?xf32>,
                    %rstd: tensor<?xf32>, %gamma: tensor<?xf32>,
                    %dx0: tensor<?x?xf32>, %dgamma0: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>) {
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
      input_grad(%dx0 : tensor<?x?xf32>) weight_grad(%dgamma0 : tensor<?xf32>)
      -> tensor<?x?xf32>, tensor<?xf32>
  return %dx, %dgamma : tensor<?x?xf32>, tensor<?xf32>
}
