package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// An asker asks a person about calls, one after the other. It is a decide.Approver, for any number of runs at a time.
//
// At a terminal only a line that is typed after its question was shown answers it. Elsewhere each line answers the next question;
// after one that was given up nobody can say which one a line answers, so all later ones are denied.
type asker struct {
	in    io.Reader
	out   io.Writer
	later bool   // the run can wait for an answer
	by    string // who answers

	tty   *os.File      // in, if it is a terminal
	turn  chan struct{} // has an element while somebody asks
	lines *bufio.Reader
	lost  bool // lines of in belong to no question
}

// errNoAnswer is why a question has no answer.
var errNoAnswer = errors.New("the input has ended")

// longestAnswer is in bytes, with its end.
const longestAnswer = 4096

// tries is how many words that are no answer a question takes.
const tries = 3

func newAsker(in io.Reader, out io.Writer, later bool, by string) *asker {
	return &asker{in: in, out: out, later: later, by: by, tty: terminalOf(in), turn: make(chan struct{}, 1), lines: bufio.NewReaderSize(in, longestAnswer)}
}

// Ask shows each request, and reads its answer. What is not answered is denied: by the end of the input, by three words that
// are none, or by the end of ctx, which is an error.
func (a *asker) Ask(ctx context.Context, requests []decide.Request) ([]decide.Answer, error) {
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var answers []decide.Answer
	for i := range requests {
		title := "Call"
		if len(requests) > 1 {
			title = fmt.Sprintf("Call %d of %d", i+1, len(requests))
		}
		answer, err := a.ask(ctx, title, &requests[i])
		if err != nil {
			fmt.Fprintf(a.out, "\nno answer (%v): denied\n", err)
		}
		switch {
		case errors.Is(err, errNoAnswer):
			return answers, nil
		case err != nil:
			return nil, err
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// ask is about one request.
func (a *asker) ask(ctx context.Context, title string, r *decide.Request) (decide.Answer, error) {
	if a.lost {
		return decide.Answer{}, errors.New("an earlier question was given up: nobody can say which one the next line answers")
	}
	width := terminalWidth(a.tty)
	if _, err := io.WriteString(a.out, questionText(title, r, width)); err != nil {
		return decide.Answer{}, err
	}
	if err := a.dropTyped(); err != nil {
		return decide.Answer{}, err
	}
	prompt := "Allow? " + a.choice(r, " ("+short(r.Always)+")")
	for range tries {
		if _, err := io.WriteString(a.out, strings.TrimSuffix(wrap("", "| ", prompt, width), "\n")+" "); err != nil {
			return decide.Answer{}, err
		}
		word, err := a.word(ctx)
		if err != nil {
			return decide.Answer{}, err
		}
		if answer, ok := a.answer(r, word); ok {
			return answer, nil
		}
		prompt = "Answer " + a.choice(r, "")
	}
	fmt.Fprintln(a.out, "no answer: denied")
	return decide.Answer{ID: r.ID, Verdict: decide.Deny, Reason: "no answer", By: a.by}, nil
}

// choice lists the answers to r, with a note about always.
func (a *asker) choice(r *decide.Request, note string) string {
	list := []string{"[y]es", "[n]o"}
	if r.Always != "" {
		list = append(list, "[a]lways"+note)
	}
	if a.later {
		list = append(list, "[l]ater")
	}
	return strings.Join(list, ", ") + ":"
}

// answer is what word means for r.
func (a *asker) answer(r *decide.Request, word string) (answer decide.Answer, ok bool) {
	answer = decide.Answer{ID: r.ID, By: a.by}
	is := func(words ...string) bool { return slices.Contains(words, strings.ToLower(word)) }
	switch {
	case is("y", "yes"):
		answer.Verdict = decide.Approve
	case is("a", "always") && r.Always != "":
		answer.Verdict, answer.Always = decide.Approve, true
	case is("l", "later") && a.later:
		answer.Verdict = decide.Later
	case is("n", "no"):
		answer.Verdict, answer.Reason = decide.Deny, "the user refuses it"
	default:
		return decide.Answer{}, false
	}
	return answer, true
}

// word reads a line. It ends with ctx.
func (a *asker) word(ctx context.Context) (string, error) {
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	type read struct {
		line string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		line, err := a.lines.ReadSlice('\n')
		done <- read{string(line), err}
	}()
	select {
	case r := <-done:
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case r.err == io.EOF: // a line without its end is none
			return "", errNoAnswer
		case r.err != nil:
			a.lost = true
		}
		return strings.TrimSpace(r.line), r.err
	case <-ctx.Done():
	}
	a.lost = !a.interrupt()
	if !a.lost {
		<-done
		a.lost = a.tty.SetReadDeadline(time.Time{}) != nil
	}
	return "", ctx.Err()
}

// interrupt ends a read from a terminal.
func (a *asker) interrupt() bool { return a.tty != nil && a.tty.SetReadDeadline(time.Now()) == nil }
