import { readdirSync, writeFileSync } from 'node:fs';

import { inCheckout } from '#launch/runtime.mjs';

/**
 * `npm run db:new -- NAME` writes an empty migration.
 *
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function createMigration([name = '', ...more]) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || more.length > 0)
    throw new Error('npm run db:new -- NAME: what changes, in small letters with hyphens, such as issue-labels.');
  const file = `${timestamp()}-${name}`;
  const type = name.replaceAll(/(?:^|-)(\w)/g, (_match, letter) => letter.toUpperCase());
  requireNew(name);
  writeFileSync(inCheckout('migrations', `${file}.ts`), migration(type), { flag: 'wx' });
  console.log(`migrations/${file}.ts`);
  return 0;
}

/** In UTC, so that migrations by different people are ordered. */
function timestamp() {
  return new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}

/** @param {string} name */
function requireNew(name) {
  const before = readdirSync(inCheckout('migrations')).find((file) => file.endsWith(`-${name}.ts`));
  if (before) throw new Error(`There is migrations/${before}; choose another name.`);
}

/** @param {string} type */
function migration(type) {
  return `import { Migration } from '@mikro-orm/migrations';

export class ${type} extends Migration {
  override up() {
    this.addSql(\`
    \`);
  }
}
`;
}
