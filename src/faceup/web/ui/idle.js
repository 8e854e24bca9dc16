/** Milliseconds to wait for an idle browser after the first picture. */
const LONGEST = 500;

/**
 * Resolve when the browser has drawn what there is now, and has nothing urgent to do. Modules and drawings that the
 * first picture of a page does not need are loaded then, so that they do not delay it. Hidden pages load them when they
 * become visible.
 *
 * @returns {Promise<void>}
 */
export async function idle() {
  await frame();
  await frame(); // starts when the first frame has been drawn
  // Safari has no idle callbacks.
  await new Promise((done) => ("requestIdleCallback" in window ? requestIdleCallback(done, { timeout: LONGEST }) : setTimeout(done)));
}

/** Resolve at the start of the next frame. */
function frame() {
  return new Promise((done) => requestAnimationFrame(done));
}
