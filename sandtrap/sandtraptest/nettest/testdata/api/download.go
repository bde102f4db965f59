package main

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
)

type progress struct {
	total, done int64
	marks       []int64
}

func (p *progress) Write(b []byte) (int, error) {
	before := p.done * 4 / p.total
	p.done += int64(len(b))
	for m := before + 1; m <= p.done*4/p.total; m++ {
		p.marks = append(p.marks, m*25)
	}
	return len(b), nil
}

func put(addr string, body io.Reader, length int64) error {
	req, err := http.NewRequest(http.MethodPut, addr, body)
	if err != nil {
		return err
	}
	if length > 0 {
		req.ContentLength = length
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	fmt.Print(resp.Status, " ", string(b))
	return err
}

func size(addr string) (int64, error) {
	resp, err := http.Head(addr)
	if err != nil {
		return 0, err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, errors.New(resp.Status)
	}
	if resp.Header.Get("Accept-Ranges") != "bytes" {
		return 0, errors.New("no ranges")
	}
	_, params, err := mime.ParseMediaType(resp.Header.Get("Content-Disposition"))
	fmt.Println(params["filename"], err, resp.Header.Get("Content-Type"), resp.Header.Get("Last-Modified"))
	return resp.ContentLength, nil
}

func chunk(addr string, from, to int64, h hash.Hash) (int64, error) {
	req, _ := http.NewRequest("GET", addr, nil)
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, to-1))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusPartialContent {
		return 0, fmt.Errorf("%d-%d: %s %s", from, to, resp.Status, resp.Header.Get("Content-Range"))
	}
	fmt.Println(resp.Header.Get("Content-Range"), resp.ContentLength)
	return io.Copy(h, resp.Body)
}

func main() {
	addr := os.Args[1] + "/blobs/data.bin"
	content := strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 20000)
	if err := put(addr, strings.NewReader(content), 0); err != nil {
		fmt.Println(err)
		return
	}
	if err := put(addr, bufio.NewReader(strings.NewReader(content)), int64(len(content))); err != nil {
		fmt.Println(err)
	}
	n, err := size(addr)
	fmt.Println(n, err, n == int64(len(content)))
	_, err = size(addr + "x")
	fmt.Println(err)

	h := sha256.New()
	for from := int64(0); from < n; from += 300_000 {
		if _, err := chunk(addr, from, min(from+300_000, n), h); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Printf("%x\n", h.Sum(nil))
	_, err = chunk(addr, n+10, n+20, h)
	fmt.Println(err)

	resp, err := http.Get(addr)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	p := &progress{total: resp.ContentLength}
	h.Reset()
	written, err := io.Copy(io.MultiWriter(h, p), resp.Body)
	fmt.Printf("%d %v %v %x %x\n", written, err, p.marks, h.Sum(nil), sha256.Sum256([]byte(content)))

	err = put(addr, io.LimitReader(endless{}, 5<<20), 0)
	fmt.Println(err == nil)
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
