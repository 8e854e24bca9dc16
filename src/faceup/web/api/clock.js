/**
 * Return the time in milliseconds since 1970, as it was on the device's clock when the page was opened, plus the time since
 * then. It does not jump when the device's clock is set. It may stop while the device sleeps, so a difference to the
 * server's clock must be measured again with every answer.
 */
export function steadyNow() {
  return performance.timeOrigin + performance.now();
}
