package durabletest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// sendAskSend is a cell that calls a function before it waits, and after that.
const sendAskSend = `fmt.Println(send("x")); fmt.Println(human("a")); fmt.Println(send("y"))`

// TestPauseKeeps: what a pause saves is the session as it waited, also while that goes on.
func TestPauseKeeps(t *testing.T) {
	s, err := mustBox(t, asked(sandtrap.None, true)).Session(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, pause, err := s.Run(t.Context(), sandtrap.Script{Text: sendAskSend})
	if err != nil {
		t.Fatal(err)
	}
	want := saved(t, pause)
	var all sync.WaitGroup
	defer all.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	all.Go(func() {
		for ok := true; ok && ctx.Err() == nil; {
			var b bytes.Buffer
			if err := pause.Save(&b); err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%v\n%s\nand before\n%s", err, b.Bytes(), want)
				ok = false
			}
		}
	})
	if _, _, err := s.Resume(t.Context(), answersOf(t, pause.Pending)...); err != nil {
		t.Error(err)
	}
	for range 10 {
		if _, _, err := s.Run(t.Context(), sandtrap.Script{Text: `send("z")`}); err != nil {
			t.Error(err)
		}
	}
}

// A fullDisk takes so many writes.
type fullDisk struct {
	bytes.Buffer
	writes int
}

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.writes--; f.writes < 0 {
		f.Buffer.Write(p[:len(p)/2])
		return 0, errors.New("disk full")
	}
	return f.Buffer.Write(p)
}

// TestSessionUnwritten: whatever line of its journal cannot be written, a session can be saved and goes on from there, and calls no function
// again that has returned; likewise from what was written.
func TestSessionUnwritten(t *testing.T) {
	made := 0
	p := costly(&made)
	goOn := func(n int, text []byte) {
		t.Helper()
		s := loaded(t, costly(&made), text, nil)
		for range 4 {
			if _, _, err := s.Resume(t.Context(), answersOf(t, s.Pending())...); err != nil {
				if !strings.Contains(err.Error(), "no cell of the session waits") {
					t.Errorf("line %d: %v\n%s", n, err, text)
				}
				break
			}
		}
		if _, _, err := s.Run(t.Context(), sandtrap.Script{Text: "1"}); err != nil {
			t.Errorf("line %d: %v\n%s", n, err, text)
		}
	}
	for n := 1; ; n++ {
		made = 0
		to := &fullDisk{writes: n}
		s, err := mustBox(t, p).Session(to)
		if err != nil {
			t.Fatal(err)
		}
		_, pause, err := s.Run(t.Context(), sandtrap.Script{Text: sendAskSend})
		if err == nil {
			_, _, err = s.Resume(t.Context(), answersOf(t, pause.Pending)...)
		}
		if err == nil {
			break
		}
		var file bytes.Buffer
		if err := s.Save(&file); err != nil {
			t.Fatal(err)
		}
		if goOn(n, file.Bytes()); n > 1 && made != 2 {
			t.Errorf("line %d: %d calls were made", n, made)
		}
		goOn(n, to.Bytes())
		p = costly(&made)
	}
}

// TestSessionLeft: a session whose context ends while its cells are repeated says that, and not that they differ.
func TestSessionLeft(t *testing.T) {
	for _, mode := range isolations() {
		p := asked(mode, true)
		s, err := mustBox(t, p).Session(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Run(t.Context(), sandtrap.Script{Text: "n := 0; for range 3_000_000 { n++ }"}); err != nil {
			t.Fatal(err)
		}
		_, pause, err := s.Run(t.Context(), sandtrap.Script{Text: sendAskSend})
		if err != nil {
			t.Fatal(err)
		}
		left := 0
		for n := range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n+1)*3*time.Millisecond)
			_, _, err := s.Resume(ctx)
			cancel()
			if errors.Is(err, durable.ErrDiverged) {
				t.Fatalf("%s: %v", mode, err)
			}
			if _, cell := errors.AsType[*sandtrap.Error](err); cell {
				left++
			}
		}
		if left == 0 {
			t.Errorf("%s: no context has ended while a cell was repeated", mode)
		}
		if _, pause, err = s.Resume(t.Context(), answersOf(t, pause.Pending)...); pause != nil || err != nil {
			t.Errorf("%s: %v, %v", mode, pause, err)
		}
	}
}

// TestCellAfterTheLast: a journal that has a cell after one that time has ended is none: nothing would repeat the later one.
func TestCellAfterTheLast(t *testing.T) {
	s, err := mustBox(t, asked(sandtrap.None, true)).Session(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"for range 10 {}", "a := 5"} {
		if _, _, err := s.Run(t.Context(), sandtrap.Script{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := s.Save(&file); err != nil {
		t.Fatal(err)
	}
	text := bytes.Replace(file.Bytes(), []byte(`"end":"ok"`), []byte(`"end":"timeout"`), 1)
	s = loaded(t, asked(sandtrap.None, true), text, nil)
	if _, _, err := s.Run(t.Context(), sandtrap.Script{Text: "1"}); !errors.Is(err, durable.ErrJournal) {
		t.Error(err)
	}
}
