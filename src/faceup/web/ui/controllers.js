/** @import { LitElement } from "../vendor/lit/index.js" */

/**
 * A controller that handles events while its element is connected. By default, each event renders the element again.
 */
export class EventController {
  #source;
  #event;
  #handle;

  /**
   * @param {LitElement} host
   * @param {EventTarget} source
   * @param {string} event
   * @param {() => unknown} [handle]
   */
  constructor(host, source, event, handle = () => host.requestUpdate()) {
    this.#source = source;
    this.#event = event;
    this.#handle = handle;
    host.addController(this);
  }

  hostConnected() {
    this.#source.addEventListener(this.#event, this.#handle);
  }

  hostDisconnected() {
    this.#source.removeEventListener(this.#event, this.#handle);
  }
}

/**
 * A controller that handles changes of the language while its element is connected. By default, it renders the element
 * again.
 */
export class LanguageController extends EventController {
  /**
   * @param {LitElement} host
   * @param {() => unknown} [handle]
   */
  constructor(host, handle) {
    super(host, window, "language", handle);
  }
}

/** A controller that calls a function when a new day has started on this device, while its element is connected. */
export class DayController {
  #handle;
  #day = "";
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /**
   * @param {LitElement} host
   * @param {() => unknown} handle
   */
  constructor(host, handle) {
    this.#handle = handle;
    host.addController(this);
  }

  hostConnected() {
    this.#day = new Date().toDateString();
    this.#timer = setInterval(() => {
      const day = new Date().toDateString();
      if (day === this.#day) return;
      this.#day = day;
      this.#handle();
    }, 1000);
  }

  hostDisconnected() {
    clearInterval(this.#timer);
  }
}

/** A controller that observes the width of its element, and the size of text, while it is connected. */
export class WidthController extends EventController {
  #host;
  #observer;

  /**
   * @param {LitElement} host
   * @param {(width: number, rem: number) => void} handle gets the width in pixels and in rem, at first and whenever one changes
   */
  constructor(host, handle) {
    super(host, window, "settings", () => this.#observer.observe(host)); // reports the width again
    this.#host = host;
    this.#observer = new ResizeObserver(([entry]) => {
      const { width } = entry.contentRect;
      handle(width, width / parseFloat(getComputedStyle(document.documentElement).fontSize));
    });
  }

  hostConnected() {
    super.hostConnected();
    this.#observer.observe(this.#host);
  }

  hostDisconnected() {
    super.hostDisconnected();
    this.#observer.disconnect();
  }
}
