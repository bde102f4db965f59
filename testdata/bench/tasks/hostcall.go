package tasks

import "github.com/sandtrap-go/sandtrap/testdata/bench/host"

func Hostcall() int {
	s := 0
	for i := 0; i < 100000; i++ {
		s = host.Add(s, i)
	}
	return s
}
