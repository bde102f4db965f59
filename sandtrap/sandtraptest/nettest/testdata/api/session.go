package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
)

var ErrUnauthorized = errors.New("unauthorized")

type Session struct {
	client *http.Client
	base   string
}

func NewSession(base string) *Session {
	jar, err := cookiejar.New(nil)
	if err != nil {
		log.Fatalf("cookie jar: %v", err)
	}
	return &Session{base: base, client: &http.Client{
		Jar: jar,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			fmt.Println("redirect:", via[len(via)-1].Method, "->", req.Method, len(via))
			if len(via) >= 5 {
				return errors.New("too many redirects")
			}
			return nil
		},
	}}
}

func (s *Session) Login(user, password string) error {
	resp, err := s.client.PostForm(s.base+"/login", url.Values{"user": {user}, "password": {password}})
	if err != nil {
		return fmt.Errorf("login: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	switch resp.StatusCode {
	case http.StatusOK:
		fmt.Println("logged in at", resp.Request.URL.Path[strings.LastIndex(resp.Request.URL.Path, "/"):], strings.TrimSpace(string(body)))
		return nil
	case http.StatusUnauthorized:
		return fmt.Errorf("%w: %s", ErrUnauthorized, strings.TrimSpace(string(body)))
	}
	return fmt.Errorf("login: unexpected status %q", resp.Status)
}

func (s *Session) Me() (map[string]any, error) {
	resp, err := s.client.Get(s.base + "/me")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusUnauthorized {
		return nil, fmt.Errorf("%w: %v", ErrUnauthorized, out["error"].(map[string]any)["message"])
	}
	return out, nil
}

func (s *Session) cookies() {
	u, err := url.Parse(s.base)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range s.client.Jar.Cookies(u) {
		fmt.Printf("cookie %s=%q %v\n", c.Name, c.Value, c)
	}
}

func main() {
	s := NewSession(os.Args[1])
	_, err := s.Me()
	fmt.Println(err, errors.Is(err, ErrUnauthorized))
	err = s.Login("bob", "wrong")
	fmt.Println(err, errors.Is(err, ErrUnauthorized))
	if err := s.Login("bob", "hunter2"); err != nil {
		log.Fatal(err)
	}
	me, err := s.Me()
	fmt.Println(me["user"], me["cookies"], err)
	s.cookies()
	resp, err := s.client.Post(s.base+"/logout", "", nil)
	if err != nil {
		log.Fatal(err)
	}
	resp.Body.Close()
	for _, c := range resp.Cookies() {
		fmt.Println(c.Name, c.MaxAge, c.Expires.IsZero(), c.Raw)
	}
	s.cookies()
	_, err = s.Me()
	fmt.Println(err)

	noFollow := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err = noFollow.PostForm(s.base+"/login", url.Values{"user": {"eve"}, "password": {"hunter2"}})
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	loc, err := resp.Location()
	fmt.Println(resp.StatusCode, resp.Header.Get("Location")[strings.LastIndex(resp.Header.Get("Location"), "/"):], loc != nil, err, len(resp.Cookies()))

	req, _ := http.NewRequest(http.MethodGet, s.base+"/me", nil)
	for _, c := range resp.Cookies() {
		req.AddCookie(c)
	}
	resp, err = http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	io.Copy(os.Stdout, resp.Body)
	resp.Body.Close()
}
