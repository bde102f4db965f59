package sandtrap_test

import (
	"context"
	"fmt"
	"log"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func ExampleSandbox_Session() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Echo: sandtrap.EchoLast})
	if err != nil {
		log.Fatal(err)
	}
	defer box.Close()
	s, err := box.Session()
	if err != nil {
		log.Fatal(err)
	}
	for _, cell := range []string{"x := 1", "x + 1"} {
		res, err := s.Run(ctx, sandtrap.Script{Text: cell})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(res.Echo)
	}
	// Output:
	// []
	// [{2 int}]
}
