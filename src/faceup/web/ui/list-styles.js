import { css } from "../vendor/lit/index.js";

/** Styles of the links on the home page that look like a small table. */
export const cardLinkStyles = css`
  .tile {
    gap: var(--space-3);
    min-height: 72px;
    padding: var(--space-2) var(--space-4);
    text-decoration: none;
    transition: transform var(--move) var(--ease), box-shadow var(--move) var(--ease);
  }
  @media (hover: hover) {
    a:hover {
      transform: translateY(-2px);
      box-shadow: var(--highest);
    }
  }
  .words b {
    display: block;
    font-size: var(--text-1);
    line-height: 1.25;
  }
  .words span {
    color: var(--on-felt-soft);
  }
  .streak {
    flex: none;
    font-weight: 700;
    white-space: nowrap;
  }
  .flames {
    display: inline-flex;
    align-items: center;
    gap: 2px;
    font: 800 var(--text-2) / 1 var(--figures);
  }
  .flame {
    width: 28px;
  }
  .go {
    flex: none;
    display: inline-flex;
    align-items: center;
  }
  /* On phones, the cards are tiles in one row, so that the games are in view. Screen readers read their sentences. */
  @media (max-width: 40rem) {
    :host(:not([rows])) :is(a, button.card) {
      flex-direction: column;
      justify-content: center;
      gap: var(--space-2);
      height: 100%;
      padding: var(--space-3) var(--space-1);
      text-align: center;
    }
    :host(:not([rows])) .words {
      flex: none;
      width: 100%;
    }
    :host(:not([rows])) .words b {
      font-size: var(--text--1);
      white-space: normal;
      hyphens: auto;
      overflow-wrap: anywhere;
    }
    :host(:not([rows])) .words span {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    :host(:not([rows])) .go {
      display: none;
    }
  }
`;

/** Styles of the heading of a list and its link. */
export const listHeadStyles = css`
  .head {
    margin-bottom: var(--space-3);
  }
`;
