package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
)

type Part struct {
	Field  string `json:"field"`
	File   string `json:"file"`
	Type   string `json:"type"`
	Size   int64  `json:"size"`
	Sha256 string `json:"sha256"`
}

type Result struct {
	Parts       []Part `json:"parts"`
	LengthKnown bool   `json:"length_known"`
}

func post(addr, contentType string, body io.Reader) (*Result, error) {
	resp, err := http.Post(addr, contentType, body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		b, _ := io.ReadAll(resp.Body)
		return nil, fmt.Errorf("%s: %s", resp.Status, strings.TrimSpace(string(b)))
	}
	var r Result
	return &r, json.NewDecoder(resp.Body).Decode(&r)
}

// buffered builds the whole body in memory.
func buffered(fields map[string]string, files map[string][]byte) (io.Reader, string, error) {
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	for _, k := range []string{"title", "description"} {
		if err := w.WriteField(k, fields[k]); err != nil {
			return nil, "", err
		}
	}
	for name, content := range files {
		h := make(textproto.MIMEHeader)
		h.Set("Content-Disposition", fmt.Sprintf(`form-data; name="file"; filename="%s"`, name))
		h.Set("Content-Type", http.DetectContentType(content))
		part, err := w.CreatePart(h)
		if err != nil {
			return nil, "", err
		}
		if _, err := part.Write(content); err != nil {
			return nil, "", err
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	return &buf, w.FormDataContentType(), nil
}

// streamed writes the body while it is sent.
func streamed(path string, content io.Reader) (io.Reader, string) {
	pr, pw := io.Pipe()
	w := multipart.NewWriter(pw)
	go func() {
		part, err := w.CreateFormFile("data", filepath.Base(path))
		if err == nil {
			_, err = io.Copy(part, content)
		}
		if err == nil {
			err = w.Close()
		}
		pw.CloseWithError(err)
	}()
	return pr, w.FormDataContentType()
}

func main() {
	base := os.Args[1]
	png := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 100)...)
	body, ct, err := buffered(map[string]string{"title": "Ünïcode title", "description": "line 1\r\nline 2"}, map[string][]byte{"a \"b\".png": png})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := post(base+"/upload", ct, body)
	fmt.Println(err)
	for _, p := range r.Parts {
		fmt.Printf("%+v\n", p)
	}
	fmt.Println(r.LengthKnown)

	h := sha256.New()
	big := io.TeeReader(strings.NewReader(strings.Repeat("0123456789abcdef", 40000)), h)
	body, ct = streamed("/tmp/report.csv", big)
	r, err = post(base+"/upload", ct, body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v %t\n", r.Parts[0], r.LengthKnown)
	fmt.Println(r.Parts[0].Sha256 == hex.EncodeToString(h.Sum(nil)))

	_, err = post(base+"/upload", "text/plain", strings.NewReader("no parts"))
	fmt.Println(err)
}
