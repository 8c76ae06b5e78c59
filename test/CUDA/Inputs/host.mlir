func.func @host(%x: tensor<7x1024xf32>, %y0: tensor<7x1024xf32>, %z0: tensor<7x1024xf32>) -> tensor<7x1024xf32> {
  %y = norm.rms_norm epsilon(1.0e-07) ins(%x : tensor<7x1024xf32>) outs(%y0 : tensor<7x1024xf32>) -> tensor<7x1024xf32>
  %z = linalg.exp ins(%y : tensor<7x1024xf32>) outs(%z0 : tensor<7x1024xf32>) -> tensor<7x1024xf32>
  return %z : tensor<7x1024xf32>
}
