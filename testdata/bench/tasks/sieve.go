package tasks

func Sieve() int {
	const n = 200000
	composite := make([]bool, n+1)
	count := 0
	for i := 2; i <= n; i++ {
		if composite[i] {
			continue
		}
		count++
		for k := i * 2; k <= n; k += i {
			composite[k] = true
		}
	}
	return count
}
