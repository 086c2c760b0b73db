import type { Route } from '../../api/core/routes.js';
import { pathNames } from '../../api/core/openapi/operations.js';
import type { World } from './world.js';

type Value = string | number;

/**
 * A fresh record for each path parameter, by the path up to it. An operation with a new path parameter joins the
 * walk by one line here.
 */
const PATH_EXAMPLES: Record<string, (world: World) => Value | Promise<Value>> = {
  '/projects/:id': ({ project }) => project.id,
  '/projects/:id/pipelines/:pipeline_id': (world) => world.pipeline(),
  '/projects/:id/pipeline_schedules/:pipeline_schedule_id': async (world) => (await world.schedule()).id,
  '/projects/:id/repository/branches/:branch': (world) => world.branch(),
  '/projects/:id/repository/tags/:tag_name': (world) => world.tag(),
};

/** Values of parameters that need to be more than of their type, by name; `METHOD path` wins over the name alone. */
const PARAM_EXAMPLES: Record<string, Record<string, (world: World) => unknown>> = {
  '': {
    ref: () => 'main',
    cron: () => '0 1 * * *',
    name: ({ unique }) => `Example ${unique()}`,
    branch: ({ unique }) => `example-${unique()}`,
    tag_name: ({ unique }) => `v${unique()}`,
  },
  'POST /projects': { name: ({ unique }) => `Example ${unique()}` },
};

/** Who calls where it is neither the least role nor the container's owner. */
const CALLERS: Record<string, 'admin'> = {};

/** `POST /projects/:id/pipelines`. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** The path up to each of its parameters. */
const prefixes = (path: string) => pathNames(path).map((name) => path.slice(0, path.indexOf(`:${name}`)) + `:${name}`);

/** Path parameters of bound routes that {@link PATH_EXAMPLES} has nothing for. */
export function missingPathExamples(routes: readonly Route[]): string[] {
  return [...new Set(routes.flatMap(({ path }) => prefixes(path)))].filter((prefix) => !(prefix in PATH_EXAMPLES));
}

/** The values of a route's path parameters: records that this world keeps for them. */
export async function pathExample(world: World, { path }: Route): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const prefix of prefixes(path)) {
    const example = PATH_EXAMPLES[prefix];
    if (!example) throw new Error(`test/core/examples.ts has no example for ${prefix}.`);
    values[prefix.slice(prefix.lastIndexOf(':') + 1)] = String(await world.keep(prefix, () => example(world)));
  }
  return values;
}

/** Makes a few records that a list route then lists, where its path plus a parameter has an example. */
export async function fillList(world: World, { path }: Route): Promise<void> {
  const child = Object.keys(PATH_EXAMPLES).find(
    (key) => key.startsWith(`${path}/:`) && !key.includes('/', path.length + 1),
  );
  for (let made = 0; child && made < 3; made += 1) await PATH_EXAMPLES[child]?.(world);
}

/** An example of one parameter, or undefined where its type says enough. */
export function paramExample(world: World, route: Route, name: string): unknown {
  return (PARAM_EXAMPLES[nameOf(route)]?.[name] ?? PARAM_EXAMPLES['']?.[name])?.(world);
}

/** Parameters beyond the required ones that a route's example gives. */
export function chosenParams(route: Route): string[] {
  return Object.keys(PARAM_EXAMPLES[nameOf(route)] ?? {});
}

export const callerOf = (route: Route): 'admin' | undefined => CALLERS[nameOf(route)];
