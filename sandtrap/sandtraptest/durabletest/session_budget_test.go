package durabletest

import (
	"bytes"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// costly is a policy with a budget for two calls, which are counted.
func costly(made *int) sandtrap.Policy {
	p := asked(sandtrap.None, true)
	p.Funcs["send"] = sandtrap.Member{Value: func(to string) error { *made++; return nil }, Params: []string{"to"}, Risk: decide.Low, Cost: 4}
	p.Guard.(*guard.Policy).Budget = guard.NewBudget(10)
	return p
}

// TestSessionSpends: a session has no more of a budget when it is loaded with a new one, between its cells or in the middle of one, and no less
// when its cell waits in the same process.
func TestSessionSpends(t *testing.T) {
	waits := []string{`fmt.Println(send("x")); human("a"); human("b"); fmt.Println(send("y")); human("c"); fmt.Println(send("z"))`}
	cells := []string{`fmt.Println(send("x"))`, `1`, `fmt.Println(send("y"))`, `fmt.Println(send("z"))`, `fmt.Println(send("z"))`}
	for _, load := range []bool{false, true} {
		for _, list := range [][]string{waits, cells} {
			made := 0
			p := costly(&made)
			s, err := mustBox(t, p).Session(nil)
			again := func() {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				if !load {
					return
				}
				var file bytes.Buffer
				if err := s.Save(&file); err != nil {
					t.Fatal(err)
				}
				p = costly(&made)
				s = loaded(t, p, file.Bytes(), nil)
			}
			for _, text := range list {
				again()
				var pause *durable.Pause
				_, pause, err = s.Run(t.Context(), sandtrap.Script{Text: text})
				for pause != nil {
					again()
					_, pause, err = s.Resume(t.Context(), answersOf(t, s.Pending())...)
				}
			}
			if spent := p.Guard.(*guard.Policy).Budget.Spent(); err != nil || made != 2 || spent != 8 {
				t.Errorf("load %v, %d cells: %v, %d calls were made, and %d were spent; want 2 and 8", load, len(list), err, made, spent)
			}
		}
	}
}
