import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { issueFixture } from '../fixtures.js';

const app = useApp(test);
type EventResponse = { action_name: string; target_type: string | null; target_title: string | null };
const describeEvents = (events: EventResponse[]) =>
  events.map(({ action_name: did, target_type: type }) => `${did} ${type ?? ''}`.trim());

// Contract: events.kinds, events.record, events.links
test('a project tells what people did in it, the last thing first', async (t) => {
  const owner = await app.build.user();
  const as = app.as(owner);
  const project = (await as.post('/projects', { name: 'Rocket', visibility: 'public', initialize_with_readme: true }))
    .body;
  const path = `/projects/${project.id}`;
  const issue = (await as.post(`${path}/issues`, { title: 'An issue' })).body;
  await as.put(`${path}/issues/${issue.iid}`, { state_event: 'close' });
  await as.put(`${path}/issues/${issue.iid}`, { state_event: 'reopen' });
  const note = (await as.post(`${path}/issues/${issue.iid}/notes`, { body: 'Hello' })).body;
  const milestone = (await as.post(`${path}/milestones`, { title: '1.0' })).body;
  await as.put(`${path}/milestones/${milestone.id}`, { state_event: 'close' });
  await as.delete(`${path}/milestones/${milestone.id}`);
  const ann = await app.build.user();
  await as.post(`${path}/members`, { user_id: ann.id, access_level: 30 });
  await as.delete(`${path}/members/${ann.id}`);
  await as.post(`${path}/repository/branches`, { branch: 'work', ref: 'main' });
  const { status, body } = await as.get(project._links.events.replace(/^.*\/api\/v4/, ''));
  t.is(status, 200);
  t.deepEqual(
    describeEvents(body),
    [
      'left',
      'joined',
      'destroyed Milestone',
      'closed Milestone',
      'opened Milestone',
      'commented on Note',
      'opened Issue',
      'closed Issue',
      'opened Issue',
      'created',
    ]
      .concat(describeEvents(body).filter((one) => one.startsWith('pushed')))
      .slice(0, body.length),
  );
  const ofNote = body.find((event: EventResponse) => event.target_type === 'Note');
  t.like(ofNote, {
    project_id: project.id,
    target_id: note.id,
    target_iid: note.id,
    target_title: 'An issue',
    author_id: owner.id,
    author_username: owner.username,
    imported: false,
    imported_from: 'none',
  });
  t.deepEqual(ofNote.note, note);
  const joined = body.find((event: EventResponse) => event.action_name === 'joined');
  t.like(joined, { author_id: ann.id, target_id: null, target_type: null });
  t.like(body.at(-3 + 0) && body.find((event: EventResponse) => event.action_name === 'destroyed'), {
    target_id: null,
    target_title: '1.0',
  });
});

// Contract: events.filters
test('events are found by what was done, to what and when, in either order', async (t) => {
  const { as, project, path, notes, discussions } = await issueFixture(app);
  await as.post(notes, { body: 'Hello' });
  await as.post(discussions, { body: 'a thread is not told of' });
  await as.put(path, { state_event: 'close' });
  const at = `/projects/${project.id}/events`;
  const find = async (query: string) => describeEvents((await as.get(`${at}?${query}`)).body);
  t.deepEqual(await find('target_type=note'), ['commented on Note']);
  t.deepEqual(await find('action=commented'), ['commented on Note']);
  t.deepEqual(await find('target_type=issue'), ['closed Issue', 'opened Issue']);
  t.deepEqual(await find('target_type=issue&sort=asc'), ['opened Issue', 'closed Issue']);
  t.deepEqual(await find('action=closed&target_type=note'), []);
  t.deepEqual(await find('before=2029-12-31&target_type=issue'), []);
  t.deepEqual(await find('after=2029-12-31&target_type=issue'), ['closed Issue', 'opened Issue']);
  t.deepEqual(await find('after=2030-12-31'), []);
  for (const bad of ['action=dance', 'target_type=cat', 'before=soon', 'sort=up'])
    t.is((await as.get(`${at}?${bad}`)).status, 400, bad);
});

// Contract: events.scope
test("one's own events, those of one's projects, and those of a user", async (t) => {
  const { as, project, owner, notes } = await issueFixture(app);
  const guest = await app.build.member(project, 'guest');
  await app.as(guest).post(notes, { body: 'Hello' });
  const mine = async (who: typeof guest, query = '') => describeEvents((await app.as(who).get(`/events${query}`)).body);
  t.deepEqual(await mine(guest), ['commented on Note']);
  t.deepEqual((await mine(guest, '?scope=all')).slice(0, 2), ['commented on Note', 'opened Issue']);
  t.deepEqual(describeEvents((await as.get(`/users/${guest.id}/events`)).body), ['commented on Note']);
  t.deepEqual(describeEvents((await app.anonymous.get(`/users/${guest.username}/events`)).body), ['commented on Note']);
  t.is((await app.anonymous.get('/events')).status, 401);
  t.is((await as.get('/users/0/events')).status, 404);
  t.is((await as.get(`/events?scope=some`)).status, 400);
  t.true((await mine(owner as never)).includes('opened Issue'));
});

