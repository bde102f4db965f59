// Command size is the smallest host: .ci/run bounds how large it is.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func main() {
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: sandtrap.StdDefault()})
	if err == nil {
		var res *sandtrap.Result
		res, err = box.Run(context.Background(), sandtrap.Script{Text: `fmt.Println("hello")`})
		fmt.Print(res.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
