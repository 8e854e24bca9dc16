import { css, html, nothing } from "../vendor/lit/index.js";
import { scene, sceneStyles } from "../art/scenes.js";
import { gameTitle } from "../i18n/games.js";

/** Fields of the forms that create tables and tournaments. Their styles are in `creation-styles.js`, those of the games here. */

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
      ${choices.map((choice) => html`<option value=${choice} ?selected=${choice === value}>${label(choice)}</option>`)}
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
  return html`<label class="switch"><span>${words}<small class="soft">${hint}</small></span>
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
    <div class="steps aligned">
      <button type="button" aria-label=${less} ?disabled=${value <= least} @click=${() => onChange(value - 1)}>−</button>
      <output aria-live="polite">${value}</output>
      <button type="button" aria-label=${more} ?disabled=${value >= most} @click=${() => onChange(value + 1)}>+</button>
    </div>
  </div>`;
}

/** Styles of `gamesField`. */
export const gamesStyles = [
  sceneStyles,
  css`
    .games {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(6.2rem, 1fr));
      gap: var(--space-3);
    }
    .games label {
      position: relative;
      border-radius: var(--radius);
      overflow: hidden;
      background: var(--game, var(--surface));
      box-shadow: var(--low);
      cursor: pointer;
      text-align: center;
      padding-bottom: var(--space-2);
    }
    .games label > svg {
      display: block;
      width: 100%;
      aspect-ratio: 16 / 9;
      background: var(--ground);
      margin-bottom: var(--space-2);
    }
    .games input {
      opacity: 0;
      margin: 0;
      cursor: pointer;
    }
    .games label:has(:checked) {
      box-shadow: 0 0 0 3px var(--chosen, var(--accent)), var(--high);
    }
    .games label:has(:checked)::after {
      content: "✓";
      position: absolute;
      top: 6px;
      inset-inline-end: 6px;
      width: 24px;
      height: 24px;
      border-radius: 50%;
      background: var(--chosen, var(--accent));
      color: var(--on-chosen, var(--on-accent));
      font-weight: 800;
      line-height: 24px;
    }
    .games label:has(:focus-visible) {
      outline: 3px solid var(--ring, var(--focus));
      outline-offset: 3px;
    }
  `,
];

/**
 * Render the games as pictures to select from.
 *
 * @template {{name: string}} T
 * @param {{words: string, games: T[], value: T, onChange: (game: T) => void}} field
 */
export function gamesField({ words, games, value, onChange }) {
  return html`<fieldset>
    <legend class="visually-hidden">${words}</legend>
    <div class="games">
      ${games.map((game) => html`<label class=${game.name}>
        <input class="covering" type="radio" name="game" value=${game.name} .checked=${game.name === value.name} @change=${() => onChange(game)}>
        ${scene(game.name)}${gameTitle(game.name)}</label>`)}
    </div>
  </fieldset>`;
}
