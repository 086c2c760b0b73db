import test from 'ava';
import { useApp } from '../../core/app.js';
import { epicIn } from '../../planning/epics/epic-steps.js';
import { changedFile, positionOn, update } from '../diff-notes/diff-steps.js';
import { issueFixture } from '../fixtures.js';

const app = useApp(test);
const gid = (type: string, id: number | string) => `gid://service/${type}/${id}`;

interface Nodes {
  nodes: Record<string, unknown>[];
}
const bodies = ({ nodes }: Nodes) => nodes.map(({ body }) => body);

// Contract: notes-graphql.interface
test('what can be commented on has one interface, by which a thread tells what it is about', async (t) => {
  const { owner, issue, as, notes } = await issueFixture(app);
  await as.post(notes, { body: 'Hello' });
  const query = `query ($id: IssueID!, $item: WorkItemID!) {
    __type(name: "NoteableInterface") { kind fields { name } possibleTypes { name } }
    workItem(id: $item) { notes { nodes { body } } discussions { nodes { resolvable } } commenters { nodes { username } } }
    issue(id: $id) { discussions(first: 5) { nodes { noteable { ... on NoteableInterface { notes(first: 5) { nodes { body } } } } } } } }`;
  const variables = { id: gid('Issue', issue.id), item: gid('WorkItem', issue.id) };
  const { data, errors } = (await as.graphql(query, variables)).body;
  t.is(errors, undefined, JSON.stringify(errors));
  const names = (list: { name: string }[]) => list.map(({ name }) => name).toSorted();
  t.is(data.__type.kind, 'INTERFACE');
  t.deepEqual(names(data.__type.fields), ['commenters', 'discussions', 'notes']);
  t.deepEqual(names(data.__type.possibleTypes), ['Epic', 'Issue', 'MergeRequest', 'Snippet', 'WorkItem']);
  t.deepEqual(data.workItem, {
    notes: { nodes: [{ body: 'Hello' }] },
    discussions: { nodes: [{ resolvable: false }] },
    commenters: { nodes: [{ username: owner.username }] },
  });
  t.deepEqual(data.issue.discussions.nodes, [{ noteable: { notes: { nodes: [{ body: 'Hello' }] } } }]);
});

// Contract: notes-graphql.sort
test('notes come in the order that is asked for', async (t) => {
  const { issue, as, notes } = await issueFixture(app);
  const first = (await as.post(notes, { body: 'first' })).body;
  await as.post(notes, { body: 'second' });
  app.clock.advance('1 minute');
  await as.put(`${notes}/${first.id}`, { body: 'first, edited' });
  const query = `query ($id: IssueID!) { issue(id: $id) { notes { nodes { body } }
    newest: notes(sort: CREATED_DESC) { nodes { body } } changed: notes(sort: UPDATED_ASC) { nodes { body } }
    last: notes(sort: UPDATED_DESC, first: 1) { nodes { body } pageInfo { endCursor hasNextPage } } } }`;
  const { data, errors } = (await as.graphql(query, { id: gid('Issue', issue.id) })).body;
  t.is(errors, undefined, JSON.stringify(errors));
  t.deepEqual(bodies(data.issue.notes), ['first, edited', 'second']);
  t.deepEqual(bodies(data.issue.newest), ['second', 'first, edited']);
  t.deepEqual(bodies(data.issue.changed), ['second', 'first, edited']);
  t.deepEqual(bodies(data.issue.last), ['first, edited']);
  const next = `query ($id: IssueID!, $after: String) { issue(id: $id) {
    notes(sort: UPDATED_DESC, after: $after) { nodes { body } } } }`;
  const after = data.issue.last.pageInfo.endCursor;
  const rest = (await as.graphql(next, { id: gid('Issue', issue.id), after })).body.data.issue.notes;
  t.deepEqual(bodies(rest), ['second']);
});

