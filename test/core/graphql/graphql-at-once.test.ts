import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import type { Answer, Client } from '../client.js';

const app = useApp(test, [], { limitsOn: true, trustedProxies: '127.0.0.1' });

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await app.services.db.query<{ waits: number }>(sql`
    select count(*) as waits from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`);
  return row?.waits ?? 0;
}

const QUERY = '{ projects { nodes { id } } }';

/** Sends so many queries that nothing answers until `meanwhile` is done. */
async function whileRunning(client: Client, count: number, meanwhile: () => Promise<void>): Promise<Answer[]> {
  const ctx = app.context();
  let sent: Promise<Answer>[] = [];
  await ctx.transaction(async () => {
    await ctx.query(sql`lock table projects in access exclusive mode`);
    sent = Array.from({ length: count }, () => client.graphql(QUERY));
    while ((await waiting()) < count);
    await meanwhile();
  });
  return Promise.all(sent);
}

// Contract: graphql-2.10
test.serial('a user has so many queries answered at once, and one more is told to come back', async (t) => {
  const [user, other] = [await app.build.user(), await app.build.user()];
  await app.set({ graphql_requests_at_once_limit: 2 });
  const answers = await whileRunning(app.as(user), 2, async () => {
    const { status, body, headers } = await app.as(user).graphql('{ currentUser { id } }');
    t.is(status, 429);
    t.deepEqual(body, { errors: [{ message: 'This endpoint has been requested too many times. Try again later.' }] });
    t.is(headers.get('retry-after'), '1');
    t.is((await app.as(other).graphql('{ currentUser { id } }')).status, 200, 'others are not held up');
    t.is((await app.anonymous.graphql('{ echo(text: "x") }')).status, 200);
    t.is((await app.as(user).get('/version')).status, 200, 'nor is REST');
  });
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  t.is((await app.as(user).graphql('{ currentUser { id } }')).status, 200, 'once they are answered');
});

test.serial('anonymous callers count by address, those of one IPv6 network together', async (t) => {
  await app.set({ graphql_requests_at_once_limit: 1 });
  const from = (address: string) => app.withHeaders({ 'X-Forwarded-For': address });
  await whileRunning(from('2001:db8:1:2::1'), 1, async () => {
    t.is((await from('2001:db8:1:2::2').graphql('{ echo(text: "x") }')).status, 429);
    t.is((await from('2001:db8:1:3::1').graphql('{ echo(text: "x") }')).status, 200);
    t.is((await from('192.0.2.1').graphql('{ echo(text: "x") }')).status, 200);
  });
});

test.serial('queries that fail count no longer than they run', async (t) => {
  const user = await app.build.user();
  await app.set({ graphql_requests_at_once_limit: 1 });
  for (let turn = 0; turn < 5; turn += 1) {
    t.is((await app.as(user).graphql('{ nothing }')).status, 200);
    t.is((await app.as(user).graphql('{ user(username: "a", id: "gid://service/User/1") { id } }')).status, 200);
  }
});

test.serial('at 0 any number is answered', async (t) => {
  const user = await app.build.user();
  await app.set({ graphql_requests_at_once_limit: 0 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.as(user).graphql(QUERY)));
  t.true(answers.every(({ status }) => status === 200));
});
