package tasks

func Pingpong() int {
	ping, pong := make(chan int), make(chan int)
	go func() {
		for v := range ping {
			pong <- v + 1
		}
		close(pong)
	}()
	sum := 0
	for i := 0; i < 20000; i++ {
		ping <- i
		sum += <-pong
	}
	close(ping)
	return sum
}
