/** How much has to go on at least: so many bytes in each so many milliseconds. */
export interface MinimumRate {
  bytes: number;
  milliseconds: number;
}

/**
 * Looks on while bytes go somewhere, and tells once when they go too slowly or not at all.
 * @param moved bytes so far, or null while it is not the client that is waited for
 * @returns ends the watch
 */
export function watchPace(pace: MinimumRate, moved: () => number | null, onSlow: () => void): () => void {
  let before = moved();
  const timer = setInterval(() => {
    const now = moved();
    const slow = now !== null && before !== null && now - before < pace.bytes;
    before = now;
    if (!slow) return;
    clearInterval(timer);
    onSlow();
  }, pace.milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
