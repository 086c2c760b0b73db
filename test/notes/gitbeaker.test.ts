import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../core/app.js';
import { mergeRequestIn } from '../merge-requests/merge-request-steps.js';
import { changedFile, positionOn } from './diff-notes/diff-steps.js';

const app = useApp(test);

// Contract: notes.done-gitbeaker, events.done-gitbeaker
test('@gitbeaker/rest does the cycles of notes, threads and events', async (t) => {
  const project = await app.build.project();
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const { iid } = await api.Issues.create(project.id, 'An issue');

  const note = await api.IssueNotes.create(project.id, iid, 'Hello');
  t.is((await api.IssueNotes.edit(project.id, iid, note.id, { body: 'Hello again' })).body, 'Hello again');
  t.is((await api.IssueNotes.show(project.id, iid, note.id)).id, note.id);
  t.is((await api.IssueNotes.all(project.id, iid)).length, 1);
  await api.IssueNotes.remove(project.id, iid, note.id);

  const thread = await api.IssueDiscussions.create(project.id, iid, 'Why?');
  const [first] = thread.notes ?? [];
  const reply = (await api.IssueDiscussions.addNote(project.id, iid, thread.id, 'Because')) as unknown as {
    id: number;
  };
  await api.IssueDiscussions.editNote(project.id, iid, thread.id, reply.id, { body: 'Since' });
  t.is((await api.IssueDiscussions.show(project.id, iid, thread.id)).notes?.length, 2);
  await api.IssueDiscussions.removeNote(project.id, iid, thread.id, reply.id);
  t.deepEqual(
    (await api.IssueDiscussions.all(project.id, iid)).map(({ notes }) => notes?.[0]?.id),
    [first?.id],
  );

  const sha = (await api.Commits.show(project.id, 'main')).id;
  const ofCommit = await api.CommitDiscussions.create(project.id, sha, 'Why so?');
  await api.CommitDiscussions.addNote(project.id, sha, ofCommit.id, 'Because');
  t.is((await api.CommitDiscussions.show(project.id, sha, ofCommit.id)).notes?.length, 2);
  t.is((await api.CommitDiscussions.all(project.id, sha)).length, 1);
  await api.Commits.createComment(project.id, sha, 'Nice');
  t.is((await api.Commits.allComments(project.id, sha)).length, 3);

  t.true((await api.Events.all({ projectId: project.id })).length > 0);
  t.true((await api.Events.all()).some(({ target_type: type }) => (type as string) === 'Issue'));
  t.true((await api.Events.all({ userId: project.owner.id })).length > 0);
});

/** What all discussions of gitbeaker can do. */
interface Discussions {
  create(of: number, noteable: number, body: string): Promise<{ id: string; notes?: { id: number }[] }>;
  addNote(of: number, noteable: number, thread: string, body: string): Promise<unknown>;
  editNote(of: number, noteable: number, thread: string, note: number, options: { body: string }): Promise<unknown>;
  removeNote(of: number, noteable: number, thread: string, note: number): Promise<unknown>;
  show(of: number, noteable: number, thread: string): Promise<{ notes?: { id: number; body: string }[] }>;
  all(of: number, noteable: number): Promise<{ id: string }[]>;
}

interface Notes {
  create(of: number, noteable: number, body: string): Promise<{ id: number }>;
  edit(of: number, noteable: number, note: number, options: { body: string }): Promise<{ body: string }>;
  show(of: number, noteable: number, note: number): Promise<{ id: number }>;
  all(of: number, noteable: number): Promise<{ id: number }[]>;
  remove(of: number, noteable: number, note: number): Promise<unknown>;
}

// Contract: notes.done-gitbeaker
test('@gitbeaker/rest does the cycles of notes and threads of merge requests, snippets and epics', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, { empty: false });
  const { owner } = group;
  const api = new Gitlab({ host: app.url, token: owner.token });
  const request = await mergeRequestIn(app, { id: project.id, owner });
  const attributes = { title: 'Fight', visibility: 'private', content: 'x' };
  const snippet = (await app.as(owner).post(`/projects/${project.id}/snippets`, attributes)).body.id as number;
  const epic = (await app.as(owner).post(`/groups/${group.id}/epics`, { title: 'Epic' })).body.id as number;
  const kinds = [
    [api.MergeRequestDiscussions, api.MergeRequestNotes, project.id, request.iid],
    [api.ProjectSnippetDiscussions, api.ProjectSnippetNotes, project.id, snippet],
    [api.EpicDiscussions, api.EpicNotes, group.id, epic],
  ] as unknown as [Discussions, Notes, number, number][];
  for (const [discussions, notes, of, noteable] of kinds) {
    const thread = await discussions.create(of, noteable, 'Why?');
    const reply = (await discussions.addNote(of, noteable, thread.id, 'Because')) as { id: number };
    await discussions.editNote(of, noteable, thread.id, reply.id, { body: 'Since' });
    t.deepEqual(
      (await discussions.show(of, noteable, thread.id)).notes?.map(({ body }) => body),
      ['Why?', 'Since'],
    );
    await discussions.removeNote(of, noteable, thread.id, reply.id);
    t.deepEqual((await discussions.all(of, noteable)).filter(({ id }) => id === thread.id).length, 1);
    const note = await notes.create(of, noteable, 'Hello');
    t.is((await notes.edit(of, noteable, note.id, { body: 'Hello again' })).body, 'Hello again');
    t.is((await notes.show(of, noteable, note.id)).id, note.id);
    t.true((await notes.all(of, noteable)).some(({ id }) => id === note.id));
    await notes.remove(of, noteable, note.id);
    await t.throwsAsync(() => notes.show(of, noteable, note.id));
  }
  await app.as(owner).put(`/projects/${project.id}/merge_requests/${request.iid}`, { labels: 'a' });
  const [event] = (await api.MergeRequestLabelEvents.all(project.id, request.iid)) as { id: number }[];
  t.is((await api.MergeRequestLabelEvents.show(project.id, request.iid, event!.id)).id as number, event!.id);
});

// Contract: suggestions.gitbeaker
test('@gitbeaker/rest applies suggestions, one and several', async (t) => {
  const { project, refs, discussions, as } = await changedFile(app);
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const suggest = async (text: string, lines: object) => {
    const position = positionOn(await refs(), lines as Record<string, unknown>);
    const body = `\`\`\`suggestion\n${text}\n\`\`\``;
    return (await as.post(discussions, { body, position })).body.notes[0].suggestions[0].id as number;
  };
  t.true((await api.Suggestions.edit(await suggest('better', { new_line: 10 }))).applied);
  await app.work();
  const ids = [await suggest('more', { new_line: 16 }), await suggest('best', { new_line: 10 })];
  const applied = (await api.Suggestions.editBatch(ids)) as unknown as { applied: boolean }[];
  t.deepEqual(
    applied.map((one) => one.applied),
    [true, true],
  );
});
