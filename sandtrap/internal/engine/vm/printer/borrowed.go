package printer

import (
	"errors"
	"fmt"
)

// A borrowedState is the state of a call of fmt while Format of a script is called.
type borrowedState struct{ fmt.State }

func (b *borrowedState) giveBack() { b.State = endedState{} }

// An endedState is that of a call of fmt that is over.
type endedState struct{}

var ErrEndedState = errors.New("fmt: the call is over that the state was for")

func (endedState) Write([]byte) (int, error) { return 0, ErrEndedState }

func (endedState) Width() (int, bool) { return 0, false }

func (endedState) Precision() (int, bool) { return 0, false }

func (endedState) Flag(int) bool { return false }
