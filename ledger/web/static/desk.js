// Keys and stepping without a page load. Everything here can be done by links and buttons as well.
"use strict";
(() => {
  const board = () => document.getElementById("board");
  const boards = new Map(); // step -> promise of the board after so many facts
  const address = (step) => `${location.pathname}?step=${step}`;

  function boardAt(step) {
    if (!boards.has(step)) {
      boards.set(step, fetch(`${address(step)}&part=board`, { credentials: "same-origin", redirect: "error" })
        .then((answer) => { if (!answer.ok) throw new Error("refused"); return answer.text(); })
        .then((text) => document.importNode(new DOMParser().parseFromString(text, "text/html").getElementById("board"), true)));
    }
    return boards.get(step);
  }

  let wanted = null;
  async function show(step) {
    const last = Number(board().dataset.last);
    if (step < 0 || step > last) return;
    wanted = step;
    let next;
    try { next = await boardAt(step); } catch { location.assign(address(step)); return; }
    if (wanted !== step) return;
    board().replaceWith(next);
    for (const row of document.querySelectorAll("#timeline tr[data-step]")) {
      const own = Number(row.dataset.step);
      row.classList.toggle("at", own === step);
      row.classList.toggle("later", own > step);
      if (own === step) { row.setAttribute("aria-current", "step"); near(row); } else row.removeAttribute("aria-current");
    }
    history.replaceState(null, "", address(step));
    ahead(step, last);
  }

  function near(row) { // scroll the list, never the page
    const list = row.closest(".scroll");
    const top = row.offsetTop, end = top + row.offsetHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (end > list.scrollTop + list.clientHeight) list.scrollTop = end - list.clientHeight;
  }

  function ahead(step, last) { // a key that is held down finds its boards there
    for (const next of [step + 1, step - 1, step + 2, step + 3]) if (next >= 0 && next <= last) boardAt(next).catch(() => boards.delete(next));
  }

  function reach(part) { // a link is followed, a closed part opens, a field is written in
    if (part.matches("a")) { part.click(); return; }
    if (part.matches("details")) part.open = true;
    const field = part.matches("details") ? part.querySelector("input:not([type=hidden]), select, textarea, button") : part;
    field.focus();
    field.scrollIntoView({ block: "center" });
  }

  function showKeys(isOpen) { // above the page, wherever it is scrolled to
    const keys = document.getElementById("keys");
    if (!keys) return;
    keys.open = isOpen;
    keys.classList.toggle("above", isOpen);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#board .steps a, #timeline a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(Number(new URL(link.href).searchParams.get("step")));
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select")) { if (event.key === "Escape") event.target.blur(); return; }
    const step = board() ? Number(wanted ?? board().dataset.step) : null;
    const acts = {
      "/": () => document.getElementById("line")?.focus(),
      "?": () => showKeys(!document.getElementById("keys")?.open),
      Escape: () => showKeys(false),
      j: () => document.getElementById("next-round")?.click(),
      k: () => document.getElementById("previous-round")?.click(),
    };
    const rows = [...document.querySelectorAll("[data-row]")];
    if (rows.length) { // a list: the lines by keys, Enter opens
      const here = rows.indexOf(document.activeElement);
      acts.j = () => rows[Math.min(here + 1, rows.length - 1)].focus();
      acts.k = () => rows[Math.max(here - 1, 0)].focus();
    }
    const own = /^[a-z]$/.test(event.key) && document.querySelector(`[data-key~="${event.key}"]`);
    if (own) acts[event.key] = () => reach(own);
    if (step !== null) Object.assign(acts, { ArrowRight: () => show(step + 1), ArrowLeft: () => show(step - 1), Home: () => show(0), End: () => show(Number(board().dataset.last)) });
    if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
  });

  const live = document.getElementById("live");
  async function refresh() { // never under somebody's fingers, never unseen
    const own = document.getElementById("live");
    if (document.hidden || own.contains(document.activeElement) || !getSelection().isCollapsed) return;
    const known = new Set([...own.querySelectorAll("[data-id]")].map((row) => row.dataset.id));
    try {
      const answer = await fetch(location.pathname, { redirect: "error", headers: { "X-Desk-Refresh": "1" } });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = document.importNode(page.getElementById("live"), true);
      const fresh = [...next.querySelectorAll("[data-id]")].filter((row) => !known.has(row.dataset.id));
      for (const row of fresh) row.classList.add("fresh");
      if (fresh.length) next.querySelector("#arrived").textContent = fresh.length === 1 ? "One line is new." : `${fresh.length} lines are new.`;
      own.replaceWith(next);
    } catch { /* the time above says how old the page is */ }
  }

  if (live) { // told when the record grew; by the clock where nothing can be told
    setInterval(refresh, 1000 * Number(live.dataset.refresh));
    new EventSource(`${location.pathname}/events`).addEventListener("grown", refresh);
  }

  const canPasskey = window.PublicKeyCredential?.parseCreationOptionsFromJSON && !/^[\d.:[\]]+$/.test(location.hostname);
  for (const button of canPasskey ? document.querySelectorAll("[data-passkey]") : []) {
    button.closest("[data-passkey-part]").hidden = false;
    for (const none of button.form.querySelectorAll("[data-passkey-none]")) none.hidden = true;
    button.addEventListener("click", () => passkey(button));
  }

  document.addEventListener("submit", (event) => { // who has a passkey and entered no code is asked for it
    const form = event.target, button = canPasskey && form.querySelector("[data-passkey=use]");
    if (!button || form.matches(".sign-in") || form.elements.passkey.value || form.elements.code?.value) return;
    event.preventDefault();
    passkey(button);
  });

  async function passkey(button) { // asks the device, and sends the form with what it signed
    const form = button.form, purpose = button.dataset.passkey, isNew = purpose === "create";
    const says = button.parentElement.querySelector("[data-passkey-says]");
    if (form.elements.pass_phrase && !form.elements.pass_phrase.reportValidity()) return;
    try {
      const body = new URLSearchParams({ token: form.elements.token.value, purpose });
      const answer = await fetch("/passkey/challenge", { method: "POST", body });
      const options = await answer.json();
      if (!answer.ok) { says.textContent = options.problem; return; }
      const publicKey = isNew ? PublicKeyCredential.parseCreationOptionsFromJSON(options) : PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const made = await navigator.credentials[isNew ? "create" : "get"]({ publicKey });
      form.elements[isNew ? "created" : "passkey"].value = JSON.stringify(made.toJSON());
    } catch (error) { says.textContent = error.name === "InvalidStateError" ? "This device has a passkey for you already." : "No passkey was used. Try again."; return; }
    if (!isNew && form.elements.created && !form.elements.created.value) says.textContent = "Taken. Now make the new one.";
    else form.requestSubmit();
  }

  const named = document.getElementById(location.hash.slice(1));
  if (named?.matches("input, select, textarea")) { // a link into a form leads into its field
    if (named.closest("details")) named.closest("details").open = true;
    reach(named);
  }

  const current = document.querySelector("#timeline tr.at");
  if (current) near(current);
  if (board()) ahead(Number(board().dataset.step), Number(board().dataset.last));
})();
