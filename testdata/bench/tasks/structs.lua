function run()
  local ps = {}
  for i = 0, 999 do ps[i + 1] = {pos = i, vel = i % 7 - 3, name = "p", hits = 0} end
  for step = 1, 100 do
    for i = 1, #ps do
      local p = ps[i]
      p.pos = p.pos + p.vel
      if p.pos < 0 or p.pos > 1000 then
        p.vel = -p.vel
        p.hits = p.hits + 1
      end
    end
  end
  local sum = 0
  for i = 1, #ps do sum = sum + ps[i].pos * 3 + ps[i].hits + #ps[i].name end
  return sum
end
