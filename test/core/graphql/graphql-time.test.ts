import test from 'ava';
import { TurnScheduler } from '../../../api/core/graphql/turn-scheduler.js';
import { Turns, getTurnTaker } from '../../../api/core/graphql/turns.js';
import { Execution } from '../../../api/core/graphql/request.js';
import { TimeLimit } from '../../../api/core/graphql/time-limit.js';
import { loadGraphql } from '../../../api/graphql.js';
import { ANONYMOUS, UserCaller } from '../../../shared/core/context/callers.js';
import type { UserOrAnonymous } from '../../../shared/core/context/callers.js';
import { currentReads } from '../../../shared/core/database/driver/current-reads.js';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import { somebodyWaits } from '../holding.js';

const app = useApp(test);
const engine = await loadGraphql();

/** Runs queries as one request does, with a time limit that the test ends. */
function begin(caller: UserOrAnonymous, queries: readonly string[], time = new TimeLimit()) {
  const entries = queries.map((query) => ({ query, operationName: null, variables: {} }));
  return currentReads.run({ reads: null }, () => {
    const execution = new Execution(app.services, caller, { requestId: 'test', ip: null }, time);
    const prepared = engine.prepareAll(execution, engine.variant(false), entries);
    return { time, answers: prepared.then((checked) => engine.runAll(execution, checked)) };
  });
}

const work = (milliseconds: number) => {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
};

/** Ends the time of a query that waits for a lock on a table, which is held until it is answered. */
async function queryUntilTimeout(table: string, caller: UserOrAnonymous, query: string) {
  const ctx = app.context();
  return ctx.transaction(async () => {
    await ctx.query(sql`lock table ${sql.raw(table)} in access exclusive mode`);
    const { time, answers } = begin(caller, [query]);
    await somebodyWaits(app, () => false);
    time.end();
    return (await answers)[0];
  });
}

// Contract: graphql-2.6
test.serial('what waits when the time is over says so at its path, and the rest is answered at once', async (t) => {
  const project = await app.build.project({ empty: true });
  const answer = await queryUntilTimeout(
    'pipelines',
    new UserCaller(project.owner),
    `{ project(fullPath: "${project.full_path}") {
         name pipelines { nodes { id } } pipelineSchedules { nodes { id } } } }`,
  );
  t.deepEqual(JSON.parse(JSON.stringify(answer?.data)), {
    project: { name: project.name, pipelines: { nodes: null }, pipelineSchedules: { nodes: null } },
  });
  t.deepEqual(
    answer?.errors?.map(({ message, path }) => ({ message, path })),
    [
      { message: 'Timeout on PipelineConnection.nodes', path: ['project', 'pipelines', 'nodes'] },
      { message: 'Timeout on PipelineScheduleConnection.nodes', path: ['project', 'pipelineSchedules', 'nodes'] },
    ],
  );
});

// Contract: graphql-2.6
test.serial('after the time is over nothing more is read', async (t) => {
  const project = await app.build.project({ empty: true });
  const reads: string[] = [];
  const { db } = app.services;
  const queryAll = db.queryAll.bind(db);
  db.queryAll = (statements, ...rest) => {
    reads.push(...statements.map(({ text }) => text).filter((text) => !text.includes('pg_stat_activity')));
    return queryAll(statements, ...rest);
  };
  try {
    const query = `{ project(fullPath: "${project.full_path}") { namespace { projects { nodes { forksCount } } } } }`;
    await begin(new UserCaller(project.owner), [query]).answers;
    const whole = reads.splice(0);
    t.true(whole.length > 1);
    await queryUntilTimeout('projects', new UserCaller(project.owner), query);
    // Whatever would have followed the first had its turns by then.
    for (let turn = 0; turn < 10; turn += 1) await queryAll([{ text: 'select 1 as one', values: [] }]);
    t.deepEqual(reads, whole.slice(0, 1));
  } finally {
    db.queryAll = queryAll;
  }
});

// Contract: graphql-2.6
test.serial('the queries of a batch share one time', async (t) => {
  const time = new TimeLimit();
  const { answers } = begin(ANONYMOUS, ['{ a: echo(text: "x") }', '{ b: echo(text: "x") }'], time);
  t.deepEqual(
    (await answers).map(({ errors }) => errors),
    [undefined, undefined],
  );
  t.true(time.over, 'once they are answered, nothing of them goes on');
  const late = begin(ANONYMOUS, ['{ a: echo(text: "x") }', '{ b: echo(text: "x") }'], time);
  for (const { errors } of await late.answers) t.is(errors?.[0]?.message, 'Timeout on validation of query');
});

test.serial('others have their turn between the queries of a batch while they are checked', async (t) => {
  let turns = 0;
  let others = true;
  const other = () => {
    turns += 1;
    if (others) setImmediate(other);
  };
  setImmediate(other);
  const execution = new Execution(app.services, ANONYMOUS, { requestId: 'test', ip: null });
  const entries = Array.from({ length: 50 }, () => ({ query: '{ nothing }', operationName: null, variables: {} }));
  await engine.prepareAll(execution, engine.variant(false), entries);
  others = false;
  t.true(turns >= 49, String(turns));
});

test('the time is over by the clock also where nothing lets a timer ring, and when the client is gone', (t) => {
  const short = new TimeLimit(undefined, 0);
  work(1);
  t.true(short.over);
  const client = new AbortController();
  const time = new TimeLimit(client.signal);
  t.false(time.over);
  client.abort();
  t.true(time.over);
  t.true(time.signal.aborted);
  t.true(new TimeLimit(client.signal).over);
});

test('the nodes of a large answer let others have a turn between them', async (t) => {
  const scheduler = new TurnScheduler(getTurnTaker('user 1', new Turns()));
  let turns = 0;
  let others = true;
  const other = () => {
    turns += 1;
    if (others) setImmediate(other);
  };
  setImmediate(other);
  const done: number[] = [];
  const nodes = Array.from({ length: 50 }, (_, index) => scheduler.give(index)).map(async (node) => {
    done.push(await node);
    work(6);
  });
  await scheduler.settled();
  t.is(done.length, 50, 'by then each had its turn');
  await Promise.all(nodes);
  others = false;
  t.deepEqual(
    done,
    Array.from({ length: 50 }, (_, index) => index),
  );
  // Those beyond the first twenty take longer than a turn each.
  t.true(turns >= 30, String(turns));
});

test('few nodes are given at once', (t) => {
  const scheduler = new TurnScheduler(getTurnTaker('user 1', new Turns()));
  for (let node = 0; node < 20; node += 1) t.is(scheduler.give(node), node);
});

test('callers take turns, whatever many requests of one of them wait; of one caller what began first goes first', async (t) => {
  const turns = new Turns();
  const done: string[] = [];
  const work = async (name: string, turn: () => Promise<void> | undefined) => {
    await turn();
    done.push(name);
  };
  const [first, second, third] = [0, 0, 0].map(() => getTurnTaker('user 1', turns));
  const other = getTurnTaker('user 2', turns);
  t.is(turns.take('user 3', 0), undefined, 'nobody else took this turn');
  await Promise.all([
    work('third', third!),
    work('first', first!),
    work('second', second!),
    work('first again', first!),
    work('other', other),
  ]);
  t.deepEqual(done, ['first', 'other', 'first again', 'second', 'third']);
  t.is(getTurnTaker('user 1', turns)() instanceof Promise, true, 'the turn of the last is not over');
});
