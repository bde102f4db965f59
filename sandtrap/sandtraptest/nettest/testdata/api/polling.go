package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

type Job struct {
	Status   string          `json:"status"`
	Progress int             `json:"progress"`
	Result   json.RawMessage `json:"result"`
}

type State int

const (
	Pending State = iota
	Running
	Done
)

func (s State) String() string { return [...]string{"pending", "running", "done"}[s] }

func parseState(s string) (State, error) {
	for st := Pending; st <= Done; st++ {
		if strings.EqualFold(st.String(), s) {
			return st, nil
		}
	}
	return 0, fmt.Errorf("unknown state %q", s)
}

func start(ctx context.Context, addr string) (*url.URL, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, addr, strings.NewReader("{}"))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		return nil, fmt.Errorf("start: %s", resp.Status)
	}
	loc, err := resp.Location()
	if errors.Is(err, http.ErrNoLocation) {
		return nil, errors.New("start: no job")
	}
	return loc, err
}

func poll(ctx context.Context, at *url.URL, every time.Duration, progress func(State, int)) (json.RawMessage, error) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-ticker.C:
		}
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		var job Job
		err = json.NewDecoder(resp.Body).Decode(&job)
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil {
			return nil, err
		}
		state, err := parseState(job.Status)
		if err != nil {
			return nil, err
		}
		progress(state, job.Progress)
		if state == Done {
			return job.Result, nil
		}
	}
}

func main() {
	base := os.Args[1]
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Minute, errors.New("the job took too long"))
	defer cancel()
	at, err := start(ctx, base+"/jobs")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(at.Path[strings.LastIndex(at.Path, "/jobs"):], at.IsAbs())
	result, err := poll(ctx, at, 5*time.Millisecond, func(s State, p int) { fmt.Printf("%v %3d%% %s\n", s, p, strings.Repeat("#", p/10)) })
	if err != nil {
		fmt.Println(err)
		return
	}
	var out struct{ Rows int }
	fmt.Println(json.Unmarshal(result, &out), out.Rows)

	impatient, cancel2 := context.WithTimeoutCause(context.Background(), 20*time.Millisecond, errors.New("the job took too long"))
	defer cancel2()
	_, err = poll(impatient, at, time.Hour, nil)
	fmt.Println(err)
	_, err = start(ctx, base+"/items/1")
	fmt.Println(err)
	_, err = poll(ctx, at.JoinPath("nothing"), time.Millisecond, nil)
	var syntax *json.SyntaxError
	fmt.Println(err, errors.As(err, &syntax))
}
