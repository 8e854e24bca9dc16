let wanted = false;

/** What was asked for; somebody may want it no more before it is there. @type {Promise<WakeLockSentinel | null> | null} */
let asked = null;

/**
 * Keep the screen awake, or let it sleep again. Where a browser cannot (plain http, for one), nothing happens.
 *
 * @param {boolean} on
 */
export function wake(on) {
  wanted = on;
  see();
}

/** Ask once, and let go of what was asked for, also where the answer is still on its way. */
function see() {
  if (wanted && document.visibilityState === "visible") {
    asked ??= ask();
    return;
  }
  void asked?.then((lock) => lock?.release());
  asked = null;
}

async function ask() {
  try {
    return await navigator.wakeLock.request("screen");
  } catch {
    return null; // the browser has none, the battery is low, or the page was hidden meanwhile
  }
}

document.addEventListener("visibilitychange", see);
