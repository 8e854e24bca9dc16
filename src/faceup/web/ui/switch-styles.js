import { css } from "../vendor/lit/index.js";

/** Styles that make checkboxes look like switches, and their labels (`switch`) lines with a hint, if any. */
export const switchStyles = css`
  .switch {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    min-height: var(--target);
    cursor: pointer;
  }
  .switch span {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .switch small {
    display: block;
    font-weight: 400;
  }
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
  @media (forced-colors: active) {
    input[type="checkbox"] {
      appearance: auto;
      width: 28px;
    }
    input[type="checkbox"]::before {
      content: none;
    }
  }
`;
