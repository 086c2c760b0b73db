import { readdirSync, readFileSync } from 'node:fs';

import { runEntry } from './entry.mjs';
import { writeNamed, writeWhole } from './files.mjs';
import { inCheckout } from './paths.mjs';

/* npm run db:new -- NAME: writes an empty migration, and its line in the list of all. */

const index = inCheckout('migrations', 'index.ts');

await runEntry(async () => {
  const [name = '', ...more] = process.argv.slice(2);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || more.length > 0)
    throw new Error('npm run db:new -- NAME: what changes, in small letters with hyphens, such as issue-labels.');
  const file = `${timestamp()}-${name}`;
  const type = name.replaceAll(/(?:^|-)(\w)/g, (_match, letter) => letter.toUpperCase());
  requireNew(name, type);
  const list = listed(file, type);
  writeNamed(inCheckout('migrations', `${file}.ts`), migration(type), { flag: 'wx' });
  writeWhole(index, list);
  console.log(`migrations/${file}.ts, and its line in migrations/index.ts`);
  return 0;
});

/** In UTC, so that those of several people follow one another. */
function timestamp() {
  return new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}

function requireNew(name, type) {
  const before = readdirSync(inCheckout('migrations')).find((file) => file.endsWith(`-${name}.ts`));
  if (before) throw new Error(`There is migrations/${before}; choose another name.`);
  if (new RegExp(`\\b${type}\\b`).test(readFileSync(index, 'utf8')))
    throw new Error(`${type} is in migrations/index.ts already; choose another name.`);
}

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

/** The last import and the last entry, each with one more behind it. */
function listed(file, type) {
  const text = readFileSync(index, 'utf8');
  const added = text
    .replace(/(import \{ \w+ \} from '\.\/[^']+';\n)(?!import)/, `$1import { ${type} } from './${file}.js';\n`)
    .replace(/\n\];\n/, `\n  { name: '${file}', class: ${type} },\n];\n`);
  if (added.split('\n').length !== text.split('\n').length + 2)
    throw new Error('migrations/index.ts does not look as expected: it should be imports, then one list.');
  return added;
}
