package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	h := http.Header{}
	h.Add("a-b", "1")
	h.Add("A-B", "2")
	h.Set("c", "3")
	h["raw"] = []string{"x"}
	c := h.Clone()
	h.Del("A-b")
	fmt.Println(h, c, h.Get("raw"), c.Values("a-b"), http.CanonicalHeaderKey("x-forwarded-for"))
	c.Write(os.Stdout)
	fmt.Println(len(h), h)
}
