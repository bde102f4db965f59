package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
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
	_, err := http.Post(base+"/sum", "text/plain", &counter{n: 100000, fail: errors.New("disk on fire")})
	var ue *url.Error
	fmt.Println(errors.As(err, &ue), ue.Err)
}
