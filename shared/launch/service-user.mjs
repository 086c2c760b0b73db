import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';

import { checkout, inCheckout } from './paths.mjs';

/**
 * As whom API, workers and git run when the start is root (decision 23). No list of users gives this number to anybody, and it needs
 * no entry in /etc/passwd.
 *
 * @type {{ uid: number, gid: number }}
 */
export const serviceUser = { uid: 65_530, gid: 65_530 };

/** Asked as that user, so that the system itself answers: says the first place that is closed, directories ending in a slash. */
const probe = `for place; do
  case $place in
    */) test -x "$place" ;;
    *) test -r "$place" ;;
  esac || { printf %s "$place"; exit 1; }
done`;

/**
 * Why the service cannot run as its own user, or null when it can: that user must reach everything that it loads.
 *
 * @param {{ node: string, directories: string[] }} places the Node that runs the service, and what it must enter besides the checkout
 */
export function whyNotServiceUser({ node, directories }) {
  const files = [
    inCheckout('package.json'),
    inCheckout('dist', 'shared', 'setup.js'),
    inCheckout('dist', 'api', 'web', 'pages.json'),
    inCheckout('node_modules', 'koa', 'package.json'),
    node,
  ];
  const entered = [checkout, ...directories, path.dirname(node)].flatMap(downTo);
  const { error, status, stdout, stderr } = spawnSync('/bin/sh', ['-c', probe, 'sh', ...new Set(entered), ...files], {
    ...serviceUser,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  });
  if (error) return `nothing can be started as uid ${serviceUser.uid} here (${error.code})`;
  if (status === 0) return null;
  const closed = stdout.replace(/(.)\/$/, '$1') || stderr.trim();
  return `uid ${serviceUser.uid} cannot ${stdout.endsWith('/') ? 'enter' : 'read'} ${closed}`;
}

/** A directory and all above it, from the top, each with a slash at its end. */
function downTo(directory) {
  const real = realpathSync(directory);
  const parent = path.dirname(real);
  return parent === real ? [real] : [...downTo(parent), `${real}/`];
}
