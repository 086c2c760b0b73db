import test from 'ava';
import { useApp } from '../../core/app.js';
import { changedFile, numbered, positionOn, update } from './diff-steps.js';

const app = useApp(test);

interface Thread {
  id: string;
  notes: { body: string; resolved: boolean; position: Record<string, unknown> }[];
}

// Contract: notes-6.moved
test('threads follow their lines into a new version; those whose lines are gone stay where they were', async (t) => {
  const { project, as, branch, after, refs, discussions } = await changedFile(app, {}, numbered(60));
  const before = await refs();
  const stand = async (lines: Record<string, unknown>) =>
    (await as.post(discussions, { body: 'Why?', position: positionOn(before, lines) })).body.id as string;
  const [added, changed, removed, stays] = [
    await stand({ new_line: 16 }),
    await stand({ new_line: 10 }),
    await stand({ old_line: 18 }),
    await stand({ old_line: 12, new_line: 12 }),
  ];
  // Two lines come above all, and what was changed is changed again.
  const next = ['new 1\n', 'new 2\n', ...after.with(9, 'changed once more\n')];
  await update(app, project, branch, next.join(''));
  await app.work();
  const now = await refs();
  t.not(now.head_sha, before.head_sha);
  const threads = (await as.get(`${discussions}?per_page=100`)).body as Thread[];
  const getPosition = (id: string) => threads.find((thread) => thread.id === id)!.notes[0]!.position;
  t.like(getPosition(added), { ...now, new_line: 18, old_line: null });
  t.like(getPosition(removed), { ...now, old_line: 18, new_line: null });
  t.like(getPosition(stays), { ...now, old_line: 12, new_line: 14 });
  t.like(getPosition(changed), { ...before, new_line: 10, old_line: null });
  t.true(threads.every(({ notes }) => !notes[0]!.resolved));
  // Another push does not change outdated threads.
  await update(app, project, branch, [...next, 'more\n'].join(''));
  await app.work();
  const again = (await as.get(`${discussions}?per_page=100`)).body as Thread[];
  t.like(again.find(({ id }) => id === changed)!.notes[0]!.position, { ...before, new_line: 10 });
  t.like(again.find(({ id }) => id === added)!.notes[0]!.position, { ...(await refs()), new_line: 18 });
  // A reply has the thread's current position.
  const reply = await as.post(`${discussions}/${added}/notes`, { body: 'Still?' });
  t.is(reply.body.position.new_line, 18);
});

// Contract: notes-6.resolved
test('a project may have outdated threads resolved by whoever pushes', async (t) => {
  const { project, as, branch, after, refs, discussions } = await changedFile(app, {});
  await as.put(`/projects/${project.id}`, { resolve_outdated_diff_discussions: true });
  const { body } = await as.post(discussions, { body: 'Why?', position: positionOn(await refs(), { new_line: 10 }) });
  const question = await as.post(discussions, { body: 'And?', position: positionOn(await refs(), { new_line: 16 }) });
  await update(app, project, branch, after.with(9, 'changed once more\n').join(''));
  await app.work();
  const [note] = (await as.get(`${discussions}/${body.id}`)).body.notes;
  t.true(note.resolved);
  t.is(note.resolved_by.id, project.owner.id);
  t.false((await as.get(`${discussions}/${question.body.id}`)).body.notes[0].resolved);
});

// Contract: notes-6.many
test.serial('a push moves 1,000 positions by a job, whose statements do not grow with them', async (t) => {
  t.timeout(180_000);
  const lines = numbered(2000);
  const { project, as, branch, after, refs, discussions, id } = await changedFile(app, {}, lines);
  const position = positionOn(await refs(), { new_line: 16 });
  const { body } = await as.post(discussions, { body: 'Why?', position });
  // The same thread a thousand times, as if created by that many users.
  await app.services.db.pool.query(
    `insert into notes (project_id, merge_request_id, discussion_id, type, note, author_id, position, original_position,
                        created_at, updated_at)
     select n.project_id, n.merge_request_id, encode(sha256(i::text::bytea), 'hex')::char(40), n.type, n.note,
            n.author_id, n.position, n.original_position, n.created_at, n.updated_at
       from notes n, generate_series(1, 999) i where n.discussion_id = $1`,
    [body.id],
  );
  await update(app, project, branch, ['above\n', ...after].join(''));
  const before = app.services.db.statements;
  await app.work();
  const statements = app.services.db.statements - before;
  t.true(statements <= 130, `${statements} statements`);
  const { rows } = await app.services.db.pool.query(
    `select count(*)::int as count from notes n where n.merge_request_id = $1 and (n.position->>'new_line')::int = 17`,
    [id],
  );
  t.is(rows[0].count, 1000);
});
