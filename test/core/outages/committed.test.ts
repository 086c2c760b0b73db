import test from 'ava';
import { ITSELF } from '../../../shared/core/database/pool-limit.js';
import { sql } from 'kysely';
import { TestApp, useApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import { refsIn, workTree } from '../../repositories/git-http/push-client.js';
import { endBackend } from './terminated-connections.js';
import { writeAndReadOf, writeAndReadRoutes } from './write-and-read.js';
import { queryOne } from '../query-one.js';

/** Called within each transaction that records something, as its last step before the commit. */
let beforeCommit: () => void = () => undefined;
const POOL = 3;

const app = useApp(test, writeAndReadRoutes, {
  poolSize: POOL,
  work: { callerShare: 1, acquireTimeout: 100 },
  subscribers: [
    {
      name: 'before the commit',
      types: ['issue.created', 'note.created', 'refs.updated'] as never,
      handle: () => {
        beforeCommit();
        return Promise.resolve();
      },
    },
  ],
});
const beside = new TestApp([], { beside: app });
test.serial.before('start the other', () => beside.start());
test.serial.after.always('stop the other', () => beside.stop());

/**
 * Fills the pool from within the transaction of the sent request: other tasks wait for the slot that it releases, and
 * hold it.
 * @returns the response, which arrives while the pool is full
 */
async function withFullPool<R>(send: () => Promise<R>): Promise<R> {
  const { db } = app.services;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const holders: Promise<unknown>[] = [];
  beforeCommit = () => {
    beforeCommit = () => undefined;
    const hold = () => db.withSlot(ITSELF, () => held).catch(() => undefined);
    // Each task that times out is followed by another one.
    const keep = async (): Promise<void> => {
      let open = true;
      void held.then(() => (open = false));
      while (open) await hold();
    };
    holders.push(...Array.from({ length: POOL + 2 }, keep));
  };
  try {
    return await send();
  } finally {
    letGo();
    await Promise.all(holders);
  }
}

const titled = (project: { id: number }, title: string) =>
  beside.services.db.query(sql`select 1 from issues i where i.project_id = ${project.id} and i.title = ${title}`);

// Contract: outages-3.answered
test.serial('what is committed is answered as such while no other place of the pool is free', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  for (const title of ['one', 'two', 'three']) {
    const {
      status,
      body,
      text: said,
    } = await withFullPool(() => owner.post(`/projects/${project.id}/issues`, { title, labels: 'a,b' }));
    t.is(status, 201, said);
    t.is(body.title, title);
    t.deepEqual(body.labels, ['a', 'b']);
    t.is((await titled(project, title)).length, 1);
  }
});

// Contract: outages-3.answered
test.serial('what a mutation commits is answered as done while no other place of the pool is free', async (t) => {
  const project = await app.build.project();
  const query = `mutation { createIssue(input: { projectPath: "${project.full_path}", title: "x" }) {
    errors issue { iid title author { username } labels { nodes { title } } participants { nodes { username } } } } }`;
  await app.as(project.owner).graphql('{ currentUser { id } }');
  const { status, text: said, body } = await withFullPool(() => app.as(project.owner).graphql(query));
  t.is(status, 200, said);
  t.is(body.errors, undefined, said);
  t.is(body.data.createIssue.issue.author.username, project.owner.username);
  t.is((await titled(project, 'x')).length, 1);
});

// Contract: outages-3.answered
test.serial('a push that landed is answered as landed', async (t) => {
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  const sha = await work.commit('a.txt');
  const pushed = await withFullPool(() => work.push(['HEAD:refs/heads/new']));
  t.is(pushed.code, 0, pushed.stderr);
  t.is((await refsIn(app, project))['refs/heads/new'], sha);
});

// Contract: outages-3.lost
test.serial('an answer whose connection ends after the commit is read on another one', async (t) => {
  let times = 0;
  const { status, body, rows } = await writeAndReadOf(app, beside, 'ends', async (ctx) => {
    times += 1;
    const row = await queryOne<{ pid: number }>(ctx, sql`select pg_backend_pid() as pid`);
    await endBackend(beside, row!.pid);
  });
  t.is(status, 201);
  t.deepEqual(body, { id: 7, name: 'ends' });
  t.is(times, 1);
  t.is(rows, 1);
});

// Contract: outages-3.answered
test.serial(
  'while others wait for a lock that somebody holds, an answer tells whether the change was made',
  async (t) => {
    const project = await app.build.project();
    const owner = app.as(project.owner);
    const locked = (await owner.post(`/projects/${project.id}/issues`, { title: 'locked' })).body;
    const others: BuiltUser[] = [];
    for (let count = 0; count < 3; count += 1) others.push(await app.build.member(project, 'maintainer'));
    const ctx = beside.context();
    const answers = await ctx.transaction(async () => {
      await ctx.query(sql`select 1 from issues i where i.id = ${locked.id} for update`);
      let open = true;
      const pressing = others.map(async (other) => {
        while (open) await app.as(other).put(`/projects/${project.id}/issues/${locked.iid}`, { title: 'never' });
      });
      const found: [string, number][] = [];
      for (let count = 0; count < 8; count += 1) {
        const title = `beside ${count}`;
        found.push([title, (await owner.post(`/projects/${project.id}/issues`, { title })).status]);
      }
      open = false;
      return { found, pressing };
    });
    await Promise.all(answers.pressing);
    for (const [title, status] of answers.found)
      t.is((await titled(project, title)).length, status === 201 ? 1 : 0, `${title} was answered ${status}`);
  },
);
