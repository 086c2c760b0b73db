import test from 'ava';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import qs from 'qs';
import type { z } from 'zod';
import { allRoutes } from '../../api/domains.js';
import { pathNames } from '../../api/core/openapi/operations.js';
import { paramSchema } from '../../api/core/openapi/schemas.js';
import type { RestRoute } from '../../api/core/routes.js';
import { instanceSettings } from '../../shared/instance/application-settings/settings.js';
import { useApp, LIMITS_OFF } from './app.js';
import type { Answer } from './client.js';
import { changedTables, fingerprint } from './fingerprint.js';
import { anyValue, segment, text, valueFor } from './fuzz-values.js';
import { sendRaw } from './raw-request.js';
import type { RawRequest } from './raw-request.js';
import { badForm, exampleRequest, nameOf, getPath, walkRoutes } from './walk.js';
import type { WalkRequest } from './walk.js';
import { makePeople, Sandbox } from './sandbox.js';

// A long test: it goes through every route.

/** For each kind of requests; `npm run fuzz` gives minutes. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 4);
/** The same requests in every short run; others in each long one. */
const SEED = process.env.FUZZ_SECONDS ? {} : { seed: 20_261_120 };

/** After this many changes the sandbox is recreated. */
const WORN = 10;

const app = useApp(test);
const CALLERS = ['guest', 'developer', 'owner', 'admin', 'stranger', null] as const;
type CallerName = (typeof CALLERS)[number];

let sandbox: Sandbox;
let examples: Map<RestRoute, WalkRequest>;
let state: Record<string, string>;
let changes = 0;
/** Answers by status, for the log: a run of nothing but 400s would show little. */
let statuses: Record<string, number> = {};

/** Administrators change settings too; what they send is no guess here. */
const DEFAULTS = {
  ...Object.fromEntries(Object.entries(instanceSettings).map(([name, { default: value }]) => [name, value])),
  ...LIMITS_OFF,
};

/** A new sandbox, when requests that were let through have changed much of the old one. */
async function freshSandbox() {
  await app.set(DEFAULTS);
  sandbox = await Sandbox.make(app, await makePeople(app));
  examples = new Map();
  for (const route of allRoutes) examples.set(route, await exampleRequest(sandbox, route));
  changes = 0;
  state = await fingerprint(app.services.db);
}

const getExample = (route: RestRoute) => examples.get(route) as WalkRequest;

test.serial.before('a sandbox to break', freshSandbox);

const getHeaders = (caller: CallerName): Record<string, string> =>
  caller ? { 'PRIVATE-TOKEN': sandbox.people[caller].token } : {};

/** The error in the response to any request: an internal error, a hang, or a change by a refused request. */
async function offence(request: RawRequest): Promise<string | null> {
  let answer: Answer;
  try {
    answer = await sendRaw(app, request);
  } catch (error) {
    return (error as Error).message;
  }
  statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  if (answer.status >= 500) return `${answer.status} ${answer.text}`;
  const after = await fingerprint(app.services.db);
  const changed = changedTables(state, after);
  state = after;
  // Who lost the token, or was blocked, would be refused from now on; and so would many under other settings.
  if (changed.length > 0)
    changes += /^\/api\/v4\/(users|personal_access_tokens|application)/.test(request.path) ? WORN : 1;
  if (answer.status >= 400 && changed.length > 0) return `${answer.status}, and changed ${changed.join(', ')}`;
  // Outside the API the format of refusals is unspecified, and responses to HEAD have no body.
  return request.path.startsWith('/api/v4/') && request.method !== 'HEAD' ? badForm(answer) : null;
}

const describeRequest = ({ method, path, headers, body }: RawRequest) => {
  const what =
    body === undefined ? '' : ` ${headers?.['Content-Type']} ${JSON.stringify(body.toString().slice(0, 600))}`;
  return `${method} ${path.slice(0, 600)}${what}`;
};

/** Sends generated requests for a while. */
async function fuzz<T>(
  t: ExecutionContext,
  requests: fc.Arbitrary<T>,
  make: (value: T) => Promise<RawRequest> | RawRequest,
) {
  t.timeout((SECONDS + 60) * 1000);
  // The time limit does not wait for the last request: it may still be changing something.
  let last: Promise<void> = Promise.resolve();
  const attempt = async (value: T) => {
    if (changes >= WORN) await freshSandbox();
    const request = await make(value);
    const wrong = await offence(request);
    if (wrong) throw new Error(`${describeRequest(request)}\n  gives ${wrong}`);
  };
  const property = fc.asyncProperty(requests, (value) => (last = attempt(value)));
  statuses = {};
  const result = await fc.check(property, {
    ...SEED,
    numRuns: 1_000_000,
    interruptAfterTimeLimit: SECONDS * 1000,
    endOnFailure: true,
  });
  await last.catch(() => undefined);
  t.log(`${result.numRuns} requests, seed ${result.seed}, answers ${JSON.stringify(statuses)}`);
  t.false(result.failed, `seed ${result.seed}: ${(result.errorInstance as Error | null)?.message}`);
  t.true(result.numRuns > 5);
}

