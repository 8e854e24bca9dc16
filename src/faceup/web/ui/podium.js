import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { confetti, rays } from "../art/celebration.js";
import { asPlayer, face } from "../art/faces.js";
import { LanguageController } from "./controllers.js";
import { stageStyles } from "./stage-styles.js";
import { baseStyles } from "./styles.js";

/**
 * A person on a podium. `score` is a text such as "3 wins".
 *
 * @typedef {{name: string, handle?: string | null, face?: string | null, place: number, score: unknown}} Entrant
 */

/** Pieces of confetti. */
const CONFETTI = 42;
/** Number of people on the steps. */
const STEPS = 3;

/** The podium of a party's evening or a tournament: the three best on steps, and a list of the others. Slot: a heading. */
export class StandingsPodium extends LitElement {
  static properties = { entrants: { attribute: false } };
  static styles = [
    baseStyles,
    stageStyles,
    css`
      :host {
        display: block;
      }
      .stage {
        --middle: 45%;
        padding: var(--space-5) var(--space-4) 0;
      }
      .steps {
        display: flex;
        justify-content: center;
        align-items: flex-end;
        gap: 6px;
        margin-top: var(--space-4);
      }
      .steps li {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        justify-items: center;
        flex: 0 1 11rem;
        min-width: 0;
        animation: rise calc(var(--move) * 2) var(--ease) calc((3 - var(--place)) * var(--move)) backwards;
      }
      .steps .face {
        width: min(4.5rem, 70%);
        margin-bottom: -6px;
        border-radius: 50%;
        box-shadow: 0 3px 10px rgb(0 0 0 / 0.4);
      }
      .first .face {
        width: min(6.5rem, 90%);
        box-shadow: 0 0 0 4px #f6cf62, 0 3px 12px rgb(0 0 0 / 0.45);
      }
      .step {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        align-content: start;
        width: 100%;
        min-height: calc(9.5rem - var(--place) * 1.5rem);
        padding: var(--space-3) var(--space-2) var(--space-2);
        border-radius: var(--radius) var(--radius) 0 0;
        color: #2a251d;
        background: linear-gradient(180deg, #fffaf0, #e4d9c2);
      }
      .first .step {
        background: linear-gradient(180deg, #ffe08a, #f5b21c);
      }
      .step b {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        overflow: hidden;
        overflow-wrap: anywhere;
        line-height: 1.2;
        unicode-bidi: isolate;
      }
      @container (max-width: 26rem) {
        .step b {
          font-size: var(--text--1);
        }
      }
      .step em {
        font: 800 var(--text-3) / 1.2 var(--figures);
      }
      .step small {
        font-size: var(--text--1);
        line-height: 1.25;
        hyphens: auto;
      }
      /* On phones with text of twice the size, the steps are rows, and names are never cut. */
      @container (max-width: 16rem) {
        .steps {
          flex-direction: column;
          align-items: stretch;
          padding-bottom: var(--space-4);
        }
        .steps li {
          order: var(--place);
          flex: none;
          grid-template-columns: 2.5rem minmax(0, 1fr);
          align-items: center;
          gap: var(--space-2);
        }
        .steps .face,
        .first .face {
          width: 100%;
          margin: 0;
        }
        .step {
          min-height: 0;
          padding: var(--space-2);
          border-radius: var(--radius);
        }
        .step b {
          display: block;
        }
        .others li {
          flex-wrap: wrap;
        }
        .others .cut {
          order: 1;
          flex-basis: 100%;
          white-space: normal;
          overflow-wrap: anywhere;
        }
      }
      .others {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
        gap: var(--space-2);
        margin-top: var(--space-3);
      }
      .others li {
        gap: var(--space-3);
        padding: var(--space-1) var(--space-3);
      }
      .others .face {
        width: 2.25rem;
      }
      .others em {
        min-width: 1.5em;
        font: 800 var(--text-1) / 1 var(--figures);
      }
      @keyframes rise {
        from {
          transform: translateY(40%);
          opacity: 0;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Entrant[]} The people, the best first. */
    this.entrants = [];
    new LanguageController(this);
  }

  /** @param {Entrant} entrant */
  #renderStep(entrant) {
    const { name, place, score } = entrant;
    return html`<li class=${place === 1 ? "first" : ""} .style=${`--place: ${place}`}>
      ${face(asPlayer(entrant))}
      <div class="step"><em>${place}</em><b>${name}</b><small>${score}</small></div></li>`;
  }

  /** @param {Entrant} entrant */
  #renderOther(entrant) {
    const { name, place, score } = entrant;
    return html`<li class="aligned sunken"><em>${place}</em>${face(asPlayer(entrant))}<b class="grow cut">${name}</b><small class="soft">${score}</small></li>`;
  }

  render() {
    const best = this.entrants.slice(0, STEPS);
    // The best is in the middle. Screen readers and narrow zoom follow the same order as the eyes.
    const order = best.length === STEPS ? [best[1], best[0], best[2]] : best.length === 2 ? [best[1], best[0]] : best;
    const others = this.entrants.slice(STEPS);
    return html`<div class="stage">
        <div class="light">${rays()}</div>
        <div class="paper" aria-hidden="true">${confetti(CONFETTI)}</div>
        <slot></slot>
        <ul class="steps">${order.map((entrant) => this.#renderStep(entrant))}</ul>
      </div>
      ${others.length ? html`<ul class="others">${others.map((entrant) => this.#renderOther(entrant))}</ul>` : nothing}`;
  }
}
customElements.define("standings-podium", StandingsPodium);