// Contract: events.visible
test('what the caller may not see is left out of events: private projects, confidential issues, internal notes, code', async (t) => {
  const { as, project, notes } = await issueFixture(app);
  const secret = (await as.post(`/projects/${project.id}/issues`, { title: 'Secret', confidential: true })).body;
  await as.post(`/projects/${project.id}/issues/${secret.iid}/notes`, { body: 'secret' });
  await as.post(notes, { body: 'internal', internal: true });
  const hidden = await issueFixture(app, { visibility: 'private', owner: project.owner as never });
  const stranger = app.as(await app.build.user());
  const { body, headers } = await stranger.get(`/projects/${project.id}/events?target_type=note`);
  t.deepEqual(body, []);
  t.is(headers.get('x-total'), '0');
  t.is((await as.get(`/projects/${project.id}/events?target_type=note`)).body.length, 2);
  const ofOwner = (await stranger.get(`/users/${project.owner.id}/events?per_page=100`)).body;
  t.false(ofOwner.some((event: { project_id: number }) => event.project_id === hidden.project.id));
  t.is((await stranger.get(`/projects/${hidden.project.id}/events`)).status, 404);
});

// Contract: events.scope-policy
test('the events of a project are those that lists over all projects show of it, for each role and what is open', async (t) => {
  const owner = await app.build.user();
  const as = app.as(owner);
  const project = (await as.post('/projects', { name: 'Rocket', visibility: 'private', initialize_with_readme: true }))
    .body;
  const path = `/projects/${project.id}`;
  const issue = (await as.post(`${path}/issues`, { title: 'An issue' })).body;
  const hidden = (await as.post(`${path}/issues`, { title: 'Hidden', confidential: true })).body;
  for (const { iid } of [issue, hidden])
    for (const internal of [false, true]) await as.post(`${path}/issues/${iid}/notes`, { body: 'Hello', internal });
  await as.post(`${path}/milestones`, { title: '1.0' });
  await as.post(`${path}/wikis`, { title: 'Home', content: 'Words' });
  const snippet = (
    await as.post(`${path}/snippets`, {
      title: 'A snippet',
      visibility: 'private',
      files: [{ file_path: 'a.txt', content: 'a' }],
    })
  ).body;
  await as.post(`${path}/snippets/${snippet.id}/notes`, { body: 'Of a snippet' });
  await as.post(`${path}/repository/branches`, { branch: 'work', ref: 'main' });
  const head = (await as.get(`${path}/repository/branches/main`)).body.commit.id;
  await as.post(`${path}/repository/commits/${head}/comments`, { note: 'Of a commit' });
  await as.post(`${path}/repository/commits`, {
    branch: 'work',
    commit_message: 'Change',
    actions: [{ action: 'create', file_path: 'b.txt', content: 'b' }],
  });
  await as.post(`${path}/merge_requests`, { source_branch: 'work', target_branch: 'main', title: 'A change' });
  const roles = ['guest', 'planner', 'reporter', 'developer'] as const;
  const people: BuiltUser[] = [owner, await app.build.user(), await app.build.admin()];
  for (const role of roles) people.push(await app.build.member({ id: project.id }, role));
  const settings = [
    { visibility: 'private' },
    { visibility: 'public' },
    { issues_access_level: 'private', merge_requests_access_level: 'private', wiki_access_level: 'private' },
    { repository_access_level: 'private', builds_access_level: 'private', snippets_access_level: 'private' },
    { issues_access_level: 'disabled', merge_requests_access_level: 'disabled', wiki_access_level: 'disabled' },
    { repository_access_level: 'disabled', builds_access_level: 'disabled', snippets_access_level: 'disabled' },
  ];
  const counts = new Set<number>();
  for (const changed of settings) {
    const edited = await as.put(path, changed);
    t.is(edited.status, 200, JSON.stringify(edited.body));
    for (const person of people) {
      const client = app.as(person);
      const everywhere = await client.get(`/users/${owner.id}/events?per_page=100`);
      const expected = everywhere.body.filter((event: { project_id: number }) => event.project_id === project.id);
      const answer = await client.get(`${path}/events?per_page=100`);
      if (answer.status === 404) t.deepEqual(expected, []);
      else
        t.deepEqual(
          answer.body.filter((event: { author_id: number }) => event.author_id === owner.id),
          expected,
        );
      counts.add(expected.length);
    }
  }
  t.true(counts.size > 5, `${[...counts].join(', ')} events were seen`);
});
