import test from 'ava';
import type { z } from 'zod';
import { allRoutes } from '../../../api/domains.js';
import { leastRole } from '../../../api/core/openapi/least-role.js';
import { pathNames } from '../../../api/core/openapi/operations.js';
import { isRequired, paramSchema } from '../../../api/core/openapi/schemas.js';
import type { Json } from '../../../api/core/openapi/schemas.js';
import type { RestRoute } from '../../../api/core/routes.js';
import { useApp } from '../app.js';
import type { Answer, Client } from '../client.js';
import { specialCaller } from '../examples.js';
import { badForm, getContainer, nameOf, ownFields, describeAnswer, walkRoutes, WALK_MS } from '../walk.js';
import type { Walker, WalkRequest } from '../walk.js';
import { makePeople, Sandbox } from '../sandbox.js';
import type { People } from '../sandbox.js';

// A long test: it goes through every route.

const app = useApp(test);
let people: People;

test.serial.before('everybody who calls', async () => {
  people = await makePeople(app);
});

/** A client whose requests can fail only because of their parameters. */
async function clientFor(route: RestRoute, walker: Walker): Promise<Client> {
  const role = getContainer(route) ? 'owner' : 'admin';
  const user =
    (await specialCaller(await walker.sandbox(), route)) ?? people[leastRole(route) === 'admin' ? 'admin' : role];
  return app.as(user);
}

interface Variant {
  name: string;
  /** The change made to it, for the report. */
  how: string;
  change: (request: WalkRequest) => void;
  /** The expected `error` of the rejection; without it, the request need not be rejected. */
  error?: string;
}

/** Sends an example with each variant, and reports unexpected responses. */
function walkVariants(variantsOf: (route: RestRoute) => Variant[]): Promise<string[]> {
  const makeWorld = () => Sandbox.make(app, people);
  return walkRoutes(allRoutes, makeWorld, async (route, walker) => {
    const problems: (string | null)[] = [];
    for (const { name, how, change, error } of variantsOf(route)) {
      const request = await walker.example(route);
      change(request);
      const answer = await walker.send(await clientFor(route, walker), request).catch((error: unknown) => {
        throw new Error(`${nameOf(route)}, ${name} ${how}: no answer`, { cause: error });
      });
      const wrong = badForm(answer) ?? (error && !isBadParam(answer, error, route) ? describeAnswer(answer) : null);
      problems.push(wrong && `${nameOf(route)}, ${name} ${how}: ${wrong}`);
    }
    return problems;
  });
}

/**
 * Whether a rejection contains exactly the expected error, apart from rules of the operation that span several
 * parameters.
 */
function isBadParam({ status, body }: Answer, expected: string, { operation }: RestRoute): boolean {
  const { error, ...others } = body as { error?: string };
  if (status !== 400 || error === undefined || Object.keys(others).length > 0) return false;
  return new RegExp(`^${expected}${operation.rules.length > 0 ? '(, .*)?' : ''}$`).test(error);
}

const set = (name: string, value: unknown) => (request: WalkRequest) => {
  if (name in request.path) request.path[name] = String(value);
  else request.params[name] = value;
};

// Contract: walk-11
test('a required parameter that is missing is 400 by its name, on every route', async (t) => {
  t.timeout(WALK_MS);
  const problems = await walkVariants((route) =>
    ownFields(route)
      .filter(([, field]) => isRequired(field))
      .map(([name]) => ({
        name,
        how: 'left out',
        change: ({ params }) => delete params[name],
        error: `${name} is missing(, ${name} does not have a valid value)?`,
      })),
  );
  t.deepEqual(problems, []);
});

