package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type Event struct {
	ID, Name, Data string
}

var errDone = errors.New("stream is complete")

type Stream struct {
	url    string
	lastID string
	retry  time.Duration
	client *http.Client
	ends   []string

	comments int
}

func (s *Stream) connect(ctx context.Context, out chan<- Event) error {
	req, err := http.NewRequestWithContext(ctx, "GET", s.url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Cache-Control", "no-cache")
	if s.lastID != "" {
		req.Header.Set("Last-Event-ID", s.lastID)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if ct := resp.Header.Get("Content-Type"); !strings.HasPrefix(ct, "text/event-stream") {
		return fmt.Errorf("unexpected content type %q", ct)
	}
	var ev Event
	var data []string
	scanner := bufio.NewScanner(resp.Body)
	for scanner.Scan() {
		line := scanner.Text()
		switch {
		case line == "":
			if len(data) > 0 {
				ev.Data = strings.Join(data, "\n")
				select {
				case out <- ev:
				case <-ctx.Done():
					return ctx.Err()
				}
				if ev.Name == "end" {
					return errDone
				}
			}
			ev, data = Event{}, nil
		case strings.HasPrefix(line, ":"):
			s.comments++
		default:
			field, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch field {
			case "id":
				ev.ID, s.lastID = value, value
			case "event":
				ev.Name = value
			case "data":
				data = append(data, value)
			case "retry":
				if ms, err := strconv.Atoi(value); err == nil {
					s.retry = time.Duration(ms) * time.Millisecond
				}
			}
		}
	}
	if err := scanner.Err(); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF
}

func (s *Stream) Events(ctx context.Context) <-chan Event {
	out := make(chan Event)
	go func() {
		defer close(out)
		for {
			err := s.connect(ctx, out)
			s.ends = append(s.ends, fmt.Sprint(err, ", retry in ", s.retry))
			if errors.Is(err, errDone) || ctx.Err() != nil {
				return
			}
			time.Sleep(s.retry)
		}
	}()
	return out
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &Stream{url: os.Args[1] + "/events", client: http.DefaultClient}
	sum := 0
	for ev := range s.Events(ctx) {
		if ev.Name != "tick" {
			fmt.Printf("%q\n", ev.Name)
			continue
		}
		var payload struct {
			N    int  `json:"n"`
			Even bool `json:"even"`
		}
		if err := json.Unmarshal([]byte(ev.Data), &payload); err != nil {
			fmt.Println("bad event:", err)
			continue
		}
		sum += payload.N
		fmt.Println(ev.ID, payload)
	}
	fmt.Println("sum", sum, "last", s.lastID, "comments", s.comments)
	fmt.Println(strings.Join(s.ends, "\n"))
}
