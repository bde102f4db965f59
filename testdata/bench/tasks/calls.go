package tasks

type account struct{ total int }

func (a *account) add(n int) int {
	a.total += n
	return a.total
}

func adder() func(int) int {
	sum := 0
	return func(n int) int {
		sum += n
		return sum
	}
}

func Calls() int {
	a := &account{}
	f := adder()
	last := 0
	for i := 0; i < 100000; i++ {
		last = a.add(i) + f(1)
	}
	return last
}
