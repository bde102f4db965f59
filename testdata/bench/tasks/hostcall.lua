function run()
  local s = 0
  for i = 0, 99999 do s = add(s, i) end
  return s
end
