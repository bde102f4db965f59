package durable_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

func box(b *testing.B) *durable.Box {
	own, err := durable.New(sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: map[string]any{
		"ask":  sandtrap.Member{Value: func() int { return 0 }, Pauses: true},
		"next": func(n int) int { return n + 1 },
	}})
	if err != nil {
		b.Fatal(err)
	}
	return own
}

// BenchmarkPause starts a script that waits, saves it, and resumes it to its end.
func BenchmarkPause(b *testing.B) {
	own := box(b)
	b.ReportAllocs()
	for b.Loop() {
		_, pause, err := own.Start(b.Context(), sandtrap.Script{Text: `fmt.Println("hello", ask())`}, nil)
		if err != nil || pause == nil {
			b.Fatal(pause, err)
		}
		var file bytes.Buffer
		if err := pause.Save(&file); err != nil {
			b.Fatal(err)
		}
		res, _, err := own.Resume(b.Context(), &file, nil, durable.Answer{ID: 1, Result: json.RawMessage("7")})
		if err != nil || res.Stdout != "hello 7\n" {
			b.Fatal(res.Stdout, err)
		}
	}
}

// BenchmarkReplay repeats a run of so many calls.
func BenchmarkReplay(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			own := box(b)
			var file bytes.Buffer
			if _, _, err := own.Start(b.Context(), sandtrap.Script{Text: fmt.Sprintf("n := 0\nfor range %d { n = next(n) }\nfmt.Println(n)", n)}, &file); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := own.Replay(b.Context(), bytes.NewReader(file.Bytes())); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
