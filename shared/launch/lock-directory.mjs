import { accessSync, constants } from 'node:fs';
import path from 'node:path';

import { tighten } from './files.mjs';
import { inCheckout } from './paths.mjs';
import { dataDirectory } from './settings.mjs';

let chosen;

/**
 * Where the locks are of what services with different DATA_DIRs share: the build, and the ports. In the checkout itself; only an
 * installation that may not be written to (a container's) keeps them in DATA_DIR.
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
  const outside = path.join(dataDirectory(process.env), 'lock');
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
