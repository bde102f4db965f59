local Account = {}
Account.__index = Account
function Account:add(n)
  self.total = self.total + n
  return self.total
end
local function adder()
  local sum = 0
  return function(n)
    sum = sum + n
    return sum
  end
end
function run()
  local a = setmetatable({total = 0}, Account)
  local f = adder()
  local last = 0
  for i = 0, 99999 do last = a:add(i) + f(1) end
  return last
end
