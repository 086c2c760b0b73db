import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { mergeRequestIn } from '../../merge-requests/merge-request-steps.js';
import { issueFixture } from '../fixtures.js';

const app = useApp(test);
const NOT_AVAILABLE =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";

const ask = (who: BuiltUser | null, query: string, variables: Record<string, unknown> = {}) =>
  (who ? app.as(who) : app.anonymous).graphql(query, variables);

const gid = (type: string, id: number | string) => `gid://service/${type}/${id}`;

const CREATE = `mutation ($input: CreateNoteInput!) { createNote(input: $input) {
  errors note { id body internal discussion { id } } quickActionsStatus { commandNames commandsOnly messages errorMessages } } }`;

// Contract: notes-graphql.merge-request
test('a merge request shows its notes, threads and commenters, the internal ones to whom they are for', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const { owner } = project;
  const { id, iid } = await mergeRequestIn(app, { id: project.id, owner });
  const path = `/projects/${project.id}/merge_requests/${iid}`;
  const member = await app.build.member(project, 'developer');
  const thread = (await app.as(member).post(`${path}/discussions`, { body: 'Why?' })).body;
  await app.as(owner).post(`${path}/discussions/${thread.id}/notes`, { body: 'Because' });
  await app.as(owner).post(`${path}/notes`, { body: 'secret', internal: true });
  const query = `{ mergeRequest(id: "${gid('MergeRequest', id)}") {
    notes(filter: ONLY_COMMENTS) { nodes { body url discussion { noteable { ... on MergeRequest { iid } } } } }
    discussions { nodes { resolvable noteable { __typename ... on MergeRequest { iid } } notes { nodes { body } } } }
    commenters { nodes { username } } } }`;
  const { body } = await ask(owner, query);
  t.is(body.errors, undefined);
  const result = body.data.mergeRequest;
  t.deepEqual(
    result.notes.nodes.map((note: { body: string }) => note.body),
    ['Why?', 'Because', 'secret'],
  );
  t.regex(result.notes.nodes[0].url, new RegExp(`/-/merge_requests/${iid}#note_\\d+$`));
  t.deepEqual(result.notes.nodes[0].discussion.noteable, { iid: String(iid) });
  const [first] = result.discussions.nodes.filter(({ resolvable }: { resolvable: boolean }) => resolvable);
  t.deepEqual(first, {
    resolvable: true,
    noteable: { __typename: 'MergeRequest', iid: String(iid) },
    notes: { nodes: [{ body: 'Why?' }, { body: 'Because' }] },
  });
  t.deepEqual(result.commenters.nodes, [{ username: owner.username }, { username: member.username }]);
  const stranger = (await ask(await app.build.user(), query)).body.data.mergeRequest;
  t.deepEqual(
    stranger.notes.nodes.map((note: { body: string }) => note.body),
    ['Why?', 'Because'],
  );
});

// Contract: notes-graphql.read, notes-graphql.individual
test('an issue shows its notes, threads and commenters', async (t) => {
  const { as, owner, issue, notes, discussions, path, project } = await issueFixture(app);
  const thread = (await as.post(discussions, { body: '**Why?**\nSay' })).body;
  await as.post(notes, { body: 'plain' });
  await as.put(path, { title: 'Renamed' });
  const query = `query ($id: IssueID!, $filter: NotesFilterType) { issue(id: $id) {
    all: notes { nodes { body system systemNoteMetadata { action } } }
    notes(filter: $filter) { nodes { id body bodyHtml bodyFirstLineHtml author { username } url project { id } resolvable
      discussion { id replyId } userPermissions { adminNote readNote resolveNote } } }
    discussions { nodes { id replyId createdAt resolvable resolved noteable { ... on Issue { iid } } notes { nodes { body } }
      userPermissions { resolveNote } } }
    commenters { nodes { username } } } }`;
  const { body } = await ask(owner as never, query, { id: gid('Issue', issue.id), filter: 'ONLY_COMMENTS' });
  t.is(body.errors, undefined);
  const found = body.data.issue;
  t.deepEqual(
    found.all.nodes.map((note: { body: string }) => note.body),
    ['**Why?**\nSay', 'plain', 'changed title from **{-An issue-}** to **{+Renamed+}**'],
  );
  t.deepEqual(found.all.nodes[2].systemNoteMetadata, { action: 'title' });
  const [first] = found.notes.nodes;
  t.is(found.notes.nodes.length, 2);
  t.like(first, {
    id: gid('DiscussionNote', thread.notes[0].id),
    author: { username: owner.username },
    url: `http://capstan.test/${project.full_path}/-/issues/${issue.iid}#note_${thread.notes[0].id}`,
    resolvable: true,
    userPermissions: { adminNote: true, readNote: true, resolveNote: true },
  });
  t.regex(first.bodyHtml, /<strong>Why\?<\/strong>/);
  t.is(first.discussion.id, gid('Discussion', thread.id));
  t.is(found.discussions.nodes[0].id, gid('Discussion', thread.id));
  t.regex(found.discussions.nodes[1].id, /IndividualNoteDiscussion/);
  t.deepEqual(found.discussions.nodes[0].noteable, { iid: String(issue.iid) });
  t.deepEqual(found.commenters.nodes, [{ username: owner.username }]);
});

