import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { openApiDocument } from '../../../api/core/openapi/document.js';

// A long test: generators and a compiler take their time.
// A process of its own: they are processes, and are waited for.

const run = promisify(execFile);
const packages = path.resolve('node_modules');
/** Within the checkout, so that generated code finds the types of its packages. */
const folder = path.resolve('dist', 'generated-clients');
const description = path.join(folder, 'openapi.json');
const olderCompiler = import.meta.resolve('./older-compiler.js');
const TIMEOUT_MS = 180_000;

/** What editors load for each file that uses the types, for each operation that there is. */
const MAX_LINES_EACH = 73;
const MAX_BYTES_EACH = 3030;

const generate = (script: string, ...args: string[]) =>
  run(process.execPath, ['--import', olderCompiler, path.join(packages, script), ...args], {
    cwd: folder,
    timeout: TIMEOUT_MS,
  });

/** Type-checks what was generated, strictly, with the compiler of this project. */
async function check(...files: string[]): Promise<string> {
  const settings = path.join(folder, `tsconfig.${path.basename(path.dirname(files[0] as string))}.json`);
  writeFileSync(
    settings,
    JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        lib: ['es2024', 'dom', 'dom.iterable'],
        module: 'esnext',
        moduleResolution: 'bundler',
        strict: true,
        noEmit: true,
        types: [],
      },
      files,
    }),
  );
  const compiler = path.join(packages, 'typescript', 'bin', 'tsc');
  return run(process.execPath, [compiler, '-p', settings], { cwd: folder, timeout: TIMEOUT_MS }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length;

test.before('write the description', () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(description, JSON.stringify(openApiDocument(allRoutes)));
});

test('the project is compiled by TypeScript 7, whatever the generators of clients need', (t) => {
  const { version } = createRequire(import.meta.url)('typescript/package.json') as { version: string };
  t.regex(version, /^7\./);
});

test.serial(
  'the types that openapi-typescript makes compile, and openapi-fetch calls operations by them',
  async (t) => {
    t.timeout(TIMEOUT_MS);
    const types = path.join(folder, 'types', 'api.ts');
    await generate('openapi-typescript/bin/cli.js', description, '-o', types);
    const call = path.join(folder, 'types', 'call.ts');
    writeFileSync(
      call,
      `import createClient from 'openapi-fetch';
import type { paths } from './api.js';
const api = createClient<paths>({ baseUrl: '/api/v4' });
const { data } = await api.POST('/projects', { body: { name: 'Rocket' } });
export const id: number | undefined = data?.id;
// @ts-expect-error -- a schedule has more than a cron
await api.POST('/projects/{id}/pipeline_schedules', { params: { path: { id: '1' } }, body: { cron: '* * * * *' } });
`,
    );
    t.is(await check(types, call), '');
    t.log(`${lines(types)} lines`);
    t.true(lines(types) <= MAX_LINES_EACH * allRoutes.length, `${lines(types)} lines`);
    t.true(readFileSync(types).length <= MAX_BYTES_EACH * allRoutes.length, `${readFileSync(types).length} bytes`);
  },
);

test.serial('the client that orval makes compiles, each function named by its operation', async (t) => {
  t.timeout(TIMEOUT_MS);
  const client = path.join(folder, 'orval', 'api.ts');
  const config = path.join(folder, 'orval.config.mjs');
  writeFileSync(
    config,
    `export default { api: { input: ${JSON.stringify(description)}, output: { target: ${JSON.stringify(client)}, client: 'fetch', mode: 'single' } } };\n`,
  );
  await generate('orval/dist/bin/orval.mjs', '--config', config);
  const text = readFileSync(client, 'utf8');
  for (const { operation } of allRoutes) t.true(text.includes(`export const ${operation.name} =`), operation.name);
  t.is(await check(client), '');
});

test.serial('the client that @hey-api/openapi-ts makes compiles, each function named by its operation', async (t) => {
  t.timeout(TIMEOUT_MS);
  const out = path.join(folder, 'hey');
  await generate('@hey-api/openapi-ts/dist/run.mjs', '-i', description, '-o', out, '--no-log-file');
  const text = readFileSync(path.join(out, 'sdk.gen.ts'), 'utf8');
  for (const { operation } of allRoutes) t.true(text.includes(`export const ${operation.name} =`), operation.name);
  t.is(await check(path.join(out, 'index.ts'), path.join(out, 'client.gen.ts')), '');
});
