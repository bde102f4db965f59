package proxy

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/net/http/httpguts"
)

// Bounds of the header of a request.
const (
	maxLine  = 8 << 10  // bytes of a line, with its end
	maxLines = 100      // lines behind the first
	maxHead  = 64 << 10 // bytes in all
)

// readRequest reads the header of a request. What follows it is in the reader that is given back.
func readRequest(from io.Reader) (*http.Request, *bufio.Reader, error) {
	r := bufio.NewReaderSize(from, maxLine)
	head, err := readHead(r)
	if err != nil {
		return nil, nil, err
	}
	r = bufio.NewReader(io.MultiReader(bytes.NewReader(head), r))
	req, err := http.ReadRequest(r)
	if err != nil {
		return nil, nil, errors.New("the request is malformed")
	}
	if req.ProtoMajor != 1 {
		return nil, nil, fmt.Errorf("the proxy speaks HTTP/1.1, not %s", req.Proto)
	}
	return req, r, nil
}

// readHead reads lines up to the empty one. Each ends with CR and LF, and has no other control characters but tabs.
func readHead(r *bufio.Reader) (head []byte, err error) {
	for lines := 0; ; lines++ {
		line, err := r.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			return nil, fmt.Errorf("a line of the header has more than %d bytes", maxLine)
		case err != nil:
			return nil, err
		case len(head)+len(line) > maxHead:
			return nil, fmt.Errorf("the header has more than %d bytes", maxHead)
		case lines > maxLines+1 || lines == maxLines+1 && len(line) > len("\r\n"):
			return nil, fmt.Errorf("the header has more than %d lines", maxLines)
		}
		text, ended := bytes.CutSuffix(line, []byte("\r\n"))
		if !ended || bytes.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
			return nil, errors.New("a line of the header has control characters, or does not end with CR and LF")
		}
		if name, _, _ := bytes.Cut(text, []byte(":")); lines > 0 && len(text) > 0 && !httpguts.ValidHeaderFieldName(string(name)) {
			return nil, errors.New("a line of the header has no name, or is continued")
		}
		head = append(head, line...)
		if len(text) == 0 {
			return head, nil
		}
	}
}
