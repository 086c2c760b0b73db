import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathNames } from '../../api/core/openapi/operations.js';
import type { RestRoute } from '../../api/core/routes.js';
import type { AreaExamples, PathValues, RecordExample, RequestExample } from './area-examples.js';
import type { BuiltUser } from './builders.js';
import { WORK } from './sandbox.js';
import type { Sandbox } from './sandbox.js';

/** Required parameters that need to be more than of their type, on every route. */
const BY_NAME: NonNullable<RequestExample['params']> = {
  access_level: () => 20,
  branch: () => WORK,
  cron: () => '0 1 * * *',
  email: ({ unique }) => `example${unique()}@example.com`,
  key: ({ unique }) => `KEY_${unique()}`,
  name: ({ unique }) => `Example ${unique()}`,
  password: () => 'correct horse 42 battery',
  path: ({ unique }) => `example-${unique()}`,
  ref: () => WORK,
  tag_name: ({ unique }) => `v${unique()}`,
  username: ({ unique }) => `example${unique()}`,
};

/** Compiled files of examples, by their names from `test`. */
const TESTS = path.join(import.meta.dirname, '..');
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.examples.js'))
  .sort();

/** The default export of a file of examples: those of one area, or of several. */
interface ExamplesFile {
  default: AreaExamples | readonly AreaExamples[];
}

/** The examples of every area. */
export const areaExamples: readonly AreaExamples[] = (
  await Promise.all(files.map(async (file) => ((await import(path.join(TESTS, file))) as ExamplesFile).default))
).flat();

/** Entries of all areas by name; no name may occur twice. */
function joined<V>(entries: [string, V][]): ReadonlyMap<string, V> {
  const found = new Map<string, V>();
  for (const [name, value] of entries) {
    if (found.has(name)) throw new Error(`Two files of examples have ${name}.`);
    found.set(name, value);
  }
  return found;
}

const RECORDS = joined<RecordExample>(areaExamples.flatMap(({ records = {} }) => Object.entries(records)));
const REQUESTS = joined<RequestExample>(areaExamples.flatMap(({ requests = {} }) => Object.entries(requests)));

/** `POST /projects/:id/pipelines`. */
export const getName = ({ method, path }: RestRoute): string => `${method} ${path}`;

/** The area's example for a route, for the walking tests. */
export const requestExample = (route: RestRoute): RequestExample => REQUESTS.get(getName(route)) ?? {};

/**
 * The expected file of a route area's examples: `test/ci/jobs/jobs.examples.ts`. Areas that need few may use
 * `test/ci/ci.examples.ts` instead.
 */
export function examplesFile({ area = 'area' }: RestRoute): string {
  const name = area.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const folders = readdirSync('shared', { recursive: true, encoding: 'utf8' });
  const folder = folders.find((file) => path.basename(file) === name && file.includes(path.sep));
  return `test/${folder ?? `<domain>/${name}`}/${name}.examples.ts`;
}

/** The path up to each of its parameters. */
const prefixes = (path: string) => pathNames(path).map((name) => `${path.slice(0, path.indexOf(`:${name}`))}:${name}`);

const noRecord = (route: RestRoute, prefix: string) => `${examplesFile(route)} has no record for ${prefix}`;

/** Path parameters of bound routes that no area has a record for, each with the file that should. */
export function missingPathExamples(routes: readonly RestRoute[]): string[] {
  const missing = routes.flatMap((route) =>
    prefixes(route.path)
      .filter((prefix) => !RECORDS.has(prefix))
      .map((prefix) => noRecord(route, prefix)),
  );
  return [...new Set(missing)];
}

/** Names in files of examples that match no bound route. */
export function unboundExamples(routes: readonly RestRoute[]): string[] {
  const bound = new Set(routes.flatMap((route) => [getName(route), ...prefixes(route.path)]));
  return [...RECORDS.keys(), ...REQUESTS.keys()].filter((name) => !bound.has(name));
}

/** The values of a route's path parameters: records that this sandbox keeps for them. */
export async function pathExample(sandbox: Sandbox, route: RestRoute): Promise<PathValues> {
  const values: PathValues = {};
  const { unused } = requestExample(route);
  for (const prefix of prefixes(route.path)) {
    const name = prefix.slice(prefix.lastIndexOf(':') + 1);
    if (unused && !route.path.slice(prefix.length).includes('/:')) {
      values[name] = String(await unused(sandbox, values));
      continue;
    }
    const example = RECORDS.get(prefix);
    if (!example) throw new Error(`${noRecord(route, prefix)}.`);
    values[name] = String(await sandbox.keep(prefix, () => example(sandbox, values)));
  }
  return values;
}

/** Makes a few records that a list route then lists, where its path plus a parameter has an example. */
export async function fillList(sandbox: Sandbox, route: RestRoute): Promise<void> {
  const { path } = route;
  const child = [...RECORDS].find(([key]) => key.startsWith(`${path}/:`) && !key.includes('/', path.length + 1));
  if (!child) return;
  const above = await pathExample(sandbox, route);
  for (let index = 0; index < 3; index += 1) await child[1](sandbox, above);
}

/** An example of one parameter, or undefined if its type is sufficient. */
export async function paramExample(sandbox: Sandbox, route: RestRoute, name: string): Promise<unknown> {
  return (requestExample(route).params?.[name] ?? BY_NAME[name])?.(sandbox);
}

/** Parameters beyond the required ones that a route's example gives. */
export const chosenParams = (route: RestRoute): string[] => Object.keys(requestExample(route).params ?? {});

export async function makeReady(sandbox: Sandbox, route: RestRoute, path: PathValues): Promise<void> {
  await requestExample(route).ready?.(sandbox, path);
}

/** The special caller that a route requires, if any. */
export async function specialCaller(sandbox: Sandbox, route: RestRoute): Promise<BuiltUser | null> {
  return (await requestExample(route).caller?.(sandbox)) ?? null;
}
