// Keeps the parts of the page up to date. Without it the page is right as it was loaded.
"use strict";

const said = document.getElementById("live");
const parts = [...document.querySelectorAll("main > .part")];
const again = 2000; // milliseconds until the next attempt to connect
let source;

function connect() {
  source?.close();
  const shown = parts.map((part) => part.id + "." + part.dataset.sum);
  source = new EventSource("/events?" + new URLSearchParams({ page: location.pathname + location.search, parts: shown }));
  source.onopen = () => say("up to date", "on");
  source.onerror = () => {
    source.close();
    say("no connection: the figures are old", "off");
    setTimeout(() => document.hidden || connect(), again);
  };
  source.addEventListener("gone", () => { source.close(); location.reload(); });
  source.onmessage = (event) => {
    const { id, sum, html } = JSON.parse(event.data);
    const part = document.getElementById(id);
    const now = document.createElement("template");
    now.innerHTML = html; // the server has escaped it, and the policy of the page runs no script in it
    const focused = part.contains(document.activeElement) && address(document.activeElement);
    become(part, now.content);
    part.dataset.sum = sum;
    if (focused && address(document.activeElement) !== focused) {
      [...part.querySelectorAll("a, summary, [tabindex]")].find((e) => address(e) === focused)?.focus({ preventScroll: true });
    }
  };
}

function say(text, state) {
  said.textContent = text;
  said.className = "live " + state;
}

// address is what an element is found by when its part has changed.
function address(element) {
  return element.id || element.getAttribute("href") || element.tagName;
}

// become gives an element the children of another one. It changes only what differs, so that
// scrolled boxes, selected text and opened details stay as they are.
function become(old, now) {
  const were = [...old.childNodes];
  const are = [...now.childNodes];
  are.forEach((node, i) => {
    const was = were[i];
    if (!was) {
      old.append(node);
    } else if (was.nodeName !== node.nodeName) {
      was.replaceWith(node);
    } else if (node instanceof Element) {
      take(was, node);
      become(was, node);
    } else if (was.data !== node.data) {
      was.data = node.data;
    }
  });
  were.slice(are.length).forEach((node) => node.remove());
}

// take gives an element the attributes of another one, but leaves opened details open.
function take(old, now) {
  for (const { name, value } of [...now.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!now.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
}

// Nothing is made for a page that nobody sees.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    source?.close();
    say("paused", "");
  } else {
    connect();
  }
});
addEventListener("pagehide", () => source?.close());
addEventListener("pageshow", (event) => event.persisted && connect());

document.hidden || connect();
