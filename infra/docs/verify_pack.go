// Check an evidence pack's proofs and checkpoint: go run verify_pack.go FILE KEY
package main

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

func need(holds bool, reason string) {
	if !holds {
		fmt.Println("REFUSED:", reason)
		os.Exit(4)
	}
}
func plain(text string) []byte    { raw, _ := base64.StdEncoding.DecodeString(text); return raw }
func hash(parts ...[]byte) []byte { h := sha256.Sum256(bytes.Join(parts, nil)); return h[:] }
func rootOf(leaf []byte, index, size int, path []string) []byte { // RFC 6962, 2.1.1
	need(0 <= index && index < size && (len(path) > 0) == (size > 1), "a proof does not fit the tree")
	if size == 1 {
		return leaf
	}
	left, last := 1, len(path)-1
	for left < size-left {
		left *= 2
	}
	if index < left {
		return hash([]byte{1}, rootOf(leaf, index, left, path[:last]), plain(path[last]))
	}
	return hash([]byte{1}, plain(path[last]), rootOf(leaf, index-left, size-left, path[:last]))
}
func main() {
	need(len(os.Args) == 3, "go run verify_pack.go FILE KEY")
	pack, err := zip.OpenReader(os.Args[1])
	need(err == nil, "this is no zip")
	members := map[string]string{}
	for _, file := range pack.File {
		_, twice := members[file.Name]
		reader, err := file.Open()
		need(err == nil && !twice && file.Method == zip.Store, "a member cannot be read: "+file.Name)
		raw, err := io.ReadAll(io.LimitReader(reader, 64<<20))
		need(err == nil, "a member is damaged: "+file.Name)
		members[file.Name] = string(raw)
	}
	key, note := strings.SplitN(os.Args[2], "+", 3), strings.Split(members["checkpoint"], "\n")
	need(len(key) == 3 && len(plain(key[2])) == 33 && len(note) == 6, "no key, or no checkpoint")
	line := strings.Split(note[4], " ")
	need(len(line) == 3 && len(plain(line[2])) == 68 && note[0] == key[0], "not this ledger's checkpoint")
	text := []byte(strings.Join(note[:3], "\n") + "\n")
	need(ed25519.Verify(plain(key[2])[1:], text, plain(line[2])[4:]), "the signature does not hold")
	size, err := strconv.Atoi(note[1])
	need(err == nil, "no tree size")
	type item struct {
		Position int
		Leaf     string
		Shown    bool
	}
	var manifest struct{ Schemas, Facts []item }
	need(json.Unmarshal([]byte(members["manifest.json"]), &manifest) == nil, "no manifest")
	shown, hidden := 0, 0
	for _, one := range append(manifest.Schemas, manifest.Facts...) {
		place := fmt.Sprintf("%012d", one.Position)
		leaf, err := hex.DecodeString(one.Leaf)
		steps := strings.Split(strings.SplitN(members["proofs/"+place+".proof"], "\n\n", 2)[0], "\n")
		need(err == nil && len(steps) > 1, "no proof of "+place)
		if entry, is := members["entries/"+place]; is && one.Shown {
			need(bytes.Equal(leaf, hash([]byte{0}, []byte(entry))), "entry "+place+" is not its leaf")
			shown++
		} else {
			need(!one.Shown && !is, "entry "+place+" is missing, or not to be shown")
			hidden++
		}
		root := rootOf(leaf, one.Position, size, steps[2:])
		need(bytes.Equal(root, plain(note[2])), "the proof of "+place+" does not lead to the root")
	}
	for name := range members {
		shown -= strings.Count(name[:min(8, len(name))], "entries/")
	}
	need(shown == 0, "an entry is not listed")
	fmt.Println(len(manifest.Schemas)+len(manifest.Facts)-hidden, "entries and", hidden, "hashes proved in a tree of", size)
}
