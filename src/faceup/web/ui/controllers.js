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

/** A controller that observes the width of its element while it is connected. */
export class WidthController {
  #host;
  #observer;

  /**
   * @param {LitElement} host
   * @param {(width: number) => void} handle gets the width in pixels, at first and whenever it changes
   */
  constructor(host, handle) {
    this.#host = host;
    this.#observer = new ResizeObserver(([entry]) => handle(entry.contentRect.width));
    host.addController(this);
  }

  hostConnected() {
    this.#observer.observe(this.#host);
  }

  hostDisconnected() {
    this.#observer.disconnect();
  }
}
