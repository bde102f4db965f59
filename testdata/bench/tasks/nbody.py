class Body:
    __slots__ = ("x", "y", "z", "vx", "vy", "vz", "mass")
    def __init__(self, *f):
        self.x, self.y, self.z, self.vx, self.vy, self.vz, self.mass = f

def advance(bodies, dt):
    for i in range(len(bodies)):
        a = bodies[i]
        for k in range(i + 1, len(bodies)):
            b = bodies[k]
            dx = a.x - b.x
            dy = a.y - b.y
            dz = a.z - b.z
            d2 = dx * dx + dy * dy + dz * dz
            mag = dt / (d2 * sqrt(d2))
            a.vx -= dx * b.mass * mag
            a.vy -= dy * b.mass * mag
            a.vz -= dz * b.mass * mag
            b.vx += dx * a.mass * mag
            b.vy += dy * a.mass * mag
            b.vz += dz * a.mass * mag
    for a in bodies:
        a.x += dt * a.vx
        a.y += dt * a.vy
        a.z += dt * a.vz

def run():
    bodies = [Body(*f) for f in (
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47),
        (4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037),
        (8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011),
        (12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017),
        (15.37, -25.9, 0.179, 0.979, 0.594, -0.034, 0.002))]
    for i in range(2000):
        advance(bodies, 0.01)
    return int((bodies[0].x + bodies[1].y + 100) * 1e9)
