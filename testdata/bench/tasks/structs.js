function run() {
  const ps = [];
  for (let i = 0; i < 1000; i++) ps.push({pos: i, vel: i % 7 - 3, name: "p", hits: 0});
  for (let step = 0; step < 100; step++) {
    for (let i = 0; i < ps.length; i++) {
      const p = ps[i];
      p.pos += p.vel;
      if (p.pos < 0 || p.pos > 1000) {
        p.vel = -p.vel;
        p.hits++;
      }
    }
  }
  let sum = 0;
  for (let i = 0; i < ps.length; i++) sum += ps[i].pos * 3 + ps[i].hits + ps[i].name.length;
  return sum;
}
