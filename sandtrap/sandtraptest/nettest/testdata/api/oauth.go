package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

type Token struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int    `json:"expires_in"`
	expiry      time.Time
}

func (t *Token) Valid() bool {
	return t != nil && t.AccessToken != "" && time.Now().Add(10*time.Second).Before(t.expiry)
}

type OAuthError struct {
	Code string `json:"error"`
}

func (e OAuthError) Error() string { return "oauth: " + e.Code }

type TokenSource struct {
	mu           sync.Mutex
	url          string
	id, secret   string
	grant        string
	current      *Token
	refreshCount int
}

func (s *TokenSource) Token(ctx context.Context) (*Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current.Valid() {
		return s.current, nil
	}
	form := url.Values{"grant_type": {s.grant}, "scope": {"read write"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.SetBasicAuth(url.QueryEscape(s.id), url.QueryEscape(s.secret))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		var oe OAuthError
		if json.Unmarshal(body, &oe) == nil && oe.Code != "" {
			return nil, oe
		}
		return nil, fmt.Errorf("oauth: %s", resp.Status)
	}
	t := new(Token)
	if err := json.Unmarshal(body, t); err != nil {
		return nil, err
	}
	t.expiry = time.Now().Add(time.Duration(t.ExpiresIn) * time.Second)
	s.current = t
	s.refreshCount++
	return t, nil
}

func (s *TokenSource) Invalidate() {
	s.mu.Lock()
	s.current = nil
	s.mu.Unlock()
}

// call retries once with a new token if the old one is refused.
func call(ctx context.Context, s *TokenSource, addr string) (map[string]string, error) {
	for attempt := 0; attempt < 2; attempt++ {
		tok, err := s.Token(ctx)
		if err != nil {
			return nil, err
		}
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, addr, nil)
		req.Header.Add("Authorization", tok.TokenType+" "+tok.AccessToken)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode == http.StatusUnauthorized {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			fmt.Println("token", tok.AccessToken, "was refused")
			s.Invalidate()
			continue
		}
		defer resp.Body.Close()
		var out map[string]string
		return out, json.NewDecoder(resp.Body).Decode(&out)
	}
	return nil, errors.New("still unauthorized")
}

func main() {
	ctx := context.Background()
	base := os.Args[1]
	s := &TokenSource{url: base + "/oauth/token", id: "my app", secret: "s3cr&t", grant: "client_credentials"}
	for i := range 6 {
		out, err := call(ctx, s, base+"/guarded")
		fmt.Println(i, out, err)
	}
	fmt.Println(s.refreshCount, "tokens")
	bad := &TokenSource{url: base + "/oauth/token", grant: "password"}
	_, err := bad.Token(ctx)
	var oe OAuthError
	fmt.Println(err, errors.As(err, &oe), oe.Code)

	for _, cred := range [][2]string{{"", ""}, {"aladdin", "nope"}, {"aladdin", "open sesame"}} {
		req, _ := http.NewRequest("GET", base+"/basic", nil)
		if cred[0] != "" {
			req.SetBasicAuth(cred[0], cred[1])
			want := "Basic " + base64.StdEncoding.EncodeToString([]byte(cred[0]+":"+cred[1]))
			fmt.Println(req.Header.Get("authorization") == want)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			fmt.Println(err)
			continue
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Printf("%d %q %q\n", resp.StatusCode, resp.Header["Www-Authenticate"], b)
	}
	u, _ := url.Parse(base)
	u.User = url.UserPassword("aladdin", "open sesame")
	resp, err := http.Get(u.JoinPath("basic").String())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.StatusCode, u.Redacted() != u.String())
}
