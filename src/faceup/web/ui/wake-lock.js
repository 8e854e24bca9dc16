let isWanted = false;

/** Pending or active lock. @type {Promise<WakeLockSentinel | null> | null} */
let lock = null;

/**
 * Keep the screen awake, or allow it to turn off again. Browsers without wake locks, for example on plain HTTP, ignore
 * this.
 *
 * @param {boolean} on
 */
export function keepAwake(on) {
  isWanted = on;
  updateLock();
}

/** Request or release the lock; a request that is still pending is taken into account. */
function updateLock() {
  if (isWanted && document.visibilityState === "visible") {
    lock ??= requestLock();
    return;
  }
  void lock?.then((acquired) => acquired?.release());
  lock = null;
}

async function requestLock() {
  try {
    return await navigator.wakeLock.request("screen");
  } catch {
    return null; // locks are not supported, the battery is low, or the page was hidden
  }
}

document.addEventListener("visibilitychange", updateLock);
