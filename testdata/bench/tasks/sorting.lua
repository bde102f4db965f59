function run()
  local a = {}
  local seed = 1
  for i = 1, 100000 do
    seed = seed * 16807 % 2147483647
    a[i] = seed
  end
  table.sort(a, function(x, y) return x < y end)
  local sum = 0
  for i = 1, 100000 do sum = sum + a[i] * ((i - 1) % 7) end
  return sum
end
