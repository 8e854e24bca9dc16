"use strict";
// Unpacks the positions of a replay when it is opened, and steps through them. What bots wrote is inserted as text and
// never as HTML. Only the drawings, which the game has made, are inserted as HTML.
for (const replay of document.querySelectorAll("details.replay")) {
  replay.addEventListener("toggle", () => start(replay));
  if (replay.open) start(replay);
}

function make(tag, name, words) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (words !== undefined) element.textContent = words;
  return element;
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

async function start(replay) {
  if (!replay.open || replay.dataset.started) return;
  replay.dataset.started = "yes";
  const { pieces, frames } = await unpack(replay.querySelector("script").textContent);
  const board = replay.querySelector(".board");
  const picture = make("div", "picture");
  const controls = make("div", "controls");
  const answers = make("div", "answers");
  const events = make("p", "events");
  const slider = make("input");
  const count = make("span", "soft");
  let at = 0;
  let seat = null;
  Object.assign(slider, { type: "range", min: 0, max: frames.length - 1, value: 0 });
  slider.setAttribute("aria-label", "position");
  slider.addEventListener("input", () => show(Number(slider.value)));
  const button = (sign, name, act) => {
    const made = make("button", "", sign);
    made.type = "button";
    made.title = name;
    made.setAttribute("aria-label", name);
    made.addEventListener("click", act);
    return made;
  };
  controls.append(
    button("\u2039", "a position back", () => show(at - 1)),
    slider,
    button("\u203a", "a position on", () => show(at + 1)),
    count,
  );
  board.replaceChildren(controls, picture);
  replay.querySelector(".details").prepend(answers, events);
  replay.addEventListener("keydown", (event) => {
    if (event.target === slider || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    show(at + (event.key === "ArrowLeft" ? -1 : 1));
    event.preventDefault();
  });
  const fault = frames.findIndex((frame) => frame.asked.some((decision) => decision.fault));
  show(Math.max(fault, 0));

  function show(next) {
    at = Math.min(Math.max(next, 0), frames.length - 1);
    const frame = frames[at];
    picture.innerHTML = frame.drawn.map((piece) => pieces[piece]).join("");
    slider.value = at;
    count.textContent = `${at + 1} of ${frames.length}`;
    events.textContent = frame.events;
    const guilty = frame.asked.find((decision) => decision.fault);
    if (guilty) seat = guilty.seat;
    const chosen = frame.asked.find((decision) => decision.seat === seat) ?? frame.asked[0];
    const tabs = make("div", "tabs");
    for (const decision of frame.asked) {
      const tab = make("button", decision.fault ? "out" : "");
      tab.type = "button";
      tab.setAttribute("aria-pressed", decision === chosen);
      tab.append(make("span", "", decision.name), make("b", "", decision.answer));
      tab.addEventListener("click", () => {
        seat = decision.seat;
        show(at);
        [...answers.querySelectorAll("button")].find((other) => other.ariaPressed === "true")?.focus();
      });
      tabs.append(tab);
    }
    answers.replaceChildren(tabs);
    if (!chosen) return;
    if (chosen.fault) answers.append(make("p", "note", chosen.fault));
    answers.append(make("h4", "", `${chosen.name} was sent`), make("pre", "", chosen.sent.trimEnd()));
    if (chosen.log) answers.append(make("h4", "", "and wrote to its log"), make("pre", "", chosen.log.trimEnd()));
  }
}

// A link to a replay opens it.
function visit() {
  const element = document.getElementById(location.hash.slice(1));
  if (element?.matches("details.replay")) element.open = true;
}
addEventListener("hashchange", visit);
visit();
