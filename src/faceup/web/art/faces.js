import { nothing, svg } from "../vendor/lit/index.js";
import { STATIC } from "../api/http.js";

/**
 * The animals that people choose from, and the number of colours.
 *
 * A chosen face is written as the animal and the number of the colour, as in "fox-3".
 */
export const ANIMALS = [
  ..."cow cat dog fox bear panda koala rabbit mouse pig sheep goat horse unicorn frog".split(" "),
  ..."chick owl penguin duck lion tiger monkey elephant raccoon hedgehog deer octopus whale dragon sloth".split(" "),
];
export const COLOURS = 10;

/** Names of the characters of bots, in lower case; each has a drawing. */
export const CHARACTERS = new Set([
  ..."clover biscuit daisy pudding hazel otto maple bruno vesper cosmo pepper iris aurora atlas nova regent".split(" "),
  ..."penny magpie lucky mini max weaver monte fathom computer".split(" "),
  ..."pixel echo domino marble button comet pebble lantern".split(" "),
]);

/**
 * @typedef {{name: string, kind: string, handle?: string | null, face?: string | null}} Player a seat of a room view, or a person
 */

/**
 * Return the character of a bot, and the number that distinguishes it from others of the same character: `["clover",
 * " 2"]` for "Clover 2". The character is "" for a person, and for a bot without a character.
 *
 * @param {Pick<Player, "name" | "kind">} player
 * @returns {[string, string]}
 */
export function characterOf({ name, kind }) {
  const [, first, number = ""] = /^(.*?)( \d+)?$/u.exec(name) ?? ["", name];
  const character = first.toLowerCase();
  return kind !== "person" && CHARACTERS.has(character) ? [character, number] : ["", ""];
}

/**
 * Return the drawing and the number of the colour of a player's face, which are the same everywhere. People who chose
 * none get an animal and a colour by their handle, and bots a colour by their name.
 *
 * @param {Player} player
 * @returns {{drawing: string, colour: number}}
 */
export function faceOf(player) {
  const person = player.kind === "person";
  const [animal, chosen] = (player.face ?? "").split("-");
  if (person && ANIMALS.includes(animal)) return { drawing: animal, colour: Number(chosen) };
  let hash = 0;
  for (const letter of player.handle || player.name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  const colour = Math.floor(hash / ANIMALS.length) % COLOURS;
  return { drawing: person ? ANIMALS[hash % ANIMALS.length] : characterOf(player)[0] || "computer", colour };
}

/**
 * Return the number of each seat's colour at a table: that of its player's face or, if an earlier seat has it, a free one.
 *
 * @param {readonly (Player | null)[]} players
 */
export function seatColours(players) {
  const own = players.map((player) => (player ? faceOf(player).colour : undefined));
  const free = Array.from({ length: COLOURS }, (_, colour) => colour).filter((colour) => !own.includes(colour));
  return own.map((colour, seat) => (colour !== undefined && own.indexOf(colour) === seat ? colour : free.shift() ?? seat % COLOURS));
}

/**
 * Return a person of a list as a player.
 *
 * @param {{name: string, handle?: string | null, face?: string | null}} person
 * @returns {Player}
 */
export function asPlayer({ name, handle, face: chosen }) {
  return { name, kind: "person", handle: handle ?? undefined, face: chosen ?? undefined };
}

/**
 * Draw the face of a seat's player in a 100 by 100 square, without an accessible name: the name stands next to it.
 *
 * @param {Player | null | undefined} player a seat of the room view; null for an empty seat
 * @param {number} [seat] number of an empty seat
 * @param {boolean} [loaded] whether to load the drawing now; otherwise only the disc appears
 */
export function face(player, seat = 0, loaded = true) {
  if (!player) {
    return svg`<svg class="face" viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="46" fill="none" stroke="currentColor" stroke-width="4" stroke-dasharray="9 9" opacity="0.5" />
      ${initial(`${seat + 1}`, "currentColor")}
    </svg>`;
  }
  const { drawing, colour } = faceOf(player);
  return svg`<svg class="face" viewBox="0 0 100 100" aria-hidden="true">${disc(drawing, colour, player.name, loaded)}</svg>`;
}

/**
 * Addresses of drawings, by name, in a replay that is one file; null on a server.
 *
 * @type {Record<string, string> | null}
 */
const EMBEDDED = JSON.parse(document.getElementById("faces")?.textContent ?? "null");

/** Return the address of a drawing. @param {string} drawing */
function addressOf(drawing) {
  return EMBEDDED?.[drawing] ?? `${STATIC}/faces/${drawing}.svg`;
}

/**
 * Draw a disc of a colour with a drawing on it. If the drawing cannot be loaded, the first letter of the
 * name appears.
 *
 * @param {string} drawing
 * @param {number} colour
 * @param {string} name
 * @param {boolean} [loaded]
 */
export function disc(drawing, colour, name, loaded = true) {
  /** @param {Event} event */
  const lost = ({ currentTarget }) => /** @type {Element} */ (currentTarget).previousElementSibling?.removeAttribute("visibility");
  return svg`<circle cx="50" cy="50" r="50" .style=${`fill: var(--seat-${colour % COLOURS})`} />
    ${initial([...name][0]?.toUpperCase() ?? "?", "#fff", "hidden")}
    <image href=${loaded ? addressOf(drawing) : nothing} x="7" y="7" width="86" height="86" @error=${lost} />`;
}

/**
 * @param {string} letter
 * @param {string} fill
 * @param {string} [visibility]
 */
function initial(letter, fill, visibility = "visible") {
  return svg`<text x="50" y="53" text-anchor="middle" dominant-baseline="middle" font-size="46" font-weight="700" fill=${fill}
    visibility=${visibility}>${letter}</text>`;
}
