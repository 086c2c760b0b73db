import test from 'ava';
import { useApp } from '../app.js';

const app = useApp(test);

const LONGEST = 10_000;
const times = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, i) => write(i));
const aliases = (count: number) => `{ ${times(count, (i) => `a${i}:__typename`).join(' ')} }`;
const deep = (depth: number) => `{ group(fullPath: "a/b") { ${'parent{'.repeat(depth)} id ${'}'.repeat(depth + 2)}`;
const doubling = (layers: number) =>
  [
    '{ ...F0 }',
    ...times(layers, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`),
    `fragment F${layers} on Query { metadata { version } }`,
  ].join(' ');

/** What is sent, and how its refusal begins. */
const REFUSED: Record<string, [query: string, message: RegExp]> = {
  '600 aliases of one leaf': [aliases(600), /^Query has complexity of 600, which exceeds max complexity of 200$/],
  'a circle of fragments': [
    '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
    /^Cannot spread fragment "A" within itself via "B"\.$/,
  ],
  'a fragment within itself': ['{ ...A } fragment A on Query { ...A }', /^Cannot spread fragment "A" within itself\.$/],
  '2^40 expansions': [doubling(40), /^Query (has complexity|exceeds the maximum allowed number of nodes)/],
  'fields nested 1,000 deep': [deep(1000), /^Query has complexity of 1002, which exceeds/],
  '600 directives on one field': [
    `{ echo(text: "x") ${'@skip(if:true)'.repeat(600)} }`,
    /^The directive "@skip" can only be used once at this location\.$/,
  ],
  '3,000 unknown directives on one field': [`{ __typename ${'@a'.repeat(3000)} }`, /^Directive @a is not defined$/],
  '700 operations': [
    times(700, (i) => `query q${i}{__typename}`)
      .join(' ')
      .slice(0, LONGEST - 20),
    /./,
  ],
  '1,000 unknown fields': [
    `{ ${times(1000, (i) => `x${i}`).join(' ')} }`,
    /^Field 'x0' doesn't exist on type 'Query'$/,
  ],
  '300 variables that nobody declared': [
    `{ ${times(300, (i) => `a${i}:echo(text:$v${i})`).join(' ')} }`,
    /^Variable \$v0 is used by anonymous query but not declared$/,
  ],
};

for (const [what, [query, message]] of Object.entries(REFUSED)) {
  // Contract: graphql-2.12
  test.serial(`${what}: refused with five errors at most, without any statement`, async (t) => {
    t.true(query.length <= LONGEST, `${query.length} characters`);
    await app.anonymous.graphql('{ __typename }');
    const before = app.services.db.statements;
    const { status, body } = await app.anonymous.graphql(query);
    t.is(app.services.db.statements, before);
    t.is(status, 200);
    t.false('data' in body);
    t.true(body.errors.length >= 1 && body.errors.length <= 5, JSON.stringify(body.errors.length));
    t.regex(body.errors[0].message, message);
  });
}

// Contract: graphql-2.12
test.serial('a bomb of 10,000 aliases, or of 5,000 directives, is longer than a query may be', async (t) => {
  for (const query of [aliases(10_000), `{ __typename ${'@skip(if:true)'.repeat(5000)} }`]) {
    const before = app.services.db.statements;
    t.is((await app.anonymous.graphql(query)).status, 422);
    t.is(app.services.db.statements, before);
  }
});

// Contract: graphql-2.12
test.serial(
  'a batch of 50 queries that each reach the limit asks the database no more than the first of them',
  async (t) => {
    const user = await app.build.user();
    const query = `{ ${times(83, (i) => `a${i}:currentUser{id name}`).join(' ')} }`;
    const batch = (count: number) =>
      app
        .as(user)
        .raw('POST', '/api/graphql', JSON.stringify(times(count, () => '').map(() => ({ query }))), 'application/json');
    await batch(1);
    const one = await app.statementsOf(() => batch(1));
    let answers: { errors?: { message: string }[]; data?: unknown }[] = [];
    const all = await app.statementsOf(async () => {
      answers = (await batch(50)).body;
    });
    t.is(answers.length, 50);
    t.true(answers.every(({ errors }) => /exceeds max complexity/.test(errors?.[0]?.message ?? '')));
    t.true(all <= one, `${all} statements, ${one} for one query`);
  },
);
