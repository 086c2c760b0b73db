import test from 'ava';
import { createHash } from 'node:crypto';
import { useApp } from '../../core/app.js';
import { changedFile, positionOn } from './diff-steps.js';

const app = useApp(test);
const NO_LINE = '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}';
const code = (old: number, now: number) => `${createHash('sha1').update('code.txt').digest('hex')}_${old}_${now}`;

// Contract: notes-6.1, notes-6.lines, notes-2.position
test('a thread stands on an added line, a removed one, or one that stays', async (t) => {
  const { as, discussions, refs } = await changedFile(app);
  const commits = await refs();
  for (const lines of [{ new_line: 16 }, { old_line: 18 }, { old_line: 12, new_line: 12 }, { new_line: 10 }]) {
    const { status, body } = await as.post(discussions, { body: 'Why?', position: positionOn(commits, lines) });
    t.is(status, 201, JSON.stringify(body));
    t.false(body.individual_note);
    const [note] = body.notes;
    t.is(note.type, 'DiffNote');
    t.is(note.commit_id, null);
    t.deepEqual(Object.keys(note.position), [
      'base_sha',
      'start_sha',
      'head_sha',
      'old_path',
      'new_path',
      'position_type',
      'old_line',
      'new_line',
      'line_range',
    ]);
    t.deepEqual(note.position, {
      ...positionOn(commits, { old_line: null, new_line: null, line_range: null, ...lines }),
    });
    const reply = await as.post(`${discussions}/${body.id}/notes`, { body: 'Because' });
    t.is(reply.body.type, 'DiffNote');
    t.deepEqual(reply.body.position, note.position);
    t.true(reply.body.resolvable);
  }
  // The Notes API also lists diff notes, because the interface document excludes only those of other threads.
  t.is((await as.get(discussions.replace('discussions', 'notes'))).body.length, 8);
});

// Contract: notes-6.range, notes-6.3
test('a thread covers several lines, each named by its code; the range is not turned round', async (t) => {
  const { as, discussions, refs } = await changedFile(app);
  const commits = await refs();
  const ends = { start: { line_code: code(10, 10), type: 'old', old_line: 10 }, end: { new_line: 10, type: 'new' } };
  const position = positionOn(commits, { new_line: 10, line_range: ends });
  const { status, body } = await as.post(discussions, { body: 'These', position });
  t.is(status, 201, JSON.stringify(body));
  t.deepEqual(body.notes[0].position.line_range, {
    start: { line_code: code(10, 10), type: 'old', old_line: 10, new_line: null },
    end: { line_code: code(11, 10), type: 'new', old_line: null, new_line: 10 },
  });
  const reversed = await as.post(discussions, {
    body: 'These',
    position: positionOn(commits, { new_line: 10, line_range: { start: ends.end, end: ends.start } }),
  });
  t.deepEqual([reversed.status, reversed.body.message], [400, '400 Bad request - Note {:position=>["is invalid"]}']);
});

// Contract: notes-6.4, notes-6.bad
test('what is outside the diff is refused, and so are commits of another project', async (t) => {
  const [here, there] = [await changedFile(app), await changedFile(app)];
  const refs = await here.refs();
  const post = (position: object) => here.as.post(here.discussions, { body: 'x', position });
  for (const lines of [
    { new_line: 1 },
    { new_line: 0 },
    { new_line: -1 },
    { new_line: 2 ** 31 },
    { old_line: 1, new_line: 2 },
    { new_line: 12 },
    { new_line: 16, old_path: 'other.txt', new_path: 'other.txt' },
    { new_line: 16, old_path: 'x'.repeat(10_000), new_path: 'x'.repeat(10_000) },
    { new_line: 16, old_path: '../code.txt', new_path: ':(glob)*' },
  ]) {
    const { status, body } = await post(positionOn(refs, lines));
    t.deepEqual([status, body.message], [400, NO_LINE], JSON.stringify(lines).slice(0, 100));
  }
  t.is((await post(positionOn(await there.refs(), { new_line: 16 }))).body.message, NO_LINE);
  t.is((await post(positionOn({ ...refs, head_sha: 'f'.repeat(40) }, { new_line: 16 }))).body.message, NO_LINE);
  const [missing, type] = [{ ...positionOn(refs, { new_line: 16 }), base_sha: undefined }, { position_type: 'sound' }];
  t.deepEqual((await post(missing)).body, { error: 'position[base_sha] is missing' });
  t.deepEqual((await post(positionOn(refs, { new_line: 16, ...type }))).body, {
    error: 'position[position_type] does not have a valid value',
  });
  t.is((await post(positionOn(refs, {}))).body.message, '400 Bad request - Note {:position=>["is incomplete"]}');
  const long = positionOn(refs, {
    new_line: 16,
    line_range: { start: { line_code: 'x'.repeat(100 * 1024) }, end: {} },
  });
  t.is((await post(long)).body.message, '400 Bad request - Note {:position=>["is too long"]}');
  const internal = await here.as.post(here.discussions, {
    body: 'x',
    internal: true,
    position: positionOn(refs, { new_line: 16 }),
  });
  t.is(internal.status, 400);
  t.deepEqual((await here.as.get(here.discussions)).body, []);
});