// Contract: notes-graphql.emoji, notes-graphql.role
test('a note tells the emoji that it was given, and what role its author has there', async (t) => {
  const { owner, issue, as, notes, project } = await issueFixture(app);
  const [developer, stranger] = [await app.build.member(project, 'developer'), await app.build.user()];
  const { id } = (await as.post(notes, { body: 'by the owner' })).body;
  await app.as(developer).post(notes, { body: 'by a developer' });
  await app.as(stranger).post(notes, { body: 'by a stranger' });
  for (const name of ['rocket', '+1']) await app.as(stranger).post(`${notes}/${id}/award_emoji`, { name });
  const query = `query ($id: IssueID!) { issue(id: $id) { notes { nodes { maxAccessLevelOfAuthor
    awardEmoji { nodes { name emoji description user { username } } } } } } }`;
  const { data, errors } = (await as.graphql(query, { id: gid('Issue', issue.id) })).body;
  t.is(errors, undefined, JSON.stringify(errors));
  const [own, ...others] = data.issue.notes.nodes;
  t.is(own.maxAccessLevelOfAuthor, 'Owner');
  t.deepEqual(
    own.awardEmoji.nodes.map((award: Record<string, unknown>) => [award.name, award.emoji, award.user]),
    [
      ['rocket', '🚀', { username: stranger.username }],
      ['thumbsup', '👍️', { username: stranger.username }],
    ],
  );
  t.deepEqual(others, [
    { maxAccessLevelOfAuthor: 'Developer', awardEmoji: { nodes: [] } },
    { maxAccessLevelOfAuthor: null, awardEmoji: { nodes: [] } },
  ]);
  const group = await app.build.group({ owner });
  const epic = await epicIn(app, { id: group.id, owner });
  await as.post(`/groups/${group.id}/epics/${epic.id}/notes`, { body: 'Hello' });
  const ofEpic = `query ($id: EpicID!) { epic(id: $id) { notes { nodes { maxAccessLevelOfAuthor } } } }`;
  const nodes = (await as.graphql(ofEpic, { id: gid('Epic', epic.id) })).body.data.epic.notes.nodes;
  t.deepEqual(nodes, [{ maxAccessLevelOfAuthor: 'Owner' }]);
});

// Contract: notes-graphql.diff-lines
test('a thread on a line is shown with the lines above it, which stay as they were', async (t) => {
  const { id, as, project, branch, after, discussions, refs } = await changedFile(app);
  const position = positionOn(await refs(), { new_line: 16 });
  const thread = (await as.post(discussions, { body: 'Why?', position })).body;
  await as.post(discussions, { body: 'in general' });
  await as.post(discussions, { body: 'All of it', position: { ...position, position_type: 'file' } });
  const query = `query ($id: MergeRequestID!) { mergeRequest(id: $id) { discussions { nodes {
    truncatedDiffLines { type oldLine newLine text richText } } } } }`;
  const lines = async () => {
    const { data, errors } = (await as.graphql(query, { id: gid('MergeRequest', id) })).body;
    t.is(errors, undefined, JSON.stringify(errors));
    return data.mergeRequest.discussions.nodes
      .map((node: { truncatedDiffLines: unknown }) => node.truncatedDiffLines)
      .filter((one: unknown, at: number, all: unknown[]) => one !== null || at === all.length - 1) as {
      type: string | null;
      text: string;
    }[][];
  };
  const [noteLines] = await lines();
  t.deepEqual(noteLines?.at(-1), {
    type: 'new',
    oldLine: null,
    newLine: 16,
    text: 'added',
    richText: 'added',
  } as never);
  t.deepEqual(
    noteLines?.filter(({ type }) => type !== null).map(({ type, text }) => [type, text]),
    [
      ['old', 'line 10'],
      ['new', 'changed'],
      ['new', 'added'],
    ],
  );
  await update(app, project, branch, after.map((line) => (line === 'added\n' ? 'added <later>\n' : line)).join(''));
  await app.work();
  t.deepEqual((await lines())[0], noteLines);
  // A reply keeps them when the first note goes.
  await as.post(`${discussions}/${thread.id}/notes`, { body: 'Because' });
  t.is((await as.delete(`${discussions}/${thread.id}/notes/${thread.notes[0].id}`)).status, 204);
  t.deepEqual((await lines())[0], noteLines);
});
