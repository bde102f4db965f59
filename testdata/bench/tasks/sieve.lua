function run()
  local n = 200000
  local composite = {}
  for i = 1, n do composite[i] = false end
  local count = 0
  for i = 2, n do
    if not composite[i] then
      count = count + 1
      for k = i * 2, n, i do composite[k] = true end
    end
  end
  return count
end
