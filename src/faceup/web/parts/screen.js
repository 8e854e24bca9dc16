import { css } from "../vendor/lit/index.js";

/** A page that is all game: as high as the screen, and above it one line with a way back and a title. */
export const screen = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100vh;
    min-height: 100dvh;
  }
  header {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-1) var(--space-2);
  }
  header h1 {
    flex: 1;
    min-width: 0;
    font-size: var(--text-0);
    font-weight: 650;
    letter-spacing: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  @media (max-height: 660px) {
    header {
      padding-block: 0;
    }
  }
`;
