import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { del, get, post, put, routes } from '../../../api/core/routes.js';
import { sendText } from '../../../api/core/respond.js';
import { Conflict, Invalid } from '../../../shared/core/values/errors.js';
import {
  clearable,
  clearableText,
  boolean,
  object,
  instant,
  integer,
  list,
  optional,
  oneOf,
  oneOfIntegers,
  presentText,
  text,
  textHash,
  upload,
  withDefault,
} from '../../../shared/core/operations/fields.js';
import { instance, operation } from '../../../shared/core/operations/operation.js';
import { getAtLeastOne, mutuallyExclusive, notTogether } from '../../../shared/core/operations/params.js';
import { sql } from 'kysely';

/** Operations that show what core does with a request, where no area does so yet. */
const open = { resource: instance, authentication: 'open', kind: 'read' } as const;

const echo = operation({
  name: 'echo',
  ...open,
  summary: 'Answer the parameters',
  params: {
    id: optional(text()),
    text: optional(text()),
    cleared: clearableText(),
    number: optional(integer()),
    cleared_number: clearable(integer()),
    on: optional(boolean()),
    at: optional(instant()),
    texts: optional(list(text())),
    numbers: optional(list(integer())),
    words: optional(list(oneOf(['red', 'blue']), { commas: true })),
    levels: optional(
      list(object({ level: oneOfIntegers([30, 40]), note: optional(text()), tags: optional(list(text())) })),
    ),
    free: optional(textHash()),
    color: withDefault(oneOf(['red', 'blue']), 'red'),
  },
  run: (_ctx, _instance, input) => Promise.resolve(input),
});

const measure = operation({
  name: 'measure',
  ...open,
  summary: 'Tell how long a text is',
  params: { text: text() },
  run: (_ctx, _instance, input) => Promise.resolve({ length: input.text.length }),
});

const strict = operation({
  name: 'strict',
  ...open,
  summary: 'Want everything',
  params: {
    name: text(),
    colors: list(oneOf(['red', 'blue'])),
    level: oneOfIntegers([30, 40]),
    title: presentText(),
    count: integer(),
    on: boolean(),
    at: instant(),
  },
  run: (_ctx, _instance, input) => Promise.resolve(input),
});

const together = operation({
  name: 'together',
  ...open,
  summary: 'Want parameters that fit each other',
  params: {
    a: optional(text()),
    b: optional(text()),
    name: optional(text()),
    search: optional(text()),
    count: integer(),
  },
  rules: [mutuallyExclusive('a', 'b'), notTogether('name', 'search'), getAtLeastOne('a', 'b', 'name')],
  run: (_ctx, _instance, input) => Promise.resolve(input),
});

/** The errors thrown, by the requested name. */
const FAILURES: Record<string, () => never> = {
  hash: () => {
    throw new Invalid({ cron: ['syntax is invalid'], base: ['Too many'] });
  },
  list: () => {
    throw new Invalid(['Name has already been taken'], 422);
  },
  sentence: () => {
    throw new Invalid("Scopes can't be blank");
  },
  reason: () => {
    throw new Invalid('400 Bad request - Search query is less than 3 characters');
  },
  conflict: () => {
    throw new Conflict('The record is in use');
  },
  bug: () => {
    throw new Error('a secret detail');
  },
};

const fail = operation({
  name: 'fail',
  ...open,
  summary: 'Fail',
  params: { how: text() },
  run: (_ctx, _instance, input) => Promise.resolve(FAILURES[input.how]?.()),
});

const lockTwice = operation({
  name: 'lockTwice',
  resource: instance,
  authentication: 'open',
  kind: 'write',
  scopes: ['api'],
  summary: 'Wait for a lock, but not for long',
  async run(ctx) {
    await ctx.query(sql`set local lock_timeout = '50ms'`);
    await ctx.query(sql`select pg_advisory_xact_lock(4711)`);
    return {};
  },
});

const storeNumber = operation({
  name: 'storeNumber',
  ...open,
  summary: 'Compare with a small column',
  params: { number: integer() },
  async run(ctx, _instance, input) {
    const [row] = await ctx.query<object>(sql`select ${input.number}::int as "number"`);
    return row;
  },
});

const receive = operation({
  name: 'receive',
  resource: instance,
  authentication: 'open',
  kind: 'write',
  summary: 'Take a file',
  params: { name: optional(text()), file: upload() },
  async run(_ctx, _instance, input) {
    const { path, filename, mediaType, bytes } = input.file;
    return { name: input.name, path, filename, mediaType, bytes, content: await readFile(path, 'utf8') };
  },
});

const there = operation({
  name: 'there',
  ...open,
  summary: 'Tell whether a file exists',
  params: { path: text() },
  run: (_ctx, _instance, input) => Promise.resolve({ exists: existsSync(input.path) }),
});

const numbers = operation({
  name: 'numbers',
  ...open,
  summary: 'A list in memory',
  params: { count: integer() },
  run: (_ctx, _instance, input) => Promise.resolve(Array.from({ length: input.count }, (_value, index) => index + 1)),
});

const rows = operation({
  name: 'rows',
  ...open,
  summary: 'Rows of a thousand characters',
  params: { count: integer() },
  run: (ctx, _instance, input) =>
    ctx.query<object>(sql`select g as id, repeat('x', 1000) as text from generate_series(1, ${input.count}::int) g`),
});

const long = operation({
  name: 'long',
  ...open,
  summary: 'A list of texts, or one',
  params: { length: integer(), count: optional(integer()) },
  run(_ctx, _instance, input) {
    const record = { text: 'ä'.repeat(input.length) };
    return Promise.resolve(input.count === undefined ? record : Array.from({ length: input.count }, () => record));
  },
});

const raw = operation({
  name: 'raw',
  ...open,
  summary: 'Raw content',
  run: () => Promise.resolve('<b>not HTML</b>'),
});

export const echoRoutes = routes('', [
  get('/echo', echo),
  post('/echo', echo),
  put('/echo/:id', echo),
  get('/echo/:id', echo),
  post('/measure', measure),
  del('/echo/:id', echo),
  post('/strict', strict),
  get('/together', together),
  post('/fail', fail),
  post('/lock', lockTwice),
  get('/number', storeNumber),
  post('/receive', receive, { uploadLimit: () => 1024 * 1024 }),
  get('/there', there),
  get('/numbers', numbers, { paginate: 'offset' }),
  get('/rows', rows, { paginate: 'offset' }),
  get('/long', long, { paginate: 'none' }),
  get('/raw', raw, { respond: (koa, _ctx, content) => sendText(koa, content) }),
]);
