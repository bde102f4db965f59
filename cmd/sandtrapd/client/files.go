package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A File is one of a session, without its content.
type File struct {
	Path     string    `json:"path"` // with slashes, from the working directory of the session's runs
	Size     int64     `json:"size"`
	Mode     string    `json:"mode"` // permissions, in octal
	Modified time.Time `json:"modified"`
}

type fileList struct {
	Files []File `json:"files"`
}

// Files are those of a session, in the working directory of its runs and below.
func (c *Client) Files(ctx context.Context, session string) ([]File, error) {
	var list fileList
	err := c.call(ctx, request{method: http.MethodGet, path: in("/v1/sessions/%s/files", session)}, &list)
	return list.Files, err
}

// fileAt is where a file of a session is. Other paths than those that fs.ValidPath allows would be of something else on their way.
func fileAt(session, path string) (string, error) {
	if !fs.ValidPath(path) || path == "." {
		return "", fmt.Errorf("%.200q is no path of a file in a session", path)
	}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return in("/v1/sessions/%s/files/", session) + strings.Join(parts, "/"), nil
}

// ReadFile is the content of a file of a session.
func (c *Client) ReadFile(ctx context.Context, session, path string) ([]byte, error) {
	at, err := fileAt(session, path)
	if err != nil {
		return nil, err
	}
	data, _, err := c.bytes(ctx, request{method: http.MethodGet, path: at})
	return data, err
}

// WriteFile puts a file into a session, with the directories that it is in. It is not sent again if the server is busy.
func (c *Client) WriteFile(ctx context.Context, session, path string, data []byte) (*File, error) {
	at, err := fileAt(session, path)
	if err != nil {
		return nil, err
	}
	var f File
	if err := c.call(ctx, put(at, "application/octet-stream", bytes.NewReader(data)), &f); err != nil {
		return nil, err
	}
	return &f, nil
}

// put is a request with a body that is no JSON.
func put(path, media string, data io.Reader) request {
	return request{method: http.MethodPut, path: path, data: data, header: map[string]string{"Content-Type": media}, once: true}
}

// DeleteFile deletes a file of a session, or a directory with all that is in it.
func (c *Client) DeleteFile(ctx context.Context, session, path string) error {
	at, err := fileAt(session, path)
	if err != nil {
		return err
	}
	return c.call(ctx, request{method: http.MethodDelete, path: at}, nil)
}

// Tar has the files of a session as a tar. It is to be closed.
func (c *Client) Tar(ctx context.Context, session string) (io.ReadCloser, error) {
	res, err := c.send(ctx, request{method: http.MethodGet, path: in("/v1/sessions/%s/tar", session)})
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

// PutTar puts the files of a tar into a session, all or none, and gives them; others stay. As the tar is read once, the request is not
// sent again if the server is busy.
func (c *Client) PutTar(ctx context.Context, session string, tar io.Reader) ([]File, error) {
	var list fileList
	err := c.call(ctx, put(in("/v1/sessions/%s/tar", session), "application/x-tar", tar), &list)
	return list.Files, err
}
