package tasks

type particle struct {
	pos, vel int
	name     string
	hits     int
}

func Structs() int {
	ps := []particle{}
	for i := 0; i < 1000; i++ {
		ps = append(ps, particle{pos: i, vel: i%7 - 3, name: "p"})
	}
	for step := 0; step < 100; step++ {
		for i := range ps {
			p := &ps[i]
			p.pos += p.vel
			if p.pos < 0 || p.pos > 1000 {
				p.vel = -p.vel
				p.hits++
			}
		}
	}
	sum := 0
	for _, p := range ps {
		sum += p.pos*3 + p.hits + len(p.name)
	}
	return sum
}
