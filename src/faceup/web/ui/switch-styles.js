import { css } from "../vendor/lit/index.js";

/** Styles that make checkboxes look like switches. */
export const switchStyles = css`
  input[type="checkbox"] {
    appearance: none;
    flex: none;
    width: 48px;
    height: 28px;
    min-height: 28px;
    margin: 0;
    padding: 0;
    border-radius: 14px;
    background: var(--ink-soft);
    cursor: pointer;
    transition: background var(--quick) var(--ease);
  }
  input[type="checkbox"]::before {
    content: "";
    display: block;
    width: 22px;
    height: 22px;
    margin: 3px;
    border-radius: 50%;
    background: var(--surface);
    box-shadow: var(--low);
    transition: transform var(--quick) var(--ease);
  }
  input[type="checkbox"]:disabled {
    opacity: 0.45;
    cursor: default;
  }
  input[type="checkbox"]:checked {
    background: var(--accent);
  }
  input[type="checkbox"]:checked::before {
    transform: translateX(20px);
  }
`;
