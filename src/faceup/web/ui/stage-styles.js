import { css } from "../vendor/lit/index.js";

/** Styles of a stage with rays of light and confetti. */
export const stageStyles = css`
  :host {
    container-type: inline-size;
  }
  .stage {
    position: relative;
    isolation: isolate;
    overflow: hidden;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    border-radius: calc(var(--radius) * 1.4);
    text-align: center;
    color: #f6f3ea;
    background: radial-gradient(90% 110% at 50% var(--middle), #2f8a72, #17574a 55%, #0d3a31);
    box-shadow: var(--high);
  }
  .light {
    position: absolute;
    z-index: -2;
    left: 50%;
    top: 50%;
    width: 900px;
    height: 900px;
    margin: -450px;
    opacity: 0.09;
  }
  .light svg {
    width: 100%;
    height: 100%;
  }
  .paper {
    position: absolute;
    inset: 0;
    z-index: -1;
  }
  .confetti {
    position: absolute;
    left: calc(var(--x) * 100% - 8px);
    top: calc(var(--y) * 100% - 8px);
    width: calc(12px + var(--wait) * 8px);
    transform: rotate(calc(var(--turn) * 1deg));
    opacity: 0.85;
    animation: fall calc(1400ms + var(--wait) * 1800ms) cubic-bezier(0.25, 0.5, 0.4, 1) calc(var(--wait) * 900ms) backwards;
  }
  @keyframes fall {
    from {
      transform: translateY(-420px) rotate(calc(var(--turn) * 4deg + 700deg));
      opacity: 1;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
    }
  }
`;
