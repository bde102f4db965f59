function run()
  local pieces = {[0] = "alpha", "be", "gamma", "del", "epsilon"}
  local total = 0
  for round = 0, 499 do
    local b = {}
    for i = 0, 199 do
      b[#b + 1] = pieces[(i + round) % 5]
      b[#b + 1] = " "
    end
    total = total + #table.concat(b)
  end
  return total
end
