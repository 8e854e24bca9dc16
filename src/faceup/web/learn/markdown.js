import { html } from "../vendor/lit/index.js";
import { figure } from "./figures.js";
import { joinTexts } from "../i18n/format.js";

/**
 * Render a small subset of Markdown: headings, paragraphs, lists, tables, **bold**, *emphasis* and `code`.
 * A fenced block is a figure. Everything else is text, so no input can inject markup.
 *
 * @param {string} text
 */
export function markdown(text) {
  return blocks(text).map(block);
}

/**
 * Split a text at empty lines outside of fences.
 *
 * @param {string} text
 */
function blocks(text) {
  /** @type {string[]} */
  const parts = [""];
  let fenced = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    if (!line.trim() && !fenced) parts.push("");
    else parts[parts.length - 1] += `${line}\n`;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** @param {string} text */
function block(text) {
  const fence = /^```(\w*)\n([\s\S]*?)\n?```$/.exec(text);
  if (fence) return figure(fence[1], fence[2]);
  const heading = /^(#{2,3}) (.*)$/.exec(text);
  if (heading) return heading[1] === "##" ? html`<h2>${inline(heading[2])}</h2>` : html`<h3>${inline(heading[2])}</h3>`;
  if (text.startsWith("|")) return table(text);
  if (text.startsWith("- ")) return html`<ul>${items(text, /^- /gm)}</ul>`;
  if (text.startsWith("1. ")) return html`<ol>${items(text, /^\d+\. /gm)}</ol>`;
  return html`<p>${inline(text)}</p>`;
}

/**
 * @param {string} text
 * @param {RegExp} mark start of an item
 */
function items(text, mark) {
  return text.split(mark).slice(1).map((item) => html`<li>${inline(item)}</li>`);
}

/** @param {string} text */
function table(text) {
  const [head, , ...rows] = text.split("\n").map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  return html`<div class="wide surface" tabindex="0" role="region" aria-label=${joinTexts(head)}><table class="small">
    <thead><tr>${head.map((cell) => html`<th class="soft" scope="col">${inline(cell)}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** @param {string} text */
function inline(text) {
  const parts = text.replace(/[ \n]+/g, " ").trim().split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/);
  return parts.map((part) => {
    if (/^\*\*.+\*\*$/.test(part)) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (/^\*.+\*$/.test(part)) return html`<em>${part.slice(1, -1)}</em>`;
    return /^`.+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part;
  });
}
