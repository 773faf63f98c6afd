// Check an evidence pack's proofs and checkpoint: go run . FILE KEY
package main

import (
	"archive/zip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func need(holds bool, reason any) {
	if !holds {
		fmt.Println("REFUSED:", reason)
		os.Exit(4)
	}
}
func must[T any](value T, err error) T { need(err == nil, err); return value }
func main() {
	need(len(os.Args) == 3, "go run . FILE KEY")
	pack, unlisted, shown := must(zip.OpenReader(os.Args[1])), map[string]bool{}, 0
	for _, file := range pack.File {
		need(file.Method == zip.Store, "a member is compressed: "+file.Name)
		unlisted[file.Name] = strings.HasPrefix(file.Name, "entries/")
	}
	read := func(name string) []byte { return must(fs.ReadFile(pack, name)) } // refused if there twice
	key, signatures := must(note.NewVerifier(os.Args[2])), strings.Count(string(read("checkpoint")), "\n— ")
	lines := strings.Split(must(note.Open(read("checkpoint"), note.VerifierList(key))).Text, "\n")
	need(signatures == 1 && len(lines) == 4 && lines[0] == key.Name(), "this is not the ledger's checkpoint")
	size, root := int64(0), must(tlog.ParseHash(lines[2]))
	must(fmt.Sscan(lines[1], &size))
	var manifest struct {
		Schemas, Facts []struct {
			Position int64
			Leaf     string
			Shown    bool
		}
	}
	must(0, json.Unmarshal(read("manifest.json"), &manifest))
	all := append(manifest.Schemas, manifest.Facts...)
	for _, item := range all {
		place, leaf, proof := fmt.Sprintf("%012d", item.Position), tlog.Hash{}, tlog.RecordProof{}
		copy(leaf[:], must(hex.DecodeString(item.Leaf)))
		head, _, _ := strings.Cut(string(read("proofs/"+place+".proof")), "\n\n")
		words := strings.Fields(head) // c2sp.org/tlog-proof@v1, index, its number, then the steps
		need(len(words) > 2, "this is no proof: "+place)
		for _, step := range words[3:] {
			proof = append(proof, must(tlog.ParseHash(step)))
		}
		if item.Shown {
			need(leaf == tlog.RecordHash(read("entries/"+place)), "entry "+place+" is not its leaf")
			unlisted["entries/"+place], shown = false, shown+1
		}
		must(0, tlog.CheckRecord(proof, size, root, item.Position, leaf))
	}
	for name, is := range unlisted {
		need(!is, "nothing lists "+name)
	}
	fmt.Println(shown, "entries and", len(all)-shown, "hashes proved in a tree of", size)
}
