import { css } from "../vendor/lit/index.js";

/** Styles that make radio buttons, or buttons that are pressed, look like a segmented control, in an element with the class `segments`. */
export const segmentStyles = css`
  .segments {
    display: flex;
    padding: 3px;
    border-radius: var(--radius-small);
    background: var(--sunken);
  }
  .segments :is(label, button) {
    position: relative;
    display: grid;
    place-items: center;
    text-align: center;
    min-height: 38px;
    padding: 2px var(--space-3);
    border-radius: 7px;
    font-size: var(--text--1);
    font-weight: 500;
    cursor: pointer;
  }
  .segments :is(label:has(:checked), [aria-pressed="true"]) {
    font-weight: 700;
    background: var(--raised);
    box-shadow: var(--low);
  }
  .segments label:has(:focus-visible) {
    outline: 3px solid var(--focus);
  }
  .segments input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
`;
