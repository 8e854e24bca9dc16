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
