// Recompute the tree of a ledger folder from its entries, with Go's own tlog.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

type reader struct{ hashes []tlog.Hash }

func (r *reader) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		out[i] = r.hashes[index]
	}
	return out, nil
}

func path(index int64) string {
	out := fmt.Sprintf("%03d", index%1000)
	for index >= 1000 {
		index /= 1000
		out = fmt.Sprintf("x%03d/%s", index%1000, out)
	}
	return out
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	folder := os.Args[1]
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	begun := time.Now()
	note, err := os.ReadFile(folder + "/checkpoint")
	check(err)
	lines := strings.Split(string(note), "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	tree := &reader{hashes: make([]tlog.Hash, 0, 2*size)}
	var id int64
	for bundle := int64(0); bundle*256 < size; bundle++ {
		name := folder + "/tile/entries/" + path(bundle)
		if left := size - bundle*256; left < 256 {
			name += fmt.Sprintf(".p/%d", left)
		}
		raw, err := os.ReadFile(name)
		check(err)
		for len(raw) > 0 {
			length := int(binary.BigEndian.Uint16(raw))
			hashes, err := tlog.StoredHashesForRecordHash(id, tlog.RecordHash(raw[2:2+length]), tree)
			check(err)
			tree.hashes = append(tree.hashes, hashes...)
			raw = raw[2+length:]
			id++
		}
	}
	root, err := tlog.TreeHash(size, tree)
	check(err)
	wall := time.Since(begun)
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	spent := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
	if root.String() != lines[2] {
		check(fmt.Errorf("the root is not the signed one"))
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"count": id, "root": root.String(),
		"processor_seconds": spent.Seconds(), "wall_seconds": wall.Seconds(),
		"megabytes": float64(after.Maxrss) / 1024,
	})
}
