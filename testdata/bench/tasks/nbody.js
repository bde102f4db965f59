function advance(bodies, dt) {
  for (let i = 0; i < bodies.length; i++) {
    const a = bodies[i];
    for (let k = i + 1; k < bodies.length; k++) {
      const b = bodies[k];
      const dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
      const d2 = dx * dx + dy * dy + dz * dz;
      const mag = dt / (d2 * Math.sqrt(d2));
      a.vx -= dx * b.mass * mag;
      a.vy -= dy * b.mass * mag;
      a.vz -= dz * b.mass * mag;
      b.vx += dx * a.mass * mag;
      b.vy += dy * a.mass * mag;
      b.vz += dz * a.mass * mag;
    }
  }
  for (let i = 0; i < bodies.length; i++) {
    const a = bodies[i];
    a.x += dt * a.vx;
    a.y += dt * a.vy;
    a.z += dt * a.vz;
  }
}
function body(x, y, z, vx, vy, vz, mass) { return {x, y, z, vx, vy, vz, mass}; }
function run() {
  const bodies = [
    body(0, 0, 0, 0, 0, 0, 39.47),
    body(4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037),
    body(8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011),
    body(12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017),
    body(15.37, -25.9, 0.179, 0.979, 0.594, -0.034, 0.002)];
  for (let i = 0; i < 2000; i++) advance(bodies, 0.01);
  return Math.trunc((bodies[0].x + bodies[1].y + 100) * 1e9);
}
