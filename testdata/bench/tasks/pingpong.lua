function run()
  local p = coroutine.create(function(v)
    while true do v = coroutine.yield(v + 1) end
  end)
  local sum = 0
  for i = 0, 19999 do
    local _, v = coroutine.resume(p, i)
    sum = sum + v
  end
  return sum
end
