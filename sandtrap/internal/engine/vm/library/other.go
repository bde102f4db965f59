//lint:file-ignore U1000 the vm compiles these with the scripts that use them

package library

// Ordered is cmp.Ordered.
type Ordered interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 |
		~string
}

func cmp_Compare[T Ordered](x, y T) int {
	if x != x { // only NaN
		if y != y {
			return 0
		}
		return -1
	}
	if y != y {
		return +1
	}
	if x < y {
		return -1
	}
	if x > y {
		return +1
	}
	return 0
}

func cmp_Less[T Ordered](x, y T) bool { return x < y || x != x && y == y }

func cmp_Or[T comparable](vals ...T) T {
	var zero T
	for _, v := range vals {
		if v != zero {
			return v
		}
	}
	return zero
}

func math_rand_v2_N[Int interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(below(uint64(n)))
}

func sync_OnceValue[T any](f func() T) func() T {
	get := sync_OnceValues(func() (T, bool) { return f(), true })
	return func() T {
		v, _ := get()
		return v
	}
}

func sync_OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var called, ok bool
	var failed any
	var v1 T1
	var v2 T2
	done := make(chan bool)
	return func() (T1, T2) {
		if called {
			<-done
		} else {
			called = true
			defer func() {
				if !ok {
					failed = recover()
					close(done)
					panic(failed)
				}
			}()
			v1, v2 = f()
			ok, f = true, nil
			close(done)
		}
		if !ok {
			panic(failed)
		}
		return v1, v2
	}
}

func errors_AsType[E error](err error) (E, bool) {
	for err != nil {
		if e, ok := err.(E); ok {
			return e, true
		}
		var e E
		if x, ok := err.(interface{ As(any) bool }); ok && x.As(&e) {
			return e, true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, inner := range x.Unwrap() {
				if e, ok := errors_AsType[E](inner); ok {
					return e, true
				}
			}
			return e, false
		default:
			return e, false
		}
	}
	var none E
	return none, false
}

// pulled is what the other side of a pull sends.
type pulled[K, V any] struct {
	k      K
	v      V
	ok     bool
	failed bool
	why    any
}

func iter_Pull[V any](seq func(yield func(V) bool)) (next func() (V, bool), stop func()) {
	next2, stop := iter_Pull2(func(yield func(V, bool) bool) {
		seq(func(v V) bool { return yield(v, true) })
	})
	return func() (V, bool) {
		v, _, ok := next2()
		return v, ok
	}, stop
}

func iter_Pull2[K, V any](seq func(yield func(K, V) bool)) (next func() (K, V, bool), stop func()) {
	var started, done, running bool
	wanted := make(chan bool) // true for another, false to stop
	got := make(chan pulled[K, V])
	run := func() {
		var end pulled[K, V]
		defer func() {
			if end.failed {
				end.why = recover()
			}
			got <- end
		}()
		if !<-wanted {
			return
		}
		end.failed = true
		seq(func(k K, v V) bool {
			got <- pulled[K, V]{k: k, v: v, ok: true}
			return <-wanted
		})
		end.failed = false
	}
	ask := func(more bool) pulled[K, V] {
		if running {
			panic("iter.Pull: next called again before yield")
		}
		running = true
		wanted <- more
		p := <-got
		running = false
		if !p.ok {
			done = true
		}
		switch {
		case p.failed && p.why == nil: // a panic always has a value
			goexit()
		case p.failed:
			panic(p.why)
		}
		return p
	}
	next = func() (K, V, bool) {
		if done {
			var none pulled[K, V]
			return none.k, none.v, false
		}
		if !started {
			started = true
			go run()
		}
		p := ask(true)
		return p.k, p.v, p.ok
	}
	stop = func() {
		if done || !started {
			done = true
			return
		}
		ask(false)
	}
	return next, stop
}
