import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);
const LONG = process.env.CAPSTAN_FAULTS === 'long';
const HISTORIES = LONG ? 1000 : 12;

/** Random numbers from 0 to 1 derived from the seed: a failing history can be reproduced. */
function drawn(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) % 2 ** 32;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface HistorySetup {
  project: { id: number };
  target: { id: number };
  people: readonly BuiltUser[];
}

interface Created {
  readonly threads: string[];
  readonly notes: number[];
}

type Random = () => number;

const ACTIONS = [
  'comment',
  'comment',
  'start',
  'start',
  'reply',
  'reply',
  'reply',
  'resolve',
  'unresolve',
  'resolveNote',
  'edit',
  'delete',
  'convert',
  'lock',
  'unlock',
  'move',
] as const;

/** Performs a random action on an issue's threads, as a random user. @returns the status of the response */
async function act(setup: HistorySetup, path: string, created: Created, random: Random): Promise<number> {
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)];
  const as = app.as(pick(setup.people)!);
  const thread = pick(created.threads) ?? 'a'.repeat(40);
  const note = pick(created.notes) ?? 1;
  const body = `${random()}`;
  const discussions = `${path}/discussions`;
  const keep = <A extends { status: number; body: { id?: unknown; notes?: { id: number }[] } }>(answer: A): number => {
    if (answer.status === 201 && typeof answer.body.id === 'string') created.threads.push(answer.body.id);
    const id = answer.body?.notes?.[0]?.id ?? answer.body?.id;
    if (answer.status === 201 && typeof id === 'number') created.notes.push(id);
    return answer.status;
  };
  switch (pick(ACTIONS)!) {
    case 'comment':
      return keep(await as.post(`${path}/notes`, { body }));
    case 'start':
      return keep(await as.post(discussions, { body }));
    case 'reply':
      return keep(await as.post(`${discussions}/${thread}/notes`, { body }));
    case 'resolve':
      return (await as.put(`${discussions}/${thread}`, { resolved: true })).status;
    case 'unresolve':
      return (await as.put(`${discussions}/${thread}`, { resolved: false })).status;
    case 'resolveNote':
      return (await as.put(`${discussions}/${thread}/notes/${note}`, { resolved: true })).status;
    case 'edit':
      return (await as.put(`${path}/notes/${note}`, { body })).status;
    case 'delete':
      return (await as.delete(`${path}/notes/${note}`)).status;
    case 'convert': {
      const input = { id: `gid://service/Note/${note}` };
      const query = 'mutation ($input: NoteConvertToThreadInput!) { noteConvertToThread(input: $input) { errors } }';
      return (await as.graphql(query, { input })).status;
    }
    case 'lock':
      return (await as.put(path, { discussion_locked: true })).status;
    case 'unlock':
      return (await as.put(path, { discussion_locked: false })).status;
    case 'move':
      return (await as.post(`${path}/move`, { to_project_id: setup.target.id })).status;
  }
}

/** Inconsistencies in the notes of a project's issues, according to the tables: a sentence each. */
async function getProblems(projectIds: readonly number[]): Promise<string[]> {
  const { rows } = await app.services.db.pool.query<{ problem: string }>(
    `with own as (select n.* from notes n where n.project_id = any($1)),
      threads as (
        select o.discussion_id, count(*) as notes, count(distinct o.issue_id) as issues, bool_or(o.type is null) as single
          from own o group by 1)
     select 'issue ' || i.id || ' counts ' || i.user_notes_count || ' notes' as problem from issues i
      where i.project_id = any($1)
        and i.user_notes_count <> (select count(*) from own o where o.issue_id = i.id and not o.system and not o.internal)
     union all
     select 'thread ' || t.discussion_id || ' is of ' || t.issues || ' issues' from threads t where t.issues <> 1
     union all
     select 'a single comment has ' || t.notes || ' notes: ' || t.discussion_id from threads t where t.single and t.notes > 1
     union all
     select 'note ' || o.id || ' is half resolved' from own o where (o.resolved_at is null) <> (o.resolved_by_id is null)
     union all
     select 'note ' || o.id || ' is resolved alone' from own o where o.type is null and o.resolved_at is not null`,
    [projectIds],
  );
  return rows.map(({ problem }) => problem);
}

interface ThreadResponse {
  id: string;
  individual_note: boolean;
  notes: { id: number; created_at: string; system: boolean }[];
}

/** Inconsistencies in the threads as returned. */
function threadProblems(threads: readonly ThreadResponse[], created: Created): string[] {
  const first = threads.map(({ notes }) => notes[0]!);
  const inOrder = (notes: readonly { id: number; created_at: string }[]) =>
    notes.every((note, at) => {
      const before = notes[at - 1];
      return (
        !before || before.created_at < note.created_at || (before.created_at === note.created_at && before.id < note.id)
      );
    });
  const ids = new Set(threads.map(({ id }) => id));
  return [
    ...(inOrder(first) ? [] : ['threads are out of order']),
    ...threads.filter(({ notes }) => !inOrder(notes)).map(({ id }) => `thread ${id} is out of order`),
    ...threads
      .filter(({ individual_note: single, notes }) => single && notes.length > 1)
      .map(({ id }) => `${id} is none`),
    ...(ids.size === threads.length ? [] : ['a thread is told twice']),
    ...(created.threads.length > 0 || threads.every(({ notes }) => notes.length > 0)
      ? []
      : ['an empty thread is told']),
  ];
}

/** Several people do things to the threads of one issue at once, some times. */
async function history(setup: HistorySetup, seed: number): Promise<string[]> {
  const random = drawn(seed);
  const [owner] = setup.people as [BuiltUser];
  const as = app.as(owner);
  const { body: issue } = await as.post(`/projects/${setup.project.id}/issues`, { title: `History ${seed}` });
  const path = `/projects/${setup.project.id}/issues/${issue.iid}`;
  const created: Created = { threads: [], notes: [] };
  const problems: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const doers = Array.from({ length: 2 + Math.floor(random() * 3) }, () => act(setup, path, created, random));
    const failed = (await Promise.all(doers)).filter((status) => status >= 500);
    problems.push(...failed.map((status) => `answered ${status}`));
  }
  const threads = (await as.get(`${path}/discussions?per_page=100`)).body as ThreadResponse[];
  return [...problems, ...threadProblems(threads, created)].map((problem) => `history ${seed}: ${problem}`);
}

// Contract: notes.histories
test('whatever people do to threads at once leaves each consistent, and counted', async (t) => {
  t.timeout(LONG ? 1_800_000 : 120_000);
  const owner = await app.build.user();
  const [project, target] = [await app.build.project({ owner }), await app.build.project({ owner })];
  const people = [owner, await app.build.member(project, 'developer'), await app.build.member(project, 'guest')];
  const setup = { project, target, people };
  const problems: string[] = [];
  const first = Math.floor(Math.random() * 1e6);
  for (let seed = first; seed < first + HISTORIES && problems.length === 0; seed += 4)
    problems.push(
      ...(await Promise.all([0, 1, 2, 3].map((one) => history(setup, seed + one)))).flat(),
      ...(LONG && seed % 50 > 3 ? [] : await getProblems([project.id, target.id])),
    );
  t.deepEqual(problems, []);
});