// Contract: notes-graphql.create, notes-graphql.commands, notes-graphql.missing
test('notes are written, answered and told of their commands', async (t) => {
  const { owner, issue, as, path, discussions } = await issueFixture(app);
  const create = async (input: object) => {
    const { body } = await ask(owner as never, CREATE, { input: { noteableId: gid('Issue', issue.id), ...input } });
    return body.errors ? body.errors[0].message : body.data.createNote;
  };
  const created = await create({ body: 'Hello' });
  t.deepEqual([created.errors, created.note.body, created.quickActionsStatus], [[], 'Hello', null]);
  const reply = await create({ body: 'Answer', discussionId: created.note.discussion.id });
  t.is(reply.note.discussion.id.split('/').at(-1), created.note.discussion.id.split('/').at(-1));
  t.false((await as.get(discussions)).body[0].individual_note);
  t.deepEqual(await create({ body: '/close' }), {
    errors: ['Closed this issue.'],
    note: null,
    quickActionsStatus: {
      commandNames: ['close'],
      commandsOnly: true,
      messages: ['Closed this issue.'],
      errorMessages: [],
    },
  });
  t.is((await as.get(path)).body.state, 'closed');
  t.deepEqual((await create({ body: ' ' })).errors, ["Note can't be blank"]);
  t.is(
    await create({ body: 'x', discussionId: gid('Discussion', 'a'.repeat(40)) }),
    "The discussion does not exist or you don't have permission to perform this action",
  );
  t.is(await create({ body: 'x', noteableId: gid('Issue', 0) }), NOT_AVAILABLE);
  t.regex(await create({ body: 'x', discussionId: gid('Discussion', '1') }), /is not a valid Global ID/);
});

// Contract: notes-graphql.mutations
test('threads are started, notes changed, converted and deleted, threads resolved', async (t) => {
  const { owner, issue, as, notes, path } = await issueFixture(app);
  const run = async (who: BuiltUser, name: string, input: object, fields: string) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { result: ${name}(input: $input) { errors ${fields} } }`;
    const { body } = await ask(who, query, { input });
    return body.errors ? body.errors[0].message : body.data.result;
  };
  const me = owner as never;
  const started = await run(
    me,
    'createDiscussion',
    { noteableId: gid('Issue', issue.id), body: 'Why?' },
    'note { id discussion { id } }',
  );
  t.regex(started.note.id, /DiscussionNote/);
  const { id } = started.note.discussion;
  const toggled = await run(
    me,
    'discussionToggleResolve',
    { id, resolve: true },
    'discussion { resolved resolvedBy { username } }',
  );
  t.deepEqual(toggled.discussion, { resolved: true, resolvedBy: { username: owner.username } });
  const plain = (await as.post(notes, { body: 'plain' })).body;
  const note = { id: gid('Note', plain.id) };
  t.is((await run(me, 'updateNote', { ...note, body: 'edited' }, 'note { body }')).note.body, 'edited');
  t.regex((await run(me, 'noteConvertToThread', note, 'note { id }')).note.id, /DiscussionNote/);
  t.deepEqual((await run(me, 'noteConvertToThread', note, 'note { id }')).errors, ['Note is already part of a thread']);
  const stranger = await app.build.user();
  t.is(await run(stranger, 'updateNote', { ...note, body: 'x' }, 'note { id }'), NOT_AVAILABLE);
  t.is(await run(stranger, 'discussionToggleResolve', { id, resolve: false }, 'discussion { id }'), NOT_AVAILABLE);
  t.deepEqual(await run(me, 'destroyNote', note, 'note { id }'), { errors: [], note: null });
  t.is(await run(me, 'destroyNote', note, 'note { id }'), NOT_AVAILABLE);
  await as.put(path, { title: 'Renamed' });
  const [systemNote] = (await as.get(`${notes}?activity_filter=only_activity`)).body;
  t.is(await run(me, 'updateNote', { id: gid('Note', systemNote.id), body: 'x' }, 'note { id }'), NOT_AVAILABLE);
  await as.post(`${notes}`, { body: 'single' });
  const single = (await as.get(`${path}/discussions`)).body.at(-1);
  const rejection = await run(
    me,
    'discussionToggleResolve',
    { id: gid('Discussion', single.id), resolve: true },
    'discussion { id }',
  );
  t.deepEqual(rejection, { errors: ['400 Bad request - Discussion is not resolvable'], discussion: null });
});

// Contract: notes-graphql.hidden
test('internal notes are in no list, count or answer of GraphQL for whom they are not', async (t) => {
  const { as, issue, notes } = await issueFixture(app);
  const { id } = (await as.post(notes, { body: 'internal', internal: true })).body;
  const stranger = await app.build.user();
  const query = `query ($issue: IssueID!, $note: NoteID!) { note(id: $note) { body } issue(id: $issue) { userNotesCount
    notes { nodes { id } } discussions { nodes { id } } commenters { nodes { id } } participants { nodes { id } } } }`;
  for (const who of [stranger, null]) {
    const { body } = await ask(who, query, { issue: gid('Issue', issue.id), note: gid('Note', id) });
    t.is(body.data.note, null);
    const { notes: listed, discussions, commenters, userNotesCount } = body.data.issue;
    // Who did not sign in reads no notes at all.
    const none = who ? { nodes: [] } : null;
    t.deepEqual([listed, discussions, commenters, userNotesCount], [none, none, none, 0]);
  }
});

// Contract: notes-graphql.rate
test.serial('too many comments are a top-level error', async (t) => {
  const { issue } = await issueFixture(app);
  const author = await app.build.user();
  await app.set({ notes_create_limit: 1 });
  const create = async (name: string) => {
    const type = name === 'createNote' ? 'CreateNoteInput' : 'CreateDiscussionInput';
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { errors } }`;
    const { status, body } = await ask(author, query, { input: { noteableId: gid('Issue', issue.id), body: 'x' } });
    return [status, body.errors?.[0].message];
  };
  t.deepEqual(await create('createNote'), [200, undefined]);
  for (const name of ['createNote', 'createDiscussion'])
    t.deepEqual(await create(name), [200, 'This endpoint has been requested too many times. Try again later.']);
  await app.set({ notes_create_limit: 300 });
});