/** Values that are none of a parameter's declared type. */
function mistyped(schema: Json): unknown[] {
  const types = [schema.type].flat();
  if (types.includes('integer')) return ['12abc', '1.5', { a: '1' }, true];
  if (types.includes('boolean')) return ['perhaps', { a: 'b' }, 2];
  if (types.includes('array')) return [{ a: { b: 'c' } }];
  if (types.includes('object')) return ['text'];
  if (!types.includes('string')) return [];
  const hash = { a: 'b' };
  if (schema.enum) return ['no such word', hash];
  if (schema.format) return ['2030-02-30', 'some day', hash];
  return [hash, ['a', 'b'], 'nul\0inside'];
}

// The third is of what no request may give.
const errorPattern = (name: string) =>
  `${name} (is invalid|does not have a valid value|is automatically generated and cannot be changed)`;

/** Each path parameter separately, and all others at once: all errors are reported, in declaration order. */
function mistypedVariants(route: RestRoute): Variant[] {
  const inPath = new Set(pathNames(route.path));
  const fields = Object.entries(route.operation.params.shape) as [string, z.ZodType][];
  const own = new Set(ownFields(route).map(([name]) => name));
  const sent = fields.filter(([name]) => inPath.has(name) || own.has(name));
  const wrong = sent.map(([name, field]) => ({
    name,
    values: mistyped(paramSchema(field)).filter((value) => !field.safeParse(value).success),
  }));
  const single = wrong
    .filter(({ name }) => inPath.has(name))
    .flatMap(({ name, values }) =>
      values
        .filter((value) => typeof value === 'string')
        .map((value) => ({ name, how: `as ${value}`, change: set(name, value), error: errorPattern(name) })),
    );
  const others = wrong.filter(({ name, values }) => !inPath.has(name) && values.length > 0);
  const rounds = Math.max(0, ...others.map(({ values }) => values.length));
  const together = Array.from({ length: rounds }, (_none, round) => {
    const chosen = others.map(({ name, values }) => [name, values[round % values.length]] as const);
    return {
      name: 'all parameters',
      how: `as ${JSON.stringify(chosen)}`,
      change: (request: WalkRequest) => chosen.forEach(([name, value]) => set(name, value)(request)),
      error: chosen.map(([name]) => errorPattern(name)).join(', '),
    };
  });
  return [...single, ...together];
}

// Contract: walk-12
test('parameters of the wrong type are 400, each by its name and all at once, on every route', async (t) => {
  t.timeout(WALK_MS);
  t.deepEqual(await walkVariants(mistypedVariants), []);
});

// Contract: walk-12
test('every typed parameter refuses some value by its own declaration', (t) => {
  const lenient = allRoutes.flatMap((route) =>
    (Object.entries(route.operation.params.shape) as [string, z.ZodType][])
      .filter(([, field]) => {
        const values = mistyped(paramSchema(field));
        return values.length > 0 && values.every((value) => field.safeParse(value).success);
      })
      .map(([name]) => `${nameOf(route)}: ${name}`),
  );
  t.deepEqual(lenient, []);
});

/** Longer than any name, and than an index takes. */
const LONG = 200_000;
/** `Link` repeats a query up to four times, and clients read 16 KiB of headers. */
const LONG_IN_URL = 3000;

function longVariants(route: RestRoute): Variant[] {
  const fields = Object.entries(route.operation.params.shape) as [string, z.ZodType][];
  const inPath = pathNames(route.path);
  return fields.flatMap(([name, field]) => {
    const types = [paramSchema(field).type].flat();
    const digits = types.includes('integer');
    if (!digits && !types.includes('string')) return [];
    const inUrl = inPath.includes(name) || route.method === 'GET' || route.method === 'DELETE';
    const length = inUrl ? LONG_IN_URL : LONG;
    return [{ name, how: `${length} characters long`, change: set(name, (digits ? '9' : 'x').repeat(length)) }];
  });
}

// Contract: walk-13
test('a parameter that is too long is refused in the form of the contract or taken, and never breaks a route', async (t) => {
  t.timeout(WALK_MS);
  t.deepEqual(await walkVariants(longVariants), []);
});
