// What Go's own libraries say of notes and proofs: one question on a line of standard input, one
// answer on a line of standard output. Bytes are Base64.
//
//	note KEY NOTE                         whether the key signed the note
//	record INDEX SIZE LEAF ROOT HASHES    whether the hashes lead from the leaf to the root
//	tree SIZE ROOT OLDSIZE OLDROOT HASHES whether the tree continues the older one
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func raw(text string) []byte {
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return content
}

func hash(text string) (h tlog.Hash) {
	copy(h[:], raw(text))
	return h
}

func hashes(text string) []tlog.Hash {
	content, list := raw(text), []tlog.Hash{}
	for ; len(content) >= tlog.HashSize; content = content[tlog.HashSize:] {
		var h tlog.Hash
		copy(h[:], content)
		list = append(list, h)
	}
	return list
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func holds(words []string) (answer bool) {
	defer func() {
		if recover() != nil { // tlog panics on sizes that make no tree
			answer = false
		}
	}()
	switch words[0] {
	case "note":
		key, err := note.NewVerifier(string(raw(words[1])))
		if err != nil {
			return false
		}
		_, err = note.Open(raw(words[2]), note.VerifierList(key))
		return err == nil
	case "record":
		return tlog.CheckRecord(hashes(words[5]), number(words[2]), hash(words[4]), number(words[1]), hash(words[3])) == nil
	case "tree":
		return tlog.CheckTree(hashes(words[5]), number(words[1]), hash(words[2]), number(words[3]), hash(words[4])) == nil
	}
	return false
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for lines.Scan() {
		fmt.Println(holds(strings.Split(lines.Text(), " ")))
	}
}
