package client_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/client"
)

// A script that fails is no error of Run.
func ExampleClient_Run() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	run, err := server.Run(ctx, client.RunRequest{Code: "fmt.Println(n * 2)", Inputs: map[string]any{"n": 21}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s: %s", run.State, run.Result.Stdout)
	run, err = server.Run(ctx, client.RunRequest{Code: "fmt.Printn(1)"})
	if err != nil {
		panic(err)
	}
	fmt.Println(run.State, run.Result.Error.Line, run.Result.Error.Hint)
	// Output:
	// done: 42
	// failed 1 did you mean fmt.Print?
}

// A script calls a function that the client has.
func ExampleClient_Answer() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	run, err := server.Run(ctx, client.RunRequest{
		Code:  `list, err := Search("go"); fmt.Println(list, err)`,
		Tools: "package tools\nfunc Search(query string) ([]string, error)",
	})
	for err == nil && run.State == client.Pending {
		var answers []client.Answer
		for _, call := range run.Pending {
			fmt.Printf("%s %s\n", call.Name, call.Args)
			answers = append(answers, client.Answer{ID: call.ID, Value: []string{"a", "b"}})
		}
		run, err = server.Answer(ctx, run.ID, answers...)
	}
	if err != nil {
		panic(err)
	}
	fmt.Print(run.Result.Stdout)
	// Output:
	// Search {"query":"go"}
	// [a b] <nil>
}

// Output is read while the script runs.
func ExampleClient_Stream() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	run, err := server.Start(ctx, client.RunRequest{Code: `for i := range 2 { fmt.Println("line", i) }`})
	if err != nil {
		panic(err)
	}
	for e, err := range server.Stream(ctx, run.ID, 0) {
		if err != nil {
			panic(err)
		}
		if e.Kind == "stdout" {
			fmt.Print(e.Text())
		}
	}
	// Output:
	// line 0
	// line 1
}

// Errors of the server are Problems.
func ExampleProblem() {
	_, err := server.GetRun(context.Background(), "run_none")
	if p, ok := errors.AsType[*client.Problem](err); ok {
		fmt.Println(p.Status, p.Code)
	}
	// Output: 404 not_found
}
