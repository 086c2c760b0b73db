import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../core/app.js';

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
