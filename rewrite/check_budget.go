package rewrite

import (
	"fmt"
	"time"
)

// withinBudget runs f on a goroutine of its own and returns what it returned,
// or a rejection once Bounds.Check is over or when f panicked. go/types cannot be
// cancelled; f goes on until it ends.
func (p *Parsed) withinBudget(f func() Rejections) Rejections {
	start := Position{Name: p.source.name(), Line: 1, Column: 1}
	done := make(chan Rejections, 1)
	go func() {
		defer func() {
			if e := recover(); e != nil {
				done <- Rejections{{
					Code:    BadProgram,
					Pos:     start,
					Message: "the type checker failed: " + oneLine(fmt.Sprint(e)),
					Hint:    "simplify the program; this is not an error of its author",
				}}
			}
		}()
		done <- f()
	}()
	timer := time.NewTimer(p.bounds.Check)
	defer timer.Stop()
	select {
	case rs := <-done:
		return rs
	case <-timer.C:
		return Rejections{{
			Code:    TooSlow,
			Pos:     start,
			Message: fmt.Sprintf("the type check takes longer than %v", p.bounds.Check),
			Hint:    "simplify types and generic code",
		}}
	}
}
