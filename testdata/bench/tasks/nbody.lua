local function advance(bodies, dt)
  for i = 1, #bodies do
    local a = bodies[i]
    for k = i + 1, #bodies do
      local b = bodies[k]
      local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
      local d2 = dx * dx + dy * dy + dz * dz
      local mag = dt / (d2 * math.sqrt(d2))
      a.vx = a.vx - dx * b.mass * mag
      a.vy = a.vy - dy * b.mass * mag
      a.vz = a.vz - dz * b.mass * mag
      b.vx = b.vx + dx * a.mass * mag
      b.vy = b.vy + dy * a.mass * mag
      b.vz = b.vz + dz * a.mass * mag
    end
  end
  for i = 1, #bodies do
    local a = bodies[i]
    a.x = a.x + dt * a.vx
    a.y = a.y + dt * a.vy
    a.z = a.z + dt * a.vz
  end
end
local function body(x, y, z, vx, vy, vz, mass)
  return {x = x, y = y, z = z, vx = vx, vy = vy, vz = vz, mass = mass}
end
function run()
  local bodies = {
    body(0, 0, 0, 0, 0, 0, 39.47),
    body(4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037),
    body(8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011),
    body(12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017),
    body(15.37, -25.9, 0.179, 0.979, 0.594, -0.034, 0.002)}
  for i = 1, 2000 do advance(bodies, 0.01) end
  return math.floor((bodies[1].x + bodies[2].y + 100) * 1e9)
end
