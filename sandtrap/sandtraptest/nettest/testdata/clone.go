package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
)

type key struct{}

func main() {
	base := os.Args[1]
	req, _ := http.NewRequest("POST", base+"/echo", strings.NewReader("abc"))
	req.Header.Set("X", "1")
	two := req.Clone(context.Background())
	two.Header.Set("X", "2")
	three := req.WithContext(context.WithValue(context.Background(), key{}, "v"))
	fmt.Println(req.Header, two.Header, three.Context().Value(key{}), req.Context())
}
