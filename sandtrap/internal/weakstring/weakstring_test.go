package weakstring

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestOwn(t *testing.T) {
	for _, n := range []int{1, 2, 15, 16, 17, 1000, 1 << 20} {
		s, at := Own([]byte(strings.Repeat("x", n)))
		if s != strings.Repeat("x", n) {
			t.Fatalf("%d bytes: another text", n)
		}
		part := s[n-1:]
		s = ""
		runtime.GC()
		if at.Value() == nil {
			t.Errorf("%d bytes: gone while a part of the text is held", n)
		}
		runtime.KeepAlive(part)
	}
}

func TestGone(t *testing.T) {
	for _, n := range []int{32, 1000, 1 << 20} { // smaller ones share their memory with others
		_, at := Own(make([]byte, n))
		runtime.GC()
		if at.Value() != nil {
			t.Errorf("%d bytes: not gone", n)
		}
	}
}

func TestAt(t *testing.T) {
	list := make([]time.Duration, 1000)
	at := At(reflect.ValueOf(list).UnsafePointer())
	part := list[500:]
	list = nil
	runtime.GC()
	if at.Value() == nil {
		t.Error("gone while a part of the array is held")
	}
	runtime.KeepAlive(part)
	part = nil
	runtime.GC()
	if at.Value() != nil {
		t.Error("not gone")
	}
}
