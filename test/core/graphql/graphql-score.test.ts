import test from 'ava';
import { useApp } from '../app.js';

const app = useApp(test);
const QUERY = '{ currentUser { id } queryComplexity { score } }';

// Contract: graphql-2.11
test.serial(
  'a user may ask for so much complexity in a minute, told in headers, and is then refused as by a throttle',
  async (t) => {
    const [user, other] = [await app.build.user(), await app.build.user()];
    const off = await app.as(user).graphql(QUERY);
    t.is(off.headers.get('graphql-score-limit'), null);
    const { score } = off.body.data.queryComplexity;
    app.clock.set('2030-06-01T12:00:00Z');
    await app.set({ graphql_score_limit: 2 * score });
    for (const left of [score, 0]) {
      const { status, headers } = await app.as(user).graphql(QUERY);
      t.is(status, 200);
      t.is(headers.get('graphql-score'), String(score));
      t.is(headers.get('graphql-score-limit'), String(2 * score));
      t.is(headers.get('graphql-score-remaining'), String(left));
      t.is(headers.get('graphql-score-reset'), String(Date.parse('2030-06-01T12:01:00Z') / 1000));
    }
    const rejection = await app.as(user).graphql(QUERY);
    t.deepEqual([rejection.status, rejection.text], [429, 'Retry later\n']);
    t.is(rejection.headers.get('retry-after'), '60');
    t.is(rejection.headers.get('ratelimit-name'), 'graphql_score');
    t.is((await app.as(other).graphql(QUERY)).status, 200, 'others are not held up');
    t.is((await app.as(user).get('/version')).status, 200, 'nor is REST');
    app.clock.advance('1 minute');
    t.is((await app.as(user).graphql(QUERY)).status, 200, 'in the next minute');
  },
);

// Contract: graphql-2.11
test.serial('queries of a batch add up, and what is refused counts as well', async (t) => {
  const user = await app.build.user();
  app.clock.set('2030-06-02T12:00:00Z');
  await app.set({ graphql_score_limit: 10 });
  const batch = JSON.stringify([{ query: '{ currentUser { id } }' }, { query: '{ nothing }' }]);
  const { headers } = await app.as(user).raw('POST', '/api/graphql', batch, 'application/json');
  t.is(headers.get('graphql-score'), '3');
  const aliases = Array.from({ length: 300 }, (_, index) => `a${index}: __typename`).join(' ');
  t.is((await app.as(user).graphql(`{ ${aliases} }`)).status, 429);
});
