import { existsSync } from 'node:fs';

import { inCheckout } from './paths.mjs';

const oldestUsable = [22, 20];

/** Whether the Node that runs this can run the service too. */
export function nodeIsUsable(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldestUsable[0] || (major === oldestUsable[0] && minor >= oldestUsable[1]);
}

/**
 * The Node that runs the service: the one among the dependencies, else the system's when it is new enough. Throws when there is
 * neither.
 */
export function projectNode() {
  const own = inCheckout('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(own)) return own;
  if (nodeIsUsable()) return process.execPath;
  throw new Error(
    `No Node for ${process.platform}-${process.arch} comes with the dependencies, and the system's is ${process.versions.node} (${process.execPath}): ` +
      `install Node ${oldestUsable.join('.')} or newer.`,
  );
}
