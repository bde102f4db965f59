class Particle:
    __slots__ = ("pos", "vel", "name", "hits")
    def __init__(self, pos, vel, name):
        self.pos, self.vel, self.name, self.hits = pos, vel, name, 0

def run():
    ps = []
    for i in range(1000):
        ps.append(Particle(i, i % 7 - 3, "p"))
    for step in range(100):
        for p in ps:
            p.pos += p.vel
            if p.pos < 0 or p.pos > 1000:
                p.vel = -p.vel
                p.hits += 1
    sum = 0
    for p in ps:
        sum += p.pos * 3 + p.hits + len(p.name)
    return sum
