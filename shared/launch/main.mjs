import { runEntry } from './entry.mjs';

/*
 * What package.json's scripts run: `node shared/launch/main.mjs COMMAND [WORDS]`. Any Node from 18 runs this file; what is built runs on
 * the project's own.
 */

/** @type {Record<string, (words: string[]) => Promise<number>>} each resolves to its exit code */
const commands = {
  start: async (words) => (await import('./start.mjs')).start(words),
  admin: async (words) => (await import('./service-commands.mjs')).admin(words),
  archive: async (words) => (await import('./service-commands.mjs')).archive(words),
  doctor: async () => (await import('./service-commands.mjs')).doctor(),
  'move-objects': async (words) => (await import('./service-commands.mjs')).moveObjects(words),
  rebuild: async (words) => (await import('./service-commands.mjs')).rebuild(words),
  'registry-key': async (words) => (await import('./service-commands.mjs')).registryKey(words),
  repair: async (words) => (await import('./service-commands.mjs')).repair(words),
  bench: async (words) => (await import('./checkout-commands.mjs')).bench(words),
  'bench:seed': async (words) => (await import('./checkout-commands.mjs')).benchSeed(words),
  build: async () => (await import('./checkout-commands.mjs')).build(),
  check: async () => (await import('./check.mjs')).check(),
  'db:new': async (words) => (await import('./new-migration.mjs')).newMigration(words),
  'graphql:schema': async () => (await import('./checkout-commands.mjs')).graphqlSchema(),
  ledger: async (words) => (await import('./checkout-commands.mjs')).ledger(words),
  lock: async () => (await import('./complete-lock.mjs')).completeLocks(),
  openapi: async (words) => (await import('./checkout-commands.mjs')).openapi(words),
  'release:contract': async () => (await import('./checkout-commands.mjs')).releaseContract(),
  test: async (words) => (await import('../../test/runner/test.mjs')).test(words),
};

await runEntry(() => {
  const [name = '', ...words] = process.argv.slice(2);
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!run) throw new Error(`"${name}" is no command; there are ${Object.keys(commands).join(', ')}.`);
  return run(words);
});
