import test from 'ava';
import { useApp } from '../../core/app.js';
import { changedFile, positionOn, update } from '../diff-notes/diff-steps.js';
import { suggestionsIn } from '../../../shared/notes/suggestions/parse-suggestions.js';

const app = useApp(test);
const suggested = (content: string, around = '') => `Better:\n\`\`\`suggestion${around}\n${content}\n\`\`\``;

/** A merge request with a thread containing a suggestion by a Developer who is not its author. */
async function suggestedOn(body: string, lines: Record<string, unknown> = { new_line: 10 }) {
  const changed = await changedFile(app);
  const ann = await app.build.member(changed.project, 'developer');
  const position = positionOn(await changed.refs(), lines);
  const response = await app.as(ann).post(changed.discussions, { body, position });
  if (response.status !== 201) throw new Error(response.text);
  const file = async () =>
    (await changed.as.get(`/projects/${changed.project.id}/repository/files/code.txt/raw?ref=${changed.branch}`)).text;
  return { ...changed, ann, thread: response.body, note: response.body.notes[0], file };
}

// Contract: suggestions.read, notes-2.suggestions
test('a note of a line tells what it suggests in its place, and in place of lines around it', async (t) => {
  const { note } = await suggestedOn(`${suggested('better')}\n${suggested('one\ntwo', ':-1+1')}`);
  t.deepEqual(
    note.suggestions.map(({ id: _id, ...one }: { id: number }) => one),
    [
      {
        from_line: 10,
        to_line: 10,
        appliable: true,
        applied: false,
        from_content: 'changed\n',
        to_content: 'better\n',
      },
      {
        from_line: 9,
        to_line: 11,
        appliable: true,
        applied: false,
        from_content: 'line 9\nchanged\nline 11\n',
        to_content: 'one\ntwo\n',
      },
    ],
  );
  const removed = await suggestedOn(suggested('x'), { old_line: 18 });
  t.deepEqual(removed.note.suggestions, []);
  t.deepEqual(suggestionsIn('```suggestion:-200+0\nx\n```\n```js\n```suggestion\n```'), []);
  t.deepEqual(suggestionsIn('````suggestion\n```\n````\n')[0]?.content, '```\n');
});

// Contract: suggestions.apply
test('a suggestion is applied by a commit of whoever suggested, which resolves the thread', async (t) => {
  const { as, project, branch, note, discussions, thread, file, ann } = await suggestedOn(suggested('better'));
  const [{ id }] = note.suggestions;
  const reporter = app.as(await app.build.member(project, 'reporter'));
  t.is((await reporter.put(`/suggestions/${id}/apply`)).status, 403);
  const { status, body } = await as.put(`/suggestions/${id}/apply`);
  t.is(status, 200, JSON.stringify(body));
  t.like(body, { id, applied: true, appliable: false });
  t.true((await file()).includes('line 9\nbetter\nline 11\n'));
  const [commit] = (await as.get(`/projects/${project.id}/repository/commits?ref_name=${branch}`)).body;
  t.is(commit.title, 'Apply 1 suggestion(s) to 1 file(s)');
  t.deepEqual([commit.author_name, commit.committer_name], [ann.name, project.owner.name]);
  const [after] = (await as.get(`${discussions}/${thread.id}`)).body.notes;
  t.like(after, { resolved: true });
  t.true(after.suggestions[0].applied);
  const again = await as.put(`/suggestions/${id}/apply`);
  t.deepEqual([again.status, again.body], [400, { message: "Can't apply this suggestion." }]);
  t.is((await as.put('/suggestions/999999999/apply')).status, 404);
});

// Contract: suggestions.batch
test.serial('many are applied by as many statements as two', async (t) => {
  const statements: number[] = [];
  for (const many of [2, 8]) {
    const { as, refs, discussions, file } = await suggestedOn(suggested('better'));
    const commits = await refs();
    const ids: number[] = [];
    for (const line of [7, 8, 9, 11, 12, 13, 14, 15].slice(0, many)) {
      const position = positionOn(commits, { old_line: line, new_line: line });
      const response = await as.post(discussions, { body: suggested(`better ${line}`), position });
      ids.push(response.body.notes[0].suggestions[0].id);
    }
    const apply = () => as.put('/suggestions/batch_apply', { ids });
    statements.push(await app.statementsOf(async () => t.is((await apply()).status, 200)));
    t.true((await file()).includes('better 7\nbetter 8\n'));
  }
  t.true(statements[1]! <= statements[0]!, statements.join());
});

