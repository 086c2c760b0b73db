import test from 'ava';
import { useApp } from '../app.js';
import { aliases, LONGEST, HOSTILE_QUERIES, times } from './hostile-queries.js';

const app = useApp(test);

for (const [what, [query, message]] of Object.entries(HOSTILE_QUERIES)) {
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
