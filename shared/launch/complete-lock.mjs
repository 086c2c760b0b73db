import { readFileSync, writeFileSync } from 'node:fs';

import { inCheckout } from './paths.mjs';

/*
 * npm run lock, after a dependency was added: names the optional packages of every platform in package-lock.json.
 * npm leaves out those that the registry at hand does not carry, and `npm ci` then refuses the lockfile.
 */

const file = inCheckout('package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const PLATFORM =
  /(android|darwin|freebsd|linux|openharmony|win32)-(arm|arm64|x64|ia32|ppc64|riscv64|s390x)(?:-(\w+))?$/;

function entryOf(name, version) {
  const [, os, cpu, abi] = PLATFORM.exec(name) ?? [];
  if (!os) throw new Error(`${name} names no platform that is known here.`);
  const libc = os === 'linux' && abi ? { libc: [abi.includes('musl') ? 'musl' : 'glibc'] } : {};
  return { version, cpu: [cpu], dev: true, ...libc, optional: true, os: [os] };
}

for (const [where, { optionalDependencies = {} }] of Object.entries({ ...lock.packages })) {
  if (where === '') continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const key = `node_modules/${name}`;
    if (!lock.packages[key] && !lock.packages[`${where}/${key}`]) lock.packages[key] = entryOf(name, version);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
