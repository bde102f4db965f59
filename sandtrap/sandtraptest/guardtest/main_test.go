// Package guardtest tests the guard of a policy as hosts and scripts see it, in each mode.
package guardtest

import (
	"context"
	"os"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
	_ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
)

// TestMain makes the program of the tests its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}

// An approver answers as the function does.
type approver func(ctx context.Context, list []decide.Request) ([]decide.Answer, error)

func (a approver) Ask(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
	return a(ctx, list)
}

// says gives each request the same answer.
func says(a decide.Answer) approver {
	return func(_ context.Context, list []decide.Request) (answers []decide.Answer, err error) {
		for _, r := range list {
			a.ID = r.ID
			answers = append(answers, a)
		}
		return answers, nil
	}
}