// Contract: notes-6.image, notes-9.image
test('a thread stands on a point of a picture, or on a file', async (t) => {
  const { as, discussions, refs } = await changedFile(app);
  const commits = await refs();
  const image = { ...positionOn(commits, {}), position_type: 'image', width: 100, height: 50, x: 10.4, y: 20.6 };
  const { status, body } = await as.post(discussions, { body: 'Here', position: image });
  t.is(status, 201, JSON.stringify(body));
  t.deepEqual(body.notes[0].position, { ...image, x: 10, y: 21 });
  const file = { ...positionOn(commits, {}), position_type: 'file' };
  t.deepEqual((await as.post(discussions, { body: 'All of it', position: file })).body.notes[0].position, file);
  for (const wrong of [{ width: undefined }, { width: 1e9, height: 1e9 }, { x: -1 }]) {
    const answer = await as.post(discussions, { body: 'x', position: { ...image, ...wrong } });
    t.is(answer.status, 400, JSON.stringify(wrong));
  }
});

// Contract: notes-6.2, notes-6.commit, notes-7.lines
test('threads stand on lines of a commit, and comments of the older API too', async (t) => {
  const { as, project, refs } = await changedFile(app);
  const { head_sha, base_sha } = await refs();
  const path = `/projects/${project.id}/repository/commits/${head_sha}`;
  const position = positionOn({ head_sha: head_sha!, base_sha: base_sha!, start_sha: base_sha! }, { new_line: 16 });
  const { status, body } = await as.post(`${path}/discussions`, { body: 'Why?', position });
  t.is(status, 201, JSON.stringify(body));
  const [note] = body.notes;
  t.like(note, { type: 'DiffNote', noteable_type: 'Commit', noteable_id: null, resolvable: true });
  t.deepEqual([note.position.new_line, 'commit_id' in note], [16, false]);
  const other = { ...position, head_sha: base_sha };
  t.is((await as.post(`${path}/discussions`, { body: 'Why?', position: other })).body.message, NO_LINE);
  const comment = await as.post(`${path}/comments`, { note: 'Here', path: 'code.txt', line: 10, line_type: 'new' });
  t.like(comment.body, { path: 'code.txt', line: 10, line_type: 'new' });
  t.deepEqual(
    (await as.get(`${path}/comments`)).body.map(({ line, line_type }: Record<string, unknown>) => [line, line_type]),
    [
      [16, 'new'],
      [10, 'new'],
    ],
  );
});

// Contract: notes-6.commit_id
test('a thread of a merge request may stand on one of its commits', async (t) => {
  const { as, discussions, refs } = await changedFile(app);
  const { head_sha, base_sha } = await refs();
  const position = positionOn({ head_sha: head_sha!, base_sha: base_sha!, start_sha: base_sha! }, { new_line: 16 });
  const { status, body } = await as.post(discussions, { body: 'Why?', position, commit_id: head_sha });
  t.is(status, 201, JSON.stringify(body));
  t.is(body.notes[0].commit_id, head_sha);
  t.is((await as.post(discussions, { body: 'Why?', position, commit_id: base_sha })).status, 400);
});
