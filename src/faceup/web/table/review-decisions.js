import { BULL_HEAD } from "../art/heads.js";
import { formatNumber, formatPercent } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { baseStyles } from "../ui/styles.js";
import { LitElement, css, html } from "../vendor/lit/index.js";
import { COSTLY, actionText, gradeLabel, gradeStyles, turnText } from "./review-text.js";
import { renderSpreads, spreadStyles } from "./review-spread.js";
import { stepLink } from "../ui/step-link.js";

/** @import { Estimate, ReviewOption, ReviewStep } from "../api/review-stream.js" */

/** By game, the modules that draw and explain positions. */
const POSITIONS = {
  nimmt: async () => ({ ...(await import("../games/nimmt/review-position.js")), ...(await import("../games/nimmt/hint-text.js")) }),
};

/** Reviewed decisions, each with its grade; the details with all options are rendered when a decision is opened. */
export class ReviewDecisions extends LitElement {
  static properties = {
    steps: { attribute: false },
    names: { attribute: false },
    game: {},
    table: {},
    several: { type: Boolean },
    named: { type: Boolean },
    opened: { state: true },
    positions: { state: true },
  };
  static styles = [
    baseStyles,
    gradeStyles,
    spreadStyles,
    css`
      :host {
        display: grid;
        gap: 4px;
        container-type: inline-size;
      }
      details {
        border-radius: var(--radius-small);
        background: var(--raised);
        box-shadow: var(--low);
      }
      summary {
        display: grid;
        grid-template-columns: minmax(3.6em, auto) minmax(0, 1fr) auto;
        align-items: center;
        gap: 0 var(--space-3);
        padding: var(--space-1) var(--space-3);
        list-style: none;
        border-radius: var(--radius-small);
      }
      summary::-webkit-details-marker {
        display: none;
      }
      summary:hover {
        background: var(--sunken);
      }
      summary .chosen {
        font-weight: 650;
      }
      .took {
        margin-inline-start: var(--space-2);
        color: var(--danger);
        white-space: nowrap;
      }
      .took svg {
        width: 15px;
        height: 15px;
        margin-inline-start: 2px;
        vertical-align: -2px;
        fill: currentColor;
      }
      .opened {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
        align-items: start;
        gap: var(--space-3);
        padding: var(--space-2) var(--space-3) var(--space-3);
      }
      .opened a {
        display: inline-flex;
        align-items: center;
        min-height: var(--target);
        font-weight: 600;
      }
      .position {
        justify-self: start;
      }
      .scroll {
        grid-column: 1 / -1;
        overflow-x: auto;
      }
      th,
      td {
        padding: 5px 6px;
        text-align: end;
        white-space: nowrap;
        font-weight: 400;
      }
      thead th {
        color: var(--ink-soft);
        white-space: normal;
        line-height: 1.2;
        vertical-align: bottom;
      }
      th:first-child {
        text-align: start;
      }
      .mine th,
      .mine td {
        font-weight: 700;
        background: color-mix(in srgb, var(--accent) 14%, transparent);
      }
      .heads {
        display: inline-block;
        width: clamp(30px, 12vw, 120px);
        height: 9px;
        margin-inline-end: 6px;
        text-align: start;
      }
      .heads i {
        display: block;
        height: 100%;
        border-radius: 4px;
        background: var(--accent);
        transform: scaleX(var(--part));
        transform-origin: left;
      }
      @container (max-width: 26.25rem) {
        .heads {
          display: none;
        }
        th,
        td {
          padding-inline: 4px;
        }
        summary {
          gap: 0 var(--space-2);
          padding-inline: var(--space-2);
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {ReviewStep[]} */
    this.steps = [];
    /** @type {string[]} */
    this.names = [];
    this.game = "";
    this.table = "";
    /** Whether the game has several deals. */
    this.several = false;
    /** Whether to show the name of each seat. */
    this.named = false;
    /** Decisions that have been opened. @type {ReadonlySet<ReviewStep>} */
    this.opened = new Set();
    /** @type {Awaited<ReturnType<typeof POSITIONS.nimmt>> | null} */
    this.positions = null;
    new LanguageController(this);
  }

  render() {
    return html`${this.steps.map((step) => html`<details @toggle=${(/** @type {Event} */ event) => this.#toggle(event, step)}>
      <summary>
        <span class="turn soft small">${this.named ? this.names[step.seat] : turnText(step, this.several)}</span>
        <span class="chosen">${actionText(this.game, step.chosen)}${step.by === "clock" ? html`<span class="soft">${t("table.parenthesis", { text: t("review.by_timer") })}</span>` : ""}
          ${step.heads ? html`<span class="took figures"><span aria-hidden="true">+${step.heads}<svg viewBox="0 0 24 24"><path d=${BULL_HEAD} /></svg></span>
            <span class="visually-hidden">${t("review.takes", { count: step.heads })}</span></span>` : ""}</span>
        ${gradeLabel(step.grade)}
      </summary>
      ${this.opened.has(step) ? this.#renderOpened(step) : ""}
    </details>`)}`;
  }

  /**
   * @param {Event} event
   * @param {ReviewStep} step
   */
  async #toggle(event, step) {
    if (!(/** @type {HTMLDetailsElement} */ (event.target).open)) return;
    this.opened = new Set([...this.opened, step]);
    if (this.positions || !Object.hasOwn(POSITIONS, this.game)) return;
    this.positions = await POSITIONS[/** @type {keyof typeof POSITIONS} */ (this.game)]();
    const root = this.renderRoot;
    const sheet = this.positions.positionStyles.styleSheet;
    if (root instanceof ShadowRoot && sheet) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }

  /** @param {ReviewStep} step */
  #renderOpened(step) {
    const { options, chosen, best, position } = step;
    const most = Math.max(...options.map(({ heads }) => heads.value)) || 1;
    const compared = [options.find(({ action }) => action === best), options.find(({ action }) => action === chosen)];
    return html`<div class="opened">
      ${this.positions ? html`${this.positions.renderPosition(position, chosen, best, this.positions.rowMarks(options, chosen))}<p>${this.positions.explain(options, chosen)}</p>` : ""}
      ${COSTLY.has(step.grade) ? renderSpreads(compared[0], compared[1]) : ""}
      <div class="scroll" role="region" tabindex="0" aria-label=${t("review.options")}><table class="small figures">
        <thead><tr><th scope="col">${t("review.option")}</th><th scope="col">${t("review.heads")}</th><th scope="col">${t("review.behind")}</th>
          <th scope="col">${t("review.win")}</th><th scope="col">${t("review.risk")}</th></tr></thead>
        <tbody>${options.map((option) => this.#renderOption(option, option.action === chosen, most))}</tbody>
      </table></div>
      <div>${stepLink(this.table, step, t("review.show"))}</div>
    </div>`;
  }

  /**
   * @param {ReviewOption} option
   * @param {boolean} isChosen whether it was chosen
   * @param {number} most greatest expected heads of all options
   */
  #renderOption({ action, heads, behind, win, risk }, isChosen, most) {
    return html`<tr class=${isChosen ? "mine" : ""}>
      <th scope="row">${actionText(this.game, action)}${isChosen ? html`<span class="visually-hidden">${t("table.parenthesis", { text: t("review.chosen") })}</span>` : ""}</th>
      <td><span class="heads" aria-hidden="true"><i .style=${`--part: ${Math.max(0, heads.value / most)}`}></i></span>${withError(heads)}</td>
      <td>${behind.value ? withError(behind) : formatNumber(0, 0)}</td><td>${formatPercent(win.value)}</td><td>${formatPercent(risk)}</td>
    </tr>`;
  }
}
customElements.define("review-decisions", ReviewDecisions);

/** @param {Estimate} mean */
function withError({ value, error }) {
  return `${formatNumber(value, 2)} ± ${formatNumber(error, 2)}`;
}
