import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that this launcher belongs to, absolute, without a trailing slash. */
export const checkout = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** A path inside the checkout, unless it is absolute. @param {...string} parts */
export const inCheckout = (...parts) => path.resolve(checkout, ...parts);

const oldestUsable = { major: 22, minor: 20 };

/** Whether a Node, by its version, can run the service. */
export function nodeIsUsable(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldestUsable.major || (major === oldestUsable.major && minor >= oldestUsable.minor);
}

/** The Node that runs the service: the one among the dependencies, else this one. Throws when there is neither a usable one. */
export function projectNode() {
  const own = inCheckout('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(own)) return own;
  if (nodeIsUsable()) return process.execPath;
  throw new Error(
    `No Node for ${process.platform}-${process.arch} comes with the dependencies, and the system's is ${process.versions.node} (${process.execPath}): ` +
      `install Node ${oldestUsable.major}.${oldestUsable.minor} or newer.`,
  );
}
