function run()
  local words = {}
  for i = 0, 63 do words[i] = "word" .. string.format("%d", i * 7919) end
  local counts = {}
  local seed = 1
  for i = 1, 100000 do
    seed = seed * 16807 % 2147483647
    local w = words[seed % 64]
    counts[w] = (counts[w] or 0) + 1
  end
  local sum = 0
  for i = 0, 63 do sum = sum + counts[words[i]] * (i + 1) end
  return sum
end
