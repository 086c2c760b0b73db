import { accessSync, constants } from 'node:fs';
import path from 'node:path';

import { tighten } from './files.mjs';
import { inCheckout } from './paths.mjs';
import { readSettings } from './settings.mjs';

let chosen;

/**
 * Where this checkout's locks are: in the checkout itself, as two services with different DATA_DIRs still share one build. Only an
 * installation that may not be written to (a container's) has nothing to guard but the service, and keeps them in DATA_DIR.
 */
export function lockDirectory() {
  if (!chosen) {
    chosen = choose();
    // Earlier versions left it open.
    tighten(chosen, 0o700);
  }
  return chosen;
}

function choose() {
  const inside = inCheckout('.data', 'lock');
  if (isWritable(inside)) return inside;
  const outside = path.join(readSettings(process.env).dataDir, 'lock');
  if (isWritable(outside)) return outside;
  throw new Error(
    `${inside} belongs to another user; run this as that user, or with DATA_DIR set to a directory of your own.`,
  );
}

/** Whether it is, or could be made. */
function isWritable(directory) {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    return error.code === 'ENOENT' && isWritable(path.dirname(directory));
  }
}
