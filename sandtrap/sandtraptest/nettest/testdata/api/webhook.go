package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"
)

type Event struct {
	ID      string         `json:"id"`
	Type    string         `json:"type"`
	Created time.Time      `json:"created"`
	Data    map[string]any `json:"data"`
}

type Sender struct {
	client *http.Client
	secret []byte
	logger *slog.Logger
}

func newID() string {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err)
	}
	return hex.EncodeToString(b[:])
}

func sign(secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func (s *Sender) Send(url string, ev Event) (status int, err error) {
	defer func() {
		if err != nil {
			s.logger.Error("delivery failed", "type", ev.Type, "err", err)
		} else {
			s.logger.Info("delivered", slog.String("type", ev.Type), slog.Group("http", slog.Int("status", status), slog.Bool("ok", status < 300)))
		}
	}()
	body, err := json.Marshal(ev)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	for k, v := range map[string]string{"Content-Type": "application/json", "X-Event-Type": ev.Type, "X-Event-ID": ev.ID, "x-signature-256": sign(s.secret, body)} {
		req.Header.Set(k, v)
	}
	if req.GetBody == nil || req.ContentLength != int64(len(body)) {
		return 0, fmt.Errorf("the body cannot be sent again")
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, err
	}
	if resp.StatusCode != http.StatusAccepted {
		return resp.StatusCode, fmt.Errorf("%s: %s", resp.Status, strings.TrimSpace(string(text)))
	}
	return resp.StatusCode, nil
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	url := os.Args[1] + "/webhook"
	ev := Event{ID: newID(), Type: "order.created", Created: time.Date(2024, 1, 2, 3, 4, 5, 6000, time.UTC), Data: map[string]any{"total": 12.5, "lines": []int{1, 2}}}
	good := &Sender{&http.Client{Timeout: time.Minute}, []byte("topsecret"), logger}
	fmt.Println(good.Send(url, ev))
	bad := &Sender{http.DefaultClient, []byte("wrong"), logger.With("sender", "bad")}
	fmt.Println(bad.Send(url, ev))
	fmt.Println(good.Send(url, Event{Data: map[string]any{"ch": make(chan int)}}))
	code, err := good.Send(strings.Replace(url, "webhook", "nowhere", 1), ev)
	fmt.Println(code, err)
	fmt.Println(hmac.Equal([]byte(sign([]byte("k"), nil)), []byte(sign([]byte("k"), nil))), len(newID()))
}
