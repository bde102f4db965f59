package rewrite

import (
	"fmt"
	"time"
)

// checkBudget is how long a check may take. It is the second line: what makes
// go/types slow is bounded before it runs, so that what is left running when the
// budget is over comes to an end.
const checkBudget = 5 * time.Second

// withinBudget runs f on a goroutine of its own and returns what it returned,
// or a rejection once the budget is over or when f panicked. go/types cannot be
// cancelled; f goes on until it ends.
func withinBudget(budget time.Duration, f func() Rejections) Rejections {
	done := make(chan Rejections, 1)
	go func() {
		defer func() {
			if e := recover(); e != nil {
				done <- Rejections{{
					Code:    BadProgram,
					Message: fmt.Sprintf("the type checker failed: %v", e),
					Hint:    "simplify the program; this is not an error of its author",
				}}
			}
		}()
		done <- f()
	}()
	timer := time.NewTimer(budget)
	defer timer.Stop()
	select {
	case rs := <-done:
		return rs
	case <-timer.C:
		return Rejections{{
			Code:    TooSlow,
			Message: fmt.Sprintf("the type check takes longer than %v", budget),
			Hint:    "simplify types and generic code",
		}}
	}
}