const rarely = <T, N>(value: fc.Arbitrary<T>, otherwise: N) =>
  fc.oneof({ weight: 1, arbitrary: value }, { weight: 4, arbitrary: fc.constant(otherwise) });

/** Parameters that no operation declares, or that the transport reads. */
const others = fc.dictionary(
  fc.oneof(fc.constantFrom('page', 'per_page', 'sort', 'order_by', 'sudo', 'pagination', 'cursor', 'id'), text),
  anyValue,
  { maxKeys: 2 },
);

const routeAnd = fc.constantFrom(...allRoutes).chain((route) => {
  const inPath = pathNames(route.path);
  const fields = Object.entries(route.operation.params.shape) as [string, z.ZodType][];
  const own = fields.filter(([name]) => !inPath.includes(name));
  const generated = (chosen: [string, z.ZodType][]) =>
    fc.record(Object.fromEntries(chosen.map(([name, field]) => [name, valueFor(paramSchema(field))])));
  return fc.record({
    route: fc.constant(route),
    caller: fc.constantFrom(...CALLERS),
    // Most requests use existing records, and break only one or two parameters, so that the code behind validation is
    // reached.
    path: fc.record(Object.fromEntries(inPath.map((name) => [name, rarely(segment, undefined)]))),
    params: fc.subarray(own, { maxLength: Math.min(own.length, 3) }).chain(generated),
    keepExample: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    others: rarely(others, {}),
    carrier: fc.constantFrom('json', 'form', 'query'),
  });
});

const segments = (route: RestRoute, path: Record<string, string | undefined>, example: Record<string, string>) =>
  `/api/v4${route.path.replace(/:(\w+)/g, (_all, name: string) => path[name] ?? encodeURIComponent(example[name] ?? ''))}`;

const asForm = (params: object) => {
  try {
    return qs.stringify(params, { encodeValuesOnly: false });
  } catch {
    // A lone surrogate cannot be encoded.
    return 'a=%ED%A0%80';
  }
};

// Contract: fuzz-1
test.serial(
  'generated parameters of any type, size and depth never break a route, hang, or change data when refused',
  async (t) => {
    await fuzz(t, routeAnd, ({ route, caller, path, params, keepExample, others, carrier }) => {
      const example = getExample(route);
      const all = { ...(keepExample ? example.params : {}), ...params, ...others };
      const url = segments(route, path, example.path);
      const headers = getHeaders(caller);
      if (carrier === 'query' || route.method === 'GET')
        return { method: route.method, path: `${url}?${asForm(all).slice(0, 12_000)}`, headers };
      const [type, body] =
        carrier === 'json'
          ? ['application/json', JSON.stringify(all)]
          : ['application/x-www-form-urlencoded', asForm(all)];
      return { method: route.method, path: url, headers: { ...headers, 'Content-Type': type }, body };
    });
  },
);

const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/xml',
  'application/',
  ';',
  'text/plain; charset=\u00ff',
];

const brokenBody = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      '',
      '{',
      '[',
      '"',
      '{"a":',
      '{"a":1,}',
      '[1]',
      '1',
      'null',
      '"text"',
      '\ufeff{}',
      '{"a":1}{"b":2}',
      'nul',
    )
    .map((body) => Buffer.from(body)),
  fc.tuple(fc.json(), fc.nat(60)).map(([json, at]) => Buffer.from(json.slice(0, at))),
  fc
    .tuple(fc.json(), fc.nat(60), fc.constantFrom(0, 0x80, 0xff, 0xc3))
    .map(([json, at, byte]) =>
      Buffer.concat([Buffer.from(json.slice(0, at)), Buffer.from([byte]), Buffer.from(json.slice(at))]),
    ),
  fc
    .constantFrom(
      'a[',
      'a[]',
      '[a]',
      'a[b][',
      '=',
      '&&&',
      '%',
      '%zz=%zz',
      'a=%FF',
      `a${'[b]'.repeat(5000)}=1`,
      `a${'[]'.repeat(5000)}=1`,
      'a[0]=1&a[b]=2&a=3',
      '__proto__[x]=1',
      'constructor[prototype][x]=1',
      'a&'.repeat(20_000),
    )
    .map((body) => Buffer.from(body)),
  fc
    .constantFrom(
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
      '--x\r\n\r\n',
      '--x--',
      '--y\r\n',
      '--x\r\nContent-Disposition: form-data; name="a[b"\r\n\r\n1',
      '--x\r\nContent-Disposition: form-data; name="a"; filename="../../b"\r\n\r\n1\r\n--x--\r\n',
    )
    .map((body) => Buffer.from(body)),
);