// Contract: suggestions.batch, suggestions.bad
test('several are applied by one commit, unless their lines overlap or their merge requests are others', async (t) => {
  const body = `${suggested('better')}\n${suggested('one\ntwo', ':-1+1')}`;
  const changed = await suggestedOn(body);
  const { as, ann, discussions, refs, note, file, branch, project } = changed;
  const [one, overlapping] = note.suggestions;
  const other = await app.as(ann).post(discussions, {
    body: suggested(''),
    position: positionOn(await refs(), { new_line: 16 }),
  });
  const [gone] = other.body.notes[0].suggestions;
  const overlap = await as.put('/suggestions/batch_apply', { ids: [one.id, overlapping.id] });
  t.deepEqual(overlap.body, { message: 'Suggestions are not applicable as their lines cannot overlap.' });
  const elsewhere = await suggestedOn(suggested('x'));
  const mixed = { ids: [one.id, elsewhere.note.suggestions[0].id] };
  t.deepEqual((await as.put('/suggestions/batch_apply', mixed)).body, {
    message: 'Suggestions must all be on the same branch.',
  });
  t.is((await as.put('/suggestions/batch_apply', { ids: [one.id, 999_999_999] })).status, 404);
  const done = await as.put('/suggestions/batch_apply', { ids: [one.id, gone.id], commit_message: 'Take both' });
  t.is(done.status, 200, JSON.stringify(done.body));
  t.deepEqual(
    done.body.map(({ applied }: { applied: boolean }) => applied),
    [true, true],
  );
  const [commit] = (await as.get(`/projects/${project.id}/repository/commits?ref_name=${branch}`)).body;
  t.is(commit.message.trim(), 'Take both');
  t.false((await file()).includes('added'));
});

// Contract: suggestions.outdated
test('a suggestion whose lines changed, or whose merge request is closed, is not applied', async (t) => {
  const { as, project, branch, after, note, discussions, thread, path } = await suggestedOn(
    `${suggested('x')}\n${suggested('a\nb', ':-0+2')}`,
    { new_line: 16 },
  );
  const [one, wide] = note.suggestions;
  await update(app, project, branch, ['above\n', ...after.with(17, 'other\n')].join(''));
  const late = await as.put(`/suggestions/${one.id}/apply`);
  t.is(late.status, 400, JSON.stringify(late.body));
  await app.work();
  const [moved] = (await as.get(`${discussions}/${thread.id}`)).body.notes;
  t.like(moved.suggestions[0], { from_line: 17, appliable: true });
  t.like(moved.suggestions[1], { id: wide.id, appliable: false });
  t.is(
    (await as.put(`/suggestions/${wide.id}/apply`)).body.message,
    "Can't apply as these lines were changed in a more recent version.",
  );
  await as.put(path, { state_event: 'close' });
  t.is(
    (await as.put(`/suggestions/${one.id}/apply`)).body.message,
    'This merge request is closed. To apply this suggestion, edit this file directly.',
  );
});

// Contract: suggestions.message, suggestions.edited
test('the project words the message of the commit, and an edited note suggests what it says now', async (t) => {
  const { as, project, branch, note, discussions, thread, ann } = await suggestedOn(suggested('better'));
  await as.put(`/projects/${project.id}`, {
    suggestion_commit_message: '%{username}: %{suggestions_count} in %{file_paths} of %{branch_name}',
  });
  const path = `${discussions}/${thread.id}/notes/${note.id}`;
  const edited = await app.as(ann).put(path, { body: suggested('best') });
  const [now] = edited.body.suggestions;
  t.is(now.to_content, 'best\n');
  t.is((await as.put(`/suggestions/${now.id}/apply`)).status, 200);
  const [commit] = (await as.get(`/projects/${project.id}/repository/commits?ref_name=${branch}`)).body;
  t.is(commit.title, `${project.owner.username}: 1 in code.txt of ${branch}`);
});
