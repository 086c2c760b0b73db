import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { freePorts, Installation, LAUNCH_MS } from './installation.js';
import { eventually, ROOT_TOKEN } from '../processes.js';

// A process of its own: a service is started, and again with each change of its sources.

const installation = new Installation();
const inCheckout = (...parts: string[]) => path.join(installation.checkout, ...parts);

test.after.always('remove the installation', () => installation.remove());

const newMigration = async (...args: string[]) => {
  const started = installation.begin({}, undefined, { script: 'new-migration', args });
  return { code: await started.exitCode(), said: started.said };
};

const getMigrations = (name: string) =>
  readdirSync(inCheckout('migrations')).filter((file) => file.endsWith(`-${name}.ts`));

test.serial('npm run dev starts API and workers again when a source changes, and migrates', async (t) => {
  t.timeout(LAUNCH_MS);
  const [port] = await freePorts(1);
  const env = { DATA_DIR: path.join(installation.directory, 'data'), PORT: String(port), LOG_LEVEL: 'error' };
  const dev = await installation
    .begin({ ...env, INITIAL_ROOT_TOKEN: ROOT_TOKEN }, undefined, { args: ['dev'] })
    .ready();
  const name = async () =>
    (await dev.root.get('/version').catch(() => null))?.body?.service?.name as string | undefined;
  const file = inCheckout('shared', 'core', 'values', 'version.ts');
  const text = readFileSync(file, 'utf8');
  t.is(await name(), 'Capstan');

  const began = performance.now();
  writeFileSync(file, text.replace(`'Capstan'`, `'Renamed'`));
  await eventually(async () => (await name()) === 'Renamed');
  t.log(`served after ${Math.round(performance.now() - began)} ms`);
  await eventually(async () => /worker 1 runs again/.test(dev.said));

  t.is((await newMigration('issue-boards')).code, 0);
  const [added = ''] = getMigrations('issue-boards');
  await eventually(async () => dev.said.split('api runs again').length > 2);
  t.true(readdirSync(inCheckout('dist', 'migrations')).includes(added.replace(/\.ts$/, '.js')));
  t.is((await dev.root.get('/user')).status, 200);
  t.is(await dev.stop(), 0);
});

test.serial('npm run db:new writes a migration in the form of the others', async (t) => {
  const { code, said } = await newMigration('issue-labels');
  t.is(code, 0, said);
  const [file = ''] = getMigrations('issue-labels');
  t.regex(file, /^\d{8}T\d{6}-issue-labels\.ts$/);
  t.is(
    readFileSync(inCheckout('migrations', file), 'utf8'),
    `import { Migration } from '@mikro-orm/migrations';

export class IssueLabels extends Migration {
  override up() {
    this.addSql(\`
    \`);
  }
}
`,
  );
  const before = readdirSync(inCheckout('migrations'));
  for (const args of [['issue-labels'], ['Issue Labels'], ['../x'], [], ['a', 'b']]) {
    const rejection = await newMigration(...args);
    t.is(rejection.code, 1, args.join(' '));
    t.regex(rejection.said, /^capstan: (There is migrations\/\d+T\d+-issue-labels\.ts|npm run db:new -- NAME)/);
  }
  t.deepEqual(readdirSync(inCheckout('migrations')), before);
});
