import { html, nothing } from "../vendor/lit/index.js";
import { scene } from "../art/scenes.js";
import { gameTitle } from "../i18n/games.js";

/** @import { PlayableGame } from "../api/http-types.js" */

/** Fields of the forms that create tables and tournaments. Their styles are in `creation-styles.js`. */

/**
 * Render a list to select from, with its label and an optional hint.
 *
 * @template {string | number} T
 * @param {{id: string, words: string, value: T, choices: T[], label: (choice: T) => unknown, hint?: string, onChange: (value: T) => void}} field
 */
export function selectField({ id, words, value, choices, label, hint = "", onChange }) {
  return html`<div class="field">
    <label for=${id}>${words}</label>
    <select id=${id} @change=${(/** @type {Event} */ event) => onChange(choices[/** @type {HTMLSelectElement} */ (event.target).selectedIndex])}>
      ${choices.map((each) => html`<option value=${each} ?selected=${each === value}>${label(each)}</option>`)}
    </select>
    ${hint ? html`<small>${hint}</small>` : nothing}
  </div>`;
}

/**
 * Render a switch with its label and a hint.
 *
 * @param {{words: string, hint: string, checked: boolean, disabled?: boolean, onChange: (checked: boolean) => void}} field
 */
export function switchField({ words, hint, checked, disabled = false, onChange }) {
  return html`<label class="check"><span>${words}<small>${hint}</small></span>
    <input type="checkbox" .checked=${checked} ?disabled=${disabled}
      @change=${(/** @type {Event} */ event) => onChange(/** @type {HTMLInputElement} */ (event.target).checked)}></label>`;
}

/**
 * Render a number with buttons for one less and one more.
 *
 * @param {{id: string, words: string, value: number, range: [number, number], less: string, more: string, onChange: (value: number) => void}} field
 */
export function stepsField({ id, words, value, range: [least, most], less, more, onChange }) {
  return html`<div class="field" role="group" aria-labelledby=${id}>
    <span id=${id}><b>${words}</b></span>
    <div class="steps">
      <button type="button" aria-label=${less} ?disabled=${value <= least} @click=${() => onChange(value - 1)}>−</button>
      <output aria-live="polite">${value}</output>
      <button type="button" aria-label=${more} ?disabled=${value >= most} @click=${() => onChange(value + 1)}>+</button>
    </div>
  </div>`;
}

/**
 * Render the games as pictures to select from.
 *
 * @param {{words: string, games: PlayableGame[], value: PlayableGame, onChange: (game: PlayableGame) => void}} field
 */
export function gamesField({ words, games, value, onChange }) {
  return html`<fieldset>
    <legend class="visually-hidden">${words}</legend>
    <div class="games">
      ${games.map((each) => html`<label class=${each.name}>
        <input type="radio" name="game" value=${each.name} .checked=${each === value} @change=${() => onChange(each)}>
        ${scene(each.name)}${gameTitle(each.name)}</label>`)}
    </div>
  </fieldset>`;
}
