package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

type counter struct {
	n    int
	fail error
}

func (c *counter) Read(p []byte) (int, error) {
	if c.n == 0 {
		if c.fail != nil {
			return 0, c.fail
		}
		return 0, io.EOF
	}
	n := min(len(p), c.n, 7777)
	for i := range n {
		p[i] = 'x'
	}
	c.n -= n
	return n, nil
}

func main() {
	base := os.Args[1]
	resp, err := http.Post(base+"/sum", "text/plain", &counter{n: 100000})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
}
