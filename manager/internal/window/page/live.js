// Replaces the parts of the page that have changed. Without it the page is right as it was loaded.
"use strict";

const live = document.getElementById("live");
const parts = [...document.querySelectorAll("main > .part")].map((part) => part.id);
const source = new EventSource("/events?" + new URLSearchParams({ page: location.pathname + location.search, parts }));

source.onopen = () => { live.textContent = "live"; live.className = "live on"; };
source.onerror = () => { live.textContent = "no connection"; live.className = "live off"; };
source.addEventListener("gone", () => { source.close(); location.reload(); });
source.onmessage = (event) => {
  const { id, html } = JSON.parse(event.data);
  const part = document.getElementById(id);
  if (!part || part.contains(document.activeElement) && document.activeElement.matches("input, select, textarea")) {
    return; // somebody types here
  }
  const focused = part.contains(document.activeElement) ? address(document.activeElement) : "";
  const open = new Set([...part.querySelectorAll("details[open]")].map(address));
  const scrolled = [...part.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  part.innerHTML = html; // the server has escaped it, and the policy of the page runs no script in it
  part.querySelectorAll(".scroll").forEach((box, i) => { box.scrollLeft = scrolled[i] || 0; });
  part.querySelectorAll("details").forEach((box) => { box.open = box.open || open.has(address(box)); });
  if (focused) {
    [...part.querySelectorAll("a, summary, button, [tabindex]")].find((e) => address(e) === focused)?.focus({ preventScroll: true });
  }
};

// address is what an element of a part is found by when the part was replaced.
function address(element) {
  return element.id || element.getAttribute("href") || element.tagName + element.textContent;
}
