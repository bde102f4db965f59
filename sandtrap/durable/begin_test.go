package durable_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// TestBegin: a run that one process has begun goes on in any other one, and comes to the same calls there with the same random numbers and the
// same clock.
func TestBegin(t *testing.T) {
	const script = "n := rand.IntN(1 << 30)\nfmt.Println(n, time.Now().UnixNano())\nfmt.Println(ask(fmt.Sprint(n)))"
	for _, mac := range [][]byte{nil, key} {
		var begun bytes.Buffer
		if err := keyed(t, mac).Begin(sandtrap.Script{Text: script}, &begun); err != nil {
			t.Fatal(err)
		}
		var printed, journals []string
		for range 2 {
			res, pause, err := keyed(t, mac).Resume(t.Context(), bytes.NewReader(begun.Bytes()), nil)
			if err != nil || pause == nil {
				t.Fatal(err)
			}
			var saved bytes.Buffer
			if err := pause.Save(&saved); err != nil {
				t.Fatal(err)
			}
			printed, journals = append(printed, res.Stdout), append(journals, saved.String())
		}
		if printed[0] != printed[1] || journals[0] != journals[1] || printed[0] == "" || !strings.HasPrefix(journals[0], begun.String()) {
			t.Errorf("%q\n%s\nand begun as\n%s", printed, journals, &begun)
		}
	}
	if err := keyed(t, nil).Begin(sandtrap.Script{Text: "1", Args: []string{"\xff"}}, new(bytes.Buffer)); err == nil {
		t.Error("a script that no journal can hold is begun")
	}
	if err := keyed(t, nil).Begin(sandtrap.Script{Text: "1"}, full{}); !errors.Is(err, errFull) {
		t.Errorf("a Writer that is full: %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestLoadPause: the journal of a run that waits has the calls that Start has told of, and a text which says that others wait is refused.
func TestLoadPause(t *testing.T) {
	for _, mac := range [][]byte{nil, key} {
		pause, err := keyed(t, mac).LoadPause(strings.NewReader(waiting(t, mac, "1, 2")))
		if err != nil {
			t.Fatal(err)
		}
		want := []durable.Pending{{ID: 3, Name: "ask", Args: json.RawMessage(`{"text":"b"}`), At: "script.go:1"}, {ID: 4, Name: "ask", Args: json.RawMessage(`{"text":"a"}`)}}
		if !reflect.DeepEqual(pause.Pending, want) {
			t.Errorf("%+v", pause.Pending)
		}
		var again bytes.Buffer
		if err := pause.Save(&again); err != nil || again.String() != waiting(t, mac, "1, 2") {
			t.Errorf("%v: it is saved as\n%s", err, &again)
		}
	}
	text := waiting(t, nil, "1, 2")
	head, _, _ := strings.Cut(text, "\n")
	for name, changed := range map[string]string{
		"empty":          "",
		"no JSON":        "hello\n",
		"begun":          head + "\n",
		"ended":          head + "\n" + `{"end":"ok","ticks":1,"output":""}` + "\n",
		"cut":            text[:len(text)/2],
		"another policy": strings.Replace(text, `"policy":"`, `"policy":"0`, 1),
		"no function":    strings.Replace(text, `"name":"ask"`, `"name":"remove"`, 1),
		"does not wait":  strings.Replace(text, `"name":"ask","args":{"text":"b"}`, `"name":"add","args":{"a":1,"b":2}`, 1),
		"approval":       strings.Replace(text, `"at":"script.go:1"`, `"at":"script.go:1","ask":"may it?"`, 1),
		"no object":      strings.Replace(text, `{"text":"b"}`, `["b"]`, 1),
		"twice":          strings.Replace(text, `"waiting":4`, `"waiting":3`, 1),
		"number":         strings.Replace(text, `"waiting":4`, `"waiting":-4`, 1),
		"field":          strings.Replace(text, `"waiting":4`, `"waiting":4,"more":1`, 1),
		"more":           text + text,
	} {
		if changed == text {
			t.Errorf("%s: nothing is changed in %s", name, text)
		}
		if _, err := keyed(t, nil).LoadPause(strings.NewReader(changed)); !errors.Is(err, durable.ErrJournal) && !errors.Is(err, durable.ErrDiverged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
