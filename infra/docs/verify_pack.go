// Check an evidence pack's proofs and checkpoint: go run verify_pack.go FILE KEY
package main

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
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
	left, rest, last := 1<<(bits.Len(uint(size-1))-1), path[:len(path)-1], plain(path[len(path)-1])
	if index < left {
		return hash([]byte{1}, rootOf(leaf, index, left, rest), last)
	}
	return hash([]byte{1}, last, rootOf(leaf, index-left, size-left, rest))
}
func main() {
	need(len(os.Args) == 3, "go run verify_pack.go FILE KEY")
	pack, err := zip.OpenReader(os.Args[1])
	need(err == nil, "this is no zip")
	unlisted, shown := map[string]bool{}, 0
	for _, file := range pack.File {
		need(file.Method == zip.Store, "a member is compressed: "+file.Name)
		unlisted[file.Name] = strings.HasPrefix(file.Name, "entries/")
	}
	read := func(name string) string { // refused where it is damaged, or stands twice
		raw, err := fs.ReadFile(pack, name)
		need(err == nil, "a member is missing, damaged or there twice: "+name)
		return string(raw)
	}
	key, note := strings.SplitN(os.Args[2], "+", 3), strings.Split(read("checkpoint"), "\n")
	need(len(key) == 3 && len(note) == 6 && note[0] == key[0], "this is not the ledger's checkpoint")
	public, signature := plain(key[2]), plain(note[4][strings.LastIndex(note[4], " ")+1:])
	need(len(public) == 33 && len(signature) == 68 && ed25519.Verify(public[1:],
		[]byte(strings.Join(note[:3], "\n")+"\n"), signature[4:]), "the signature does not hold")
	var manifest struct {
		Schemas, Facts []struct {
			Position int
			Leaf     string
			Shown    bool
		}
	}
	size, leaf := 0, []byte{}
	_, err = fmt.Sscan(note[1], &size)
	need(err == nil && json.Unmarshal([]byte(read("manifest.json")), &manifest) == nil, "no size, or no manifest")
	all := append(manifest.Schemas, manifest.Facts...)
	for _, item := range all {
		place := fmt.Sprintf("%012d", item.Position)
		steps := strings.Split(strings.SplitN(read("proofs/"+place+".proof"), "\n\n", 2)[0], "\n")
		if fmt.Sscanf(item.Leaf, "%x", &leaf); item.Shown {
			need(bytes.Equal(leaf, hash([]byte{0}, []byte(read("entries/"+place)))), "entry "+place+" is not its leaf")
			unlisted["entries/"+place], shown = false, shown+1
		}
		root := rootOf(leaf, item.Position, size, steps[min(2, len(steps)):])
		need(bytes.Equal(root, plain(note[2])), "the proof of "+place+" does not lead to the root")
	}
	for name, is := range unlisted {
		need(!is, "nothing lists "+name)
	}
	fmt.Println(shown, "entries and", len(all)-shown, "hashes proved in a tree of", size)
}
