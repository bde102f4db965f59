package cluster

import (
	"fmt"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// BenchmarkHeard is a beat as a front gets it, of a thousand workers.
func BenchmarkHeard(b *testing.B) {
	f := front(b, start(b))
	beats := make([]*nats.Msg, 1000)
	for i := range beats {
		beats[i] = &nats.Msg{Subject: fmt.Sprint(here, "w", i), Data: encode(beat{Slots: 4, Running: 2, Level: "none", Version: "v1.2.3"})}
	}
	for i := 0; b.Loop(); i++ {
		f.heard(beats[i%len(beats)])
	}
}

// BenchmarkMessages are messages of a kilobyte through a server, from one connection to another.
func BenchmarkMessages(b *testing.B) {
	s := start(b)
	to, err := s.Connect()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(to.Close)
	got := make(chan *nats.Msg, 1<<16)
	if _, err := to.ChanSubscribe(here+"w1", got); err != nil {
		b.Fatal(err)
	}
	if err := to.Flush(); err != nil {
		b.Fatal(err)
	}
	from := client(b, s, "w1")
	data := make([]byte, 1024)
	b.ResetTimer()
	go func() {
		for range b.N {
			_ = from.Publish(here+"w1", data)
		}
	}()
	for range b.N {
		<-got
	}
}

// BenchmarkPut writes values of a kilobyte into a bucket of one replica, 64 at a time, on disk before they are acknowledged and not.
func BenchmarkPut(b *testing.B) {
	for _, always := range []bool{true, false} {
		b.Run(fmt.Sprint("sync=", always), func(b *testing.B) {
			s, err := server.NewServer(&server.Options{JetStream: true, StoreDir: b.TempDir(), SyncAlways: always, DontListen: true, NoSigs: true, NoLog: true})
			if err != nil {
				b.Fatal(err)
			}
			s.Start()
			defer s.Shutdown()
			if !s.ReadyForConnections(readyWithin) {
				b.Fatal("it does not start")
			}
			conn, err := nats.Connect("", nats.InProcessServer(s))
			if err != nil {
				b.Fatal(err)
			}
			defer conn.Close()
			js, err := jetstream.New(conn)
			if err != nil {
				b.Fatal(err)
			}
			kv, err := js.CreateKeyValue(b.Context(), jetstream.KeyValueConfig{Bucket: "runs"})
			if err != nil {
				b.Fatal(err)
			}
			data := make([]byte, 1024)
			b.SetParallelism(32)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					if _, err := kv.Put(b.Context(), fmt.Sprint("run", i), data); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}
