package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

type Record struct {
	Seq   int    `json:"seq"`
	Level string `json:"level"`
	Msg   string `json:"msg"`
}

func open(url string) (io.ReadCloser, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, &http.ProtocolError{ErrorString: resp.Status}
	}
	return resp.Body, nil
}

func byScanner(url string) (map[string]int, int, error) {
	body, err := open(url)
	if err != nil {
		return nil, 0, err
	}
	defer body.Close()
	counts, longest := map[string]int{}, 0
	sc := bufio.NewScanner(body)
	sc.Buffer(make([]byte, 0, 64), 1<<20)
	for sc.Scan() {
		var r Record
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			return counts, longest, fmt.Errorf("bad line %q: %w", sc.Text(), err)
		}
		counts[r.Level]++
		longest = max(longest, len(r.Msg))
	}
	return counts, longest, sc.Err()
}

func byDecoder(url string, limit int) ([]Record, error) {
	body, err := open(url)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	var out []Record
	for dec := json.NewDecoder(body); ; {
		var r Record
		switch err := dec.Decode(&r); {
		case err == io.EOF:
			return out, nil
		case err != nil:
			return out, err
		}
		if out = append(out, r); len(out) == limit {
			return out, nil
		}
	}
}

func byReader(url string) (lines, bytes int, err error) {
	body, err := open(url)
	if err != nil {
		return 0, 0, err
	}
	defer body.Close()
	br := bufio.NewReaderSize(body, 16)
	for {
		line, err := br.ReadString('\n')
		bytes += len(line)
		if err != nil {
			if errors.Is(err, io.EOF) {
				return lines, bytes, nil
			}
			return lines, bytes, err
		}
		lines++
	}
}

func main() {
	base := os.Args[1]
	url := base + "/lines"
	fmt.Println(byScanner(url))
	list, err := byDecoder(url, 3)
	fmt.Println(list, err)
	all, err := byDecoder(url, -1)
	fmt.Println(len(all), err)
	fmt.Println(byReader(url))
	_, err = byDecoder(base+"/none", 1)
	var pe *http.ProtocolError
	fmt.Println(err, errors.As(err, &pe))

	// a body that the client compresses, and one that it decompresses itself
	pr, pw := io.Pipe()
	go func() {
		zw := gzip.NewWriter(pw)
		enc := json.NewEncoder(zw)
		for _, r := range all[:50] {
			if err := enc.Encode(r); err != nil {
				pw.CloseWithError(err)
				return
			}
		}
		zw.Close()
		pw.Close()
	}()
	req, err := http.NewRequest(http.MethodPut, base+"/blobs/log.gz", pr)
	if err != nil {
		fmt.Println(err)
		return
	}
	req.Header.Set("Content-Encoding", "gzip")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	resp.Body.Close()
	body, err := open(base + "/blobs/log.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer body.Close()
	zr, err := gzip.NewReader(body)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := io.ReadAll(zr)
	fmt.Println(strings.Count(string(text), "\n"), err)
}