// Contract: fuzz-2
test.serial('broken bodies of any media type never break a route, hang, or change data when refused', async (t) => {
  const withBody = allRoutes.filter((route) => route.method !== 'GET');
  const requests = fc.record({
    route: fc.constantFrom(...withBody),
    caller: fc.constantFrom(...CALLERS),
    type: fc.constantFrom(...TYPES),
    body: brokenBody,
  });
  await fuzz(t, requests, ({ route, caller, type, body }) => {
    const example = getExample(route);
    return {
      method: route.method,
      path: `/api/v4${getPath(example)}`,
      headers: { ...getHeaders(caller), 'Content-Type': type },
      body,
    };
  });
});

const pieces = [
  ...new Set(allRoutes.flatMap(({ path }) => path.split('/').filter((word) => word !== '' && !word.startsWith(':')))),
];

// Contract: fuzz-3
test.serial('paths of any form never break the service or hang', async (t) => {
  const requests = fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'),
    caller: fc.constantFrom(...CALLERS),
    base: fc.constantFrom('/api/v4', '/api/v4/', '/api', '/API/v4', '/-', '', '/api/v4/projects/1'),
    parts: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...pieces) }, { weight: 2, arbitrary: segment }), {
      maxLength: 6,
    }),
    slash: fc.constantFrom('/', '//', '/./'),
    query: fc.constantFrom(
      '',
      '?',
      '?a',
      '?a=%',
      '?a[=1',
      '?private_token=',
      '?private_token[]=x',
      '?access_token=%00',
      '?page=-1',
      '?per_page=0',
      '?sudo=root',
    ),
  });
  await fuzz(t, requests, ({ method, caller, base, parts, slash, query }) => ({
    method,
    path: `${base}/${parts.join(slash)}${query}`.replace(/^$/, '/'),
    headers: getHeaders(caller),
  }));
});

/** Sends each request and returns the errors. */
async function offences(requests: readonly RawRequest[]): Promise<string[]> {
  const problems: string[] = [];
  for (const request of requests) {
    const wrong = await offence(request);
    if (wrong) problems.push(`${describeRequest(request).slice(0, 200)} gives ${wrong}`);
  }
  return problems;
}

// Contract: fuzz-4
test.serial('bodies at the limits of size, number and depth never break a route or hang', async (t) => {
  t.timeout(120_000);
  await freshSandbox();
  const size = 20 * 1024 * 1024;
  const many = (count: number) =>
    Array.from({ length: count }, (_none, index): [string, string] => [`key${index}`, 'v']);
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const bodies: [string, string][] = [
    ...[size - 12, size, size + 1].map(
      (bytes) => ['application/json', `{"name":"${'x'.repeat(bytes - 11)}"}`] as [string, string],
    ),
    ...[size, size + 1].map(
      (bytes) => ['application/x-www-form-urlencoded', `name=${'x'.repeat(bytes - 5)}`] as [string, string],
    ),
    ['application/json', `[${'1,'.repeat(size / 2 - 2)}1]`],
    ...[9_999, 10_000, 10_001].flatMap((count) => [
      ['application/json', JSON.stringify(Object.fromEntries(many(count)))] as [string, string],
      ['application/x-www-form-urlencoded', new URLSearchParams(many(count)).toString()] as [string, string],
    ]),
    ...[31, 32, 33, 1000, 100_000].map((depth) => ['application/json', deep(depth)] as [string, string]),
  ];
  const route = allRoutes.find((candidate) => nameOf(candidate) === 'POST /projects') as RestRoute;
  const requests = bodies.map(([type, body]) => ({
    method: route.method,
    path: `/api/v4${route.path}`,
    headers: { ...getHeaders('developer'), 'Content-Type': type },
    body,
  }));
  t.deepEqual(await offences(requests), []);
});

// Contract: fuzz-5
test.serial(
  'ids at the limits of 32, 53 and 64 bits and beyond never break a route, in path and parameters',
  async (t) => {
    t.timeout(120_000);
    await freshSandbox();
    const ids = ['0', '2147483648', '9223372036854775807', '9223372036854775808', '-1'];
    const headers = getHeaders('admin');
    const problems = await walkRoutes(
      allRoutes,
      () => Promise.resolve(sandbox),
      async (route) => {
        const example = getExample(route);
        const integers = (Object.entries(route.operation.params.shape) as [string, z.ZodType][])
          .filter(([name, field]) => paramSchema(field).type === 'integer' && !(name in example.path))
          .map(([name]) => name);
        const paths = ids.flatMap((id) => [
          ...pathNames(route.path).map((name) => getPath({ ...example, path: { ...example.path, [name]: id } })),
          ...integers.map((name) => `${getPath(example)}?${qs.stringify({ ...example.params, [name]: id })}`),
        ]);
        const wrong: (string | null)[] = [];
        for (const path of paths) {
          const answer = await sendRaw(app, { method: route.method, path: `/api/v4${path}`, headers });
          const form = badForm(answer);
          wrong.push(form && `${route.method} ${path}: ${form}`);
        }
        return wrong;
      },
    );
    t.deepEqual(problems, []);
  },
);
