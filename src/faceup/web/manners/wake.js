/** @type {WakeLockSentinel | null} */
let lock = null;
let wanted = false;

/**
 * Keep the screen awake, or let it sleep again. Where a browser cannot (plain http, for one), nothing happens.
 *
 * @param {boolean} on
 */
export async function wake(on) {
  if (on === wanted && (!on || lock)) return;
  wanted = on;
  if (!on) {
    const held = lock;
    lock = null;
    await held?.release().catch(() => undefined);
    return;
  }
  if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
    if (!wanted) await wake(false);
  } catch {
    // the battery is low, or the page was hidden meanwhile
  }
}

document.addEventListener("visibilitychange", () => {
  if (wanted && document.visibilityState === "visible") void wake(true);
});
