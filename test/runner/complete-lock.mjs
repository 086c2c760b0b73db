import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { inCheckout } from '#launch/runtime.mjs';

const files = ['package-lock.json', path.join('api', 'web', 'package-lock.json')];
const PLATFORM =
  /(android|darwin|freebsd|linux|openharmony|win32)-(arm|arm64|x64|ia32|ppc64|riscv64|s390x)(?:-(\w+))?$/;

/** @param {string} name @param {string} version @param {{ dev?: boolean, devOptional?: boolean }} asked */
function getEntry(name, version, { dev, devOptional }) {
  const [, os, cpu, abi] = PLATFORM.exec(name) ?? [];
  if (!os) throw new Error(`${name} names no platform that is known here.`);
  const libc = os === 'linux' && abi ? { libc: [abi.includes('musl') ? 'musl' : 'glibc'] } : {};
  return { version, cpu: [cpu], dev, devOptional, ...libc, optional: true, os: [os] };
}

/**
 * `npm run lock`, after a dependency was added: names the optional packages of every platform in both lockfiles, and no registry. npm
 * leaves out those that the registry at hand does not carry, and `npm ci` then refuses the lockfile.
 *
 * @returns {Promise<number>} the exit code
 */
export async function completeLocks() {
  for (const file of files.map((name) => inCheckout(name))) complete(file);
  return 0;
}

/** @param {string} file */
function complete(file) {
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  for (const [where, entry] of Object.entries({ ...lock.packages })) {
    // Users of the lockfile must not depend on the registry used here.
    delete entry.resolved;
    if (where === '') continue;
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const key = `node_modules/${name}`;
      if (!lock.packages[key] && !lock.packages[`${where}/${key}`]) lock.packages[key] = getEntry(name, version, entry);
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
