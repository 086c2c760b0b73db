import { runEntry } from '#launch/start.mjs';
import { check } from './check.mjs';
import { runOnScratchPostgres, runOutput, seedDatabase } from './compiled.mjs';
import { completeLocks } from './complete-lock.mjs';
import { runDevelopment } from './dev.mjs';
import { createMigration } from './new-migration.mjs';
import { prepareDevelopment } from './prepare.mjs';

/*
 * What package.json's scripts for development run: `node test/runner/main.mjs COMMAND [ARGUMENTS]`. Tests have an entry of their
 * own, `test.mjs`; the commands on a service are in `shared/launch`.
 */

/** @type {Record<string, (args: string[]) => Promise<number>>} each resolves to its exit code */
const commands = {
  bench: (args) => runOnScratchPostgres('test/bench/main.js', args),
  'bench:seed': seedDatabase,
  build: async () => {
    await prepareDevelopment();
    console.log('Built.');
    return 0;
  },
  check,
  'db:new': createMigration,
  dev: runDevelopment,
  'graphql:schema': () => runOutput('api/write-graphql-schema.js', []),
  ledger: (args) => runOutput('test/contract/print-ledger.js', args),
  lock: completeLocks,
  openapi: (args) => runOutput('api/print-openapi.js', args),
  'release:contract': () => runOutput('test/contract/print-released.js', []),
};

await runEntry(() => {
  const [name = '', ...args] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Error(`"${name}" is no command; there are ${Object.keys(commands).join(', ')}.`);
  return command(args);
});
