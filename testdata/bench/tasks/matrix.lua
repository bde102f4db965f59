function run()
  local n, a, b, c = 100, {}, {}, {}
  for i = 0, n - 1 do
    a[i], b[i], c[i] = {}, {}, {}
    for k = 0, n - 1 do a[i][k], b[i][k] = i + k, i - k end
  end
  for i = 0, n - 1 do
    for j = 0, n - 1 do
      local sum = 0
      for k = 0, n - 1 do sum = sum + a[i][k] * b[k][j] end
      c[i][j] = sum
    end
  end
  return c[10][20] + c[99][0] * 3
end
