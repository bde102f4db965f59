package api

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
)

// maxUpload bounds the body of a request with files, in bytes: those that a session may have, and the headers of a tar.
const maxUpload = sessions.MaxFileBytes + 16<<20

// bodyBound bounds the body of a request.
func bodyBound(r route) int64 {
	if r.name == "putFile" || r.name == "putTar" {
		return maxUpload
	}
	if r.name == "createBatch" {
		return maxBatch
	}
	return maxBody
}

type fileList struct {
	Files []sessions.File `json:"files"`
}

func (s *Server) listFiles(c *call) error {
	list, err := s.Sessions.Files(c.q.Context(), c.key.Tenant, c.q.PathValue("id"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, fileList{list})
}

func (s *Server) getFile(c *call) error {
	f, data, release, err := s.Sessions.ReadFile(c.q.Context(), c.key.Tenant, c.q.PathValue("id"), c.q.PathValue("path"))
	defer release()
	if err != nil {
		return err
	}
	c.w.Header().Set("Last-Modified", f.Modified.Format(http.TimeFormat))
	return c.send("application/octet-stream", data)
}

func (s *Server) putFile(c *call) error {
	f, err := s.Sessions.WriteFile(c.q.Context(), c.key.Tenant, c.q.PathValue("id"), c.q.PathValue("path"), c.upload(), 0o644)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, f)
}

func (s *Server) deleteFile(c *call) error {
	return c.empty(s.Sessions.RemoveFile(c.q.Context(), c.key.Tenant, c.q.PathValue("id"), c.q.PathValue("path")))
}

func (s *Server) getTar(c *call) error {
	data, release, err := s.Sessions.ReadTar(c.q.Context(), c.key.Tenant, c.q.PathValue("id"))
	defer release()
	if err != nil {
		return err
	}
	return c.send("application/x-tar", data)
}

func (s *Server) putTar(c *call) error {
	list, err := s.Sessions.WriteTar(c.q.Context(), c.key.Tenant, c.q.PathValue("id"), c.upload())
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, fileList{list})
}

// send answers with data that a script or a client has made: nothing of it is a page. A client that takes nothing for too long is given up.
func (c *call) send(media string, data []byte) error {
	c.w.Header().Set("Content-Type", media)
	c.w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	c.w.Header().Set("X-Content-Type-Options", "nosniff")
	c.w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	for len(data) > 0 { // in parts, for each of which the client has its time
		n, err := c.w.Write(data[:min(len(data), 256<<10)])
		if err != nil {
			return nil // the client is gone
		}
		data = data[n:]
	}
	return nil
}

// upload is the body of a request with files. A client that sends nothing for too long is given up.
func (c *call) upload() io.Reader { return &slowReader{c.q.Body, http.NewResponseController(c.w)} }

// uploadTime is how long a client may take for a part of an upload.
const uploadTime = 30 * time.Second

type slowReader struct {
	from io.Reader
	in   *http.ResponseController
}

func (r *slowReader) Read(p []byte) (int, error) {
	_ = r.in.SetReadDeadline(time.Now().Add(uploadTime)) // a recorder in a test has none
	n, err := r.from.Read(p)
	if err == nil {
		return n, nil
	}
	_ = r.in.SetReadDeadline(time.Time{})
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge || err == io.EOF {
		return n, err
	}
	return n, problem.New(problem.Invalid, "the body did not come whole")
}
