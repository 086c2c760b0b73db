import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);
const NOW = '2030-01-01T00:00:00.000Z';
const KINDS = ['state', 'label', 'milestone', 'weight'] as const;

async function setUp(params: Record<string, unknown> = {}) {
  const project = await app.build.project({ visibility: 'public' });
  const as = app.as(project.owner);
  const { body } = await as.post(`/projects/${project.id}/issues`, { title: 'An issue', ...params });
  const path = `/projects/${project.id}/issues/${body.iid}`;
  const events = async (kind: (typeof KINDS)[number]) => (await as.get(`${path}/resource_${kind}_events`)).body;
  return { project, as, issue: body, path, events };
}

// Contract: core-resources-6.state-events, notes-8.state-events
test('closing and opening again are told once each, with who and when', async (t) => {
  const { as, path, events, issue, project } = await setUp();
  t.deepEqual(await events('state'), []);
  for (const state_event of ['close', 'close', 'reopen']) await as.put(path, { state_event });
  const resourceEvents = await events('state');
  t.deepEqual(
    resourceEvents.map(({ state }: { state: string }) => state),
    ['closed', 'reopened'],
  );
  const { id, user, ...rest } = resourceEvents[0];
  t.true(Number.isInteger(id));
  t.like(user, { id: project.owner.id, username: project.owner.username });
  t.deepEqual(rest, {
    created_at: NOW,
    resource_type: 'Issue',
    resource_id: issue.id,
    source_commit: null,
    state: 'closed',
  });
});

// Contract: notes-1.label-events, core-resources-6.label-events
test('labels are told as they come and go, in the order in which they did', async (t) => {
  const { as, path, events, issue, project } = await setUp({ labels: 'a,b' });
  await as.put(path, { add_labels: 'c', remove_labels: 'a' });
  const resourceEvents = await events('label');
  t.deepEqual(
    resourceEvents.map(({ action, label }: { action: string; label: { name: string } }) => [action, label.name]),
    [
      ['add', 'a'],
      ['add', 'b'],
      ['add', 'c'],
      ['remove', 'a'],
    ],
  );
  t.deepEqual(Object.keys(resourceEvents[0]), [
    'id',
    'user',
    'created_at',
    'resource_type',
    'resource_id',
    'label',
    'action',
  ]);
  t.deepEqual(Object.keys(resourceEvents[0].label).sort(), [
    'color',
    'description',
    'description_html',
    'id',
    'name',
    'text_color',
  ]);
  t.like(resourceEvents[0], { resource_type: 'Issue', resource_id: issue.id, user: { id: project.owner.id } });
  // The event outlives the label.
  await as.delete(`/projects/${project.id}/labels/b`);
  t.is((await events('label'))[1].label, null);
});

// Contract: core-resources-6.milestone-events
test('milestones are told as they come and go', async (t) => {
  const { as, path, events, project } = await setUp();
  const make = async (title: string) => (await as.post(`/projects/${project.id}/milestones`, { title })).body.id;
  const [first, second] = [await make('1.0'), await make('2.0')];
  for (const milestone_id of [first, second, second, 0]) await as.put(path, { milestone_id });
  t.deepEqual(
    (await events('milestone')).map(
      ({ action, milestone, state }: { action: string; state: string; milestone: { id: number; title: string } }) => [
        action,
        milestone.id,
        milestone.title,
        state,
      ],
    ),
    [
      ['add', first, '1.0', 'opened'],
      ['add', second, '2.0', 'opened'],
      ['remove', second, '2.0', 'opened'],
    ],
  );
});

// Contract: issues-10.3.weight-events
test('weights are told as they change', async (t) => {
  const { as, path, events, issue } = await setUp({ weight: 3 });
  for (const weight of [5, 5, null]) await as.put(path, { weight });
  const resourceEvents = await events('weight');
  t.deepEqual(
    resourceEvents.map(({ weight }: { weight: number | null }) => weight),
    [3, 5, null],
  );
  t.deepEqual(Object.keys(resourceEvents[0]), ['id', 'user', 'created_at', 'issue_id', 'weight']);
  t.is(resourceEvents[0].issue_id, issue.id);
});

// Contract: issues-10.3.one
test('an event is read by its id, through its own issue alone', async (t) => {
  const { as, path, project } = await setUp({ labels: 'a', weight: 1 });
  const { id: milestone_id } = (await as.post(`/projects/${project.id}/milestones`, { title: '1.0' })).body;
  await as.put(path, { state_event: 'close', milestone_id });
  const other = (await as.post(`/projects/${project.id}/issues`, { title: 'Other' })).body;
  for (const kind of KINDS) {
    const [event] = (await as.get(`${path}/resource_${kind}_events`)).body;
    t.deepEqual((await as.get(`${path}/resource_${kind}_events/${event.id}`)).body, event, kind);
    for (const elsewhere of [
      await as.get(`/projects/${project.id}/issues/${other.iid}/resource_${kind}_events/${event.id}`),
      await as.get(`${path}/resource_${kind}_events/${event.id + 1_000_000}`),
    ])
      t.deepEqual([elsewhere.status, elsewhere.body], [404, { message: '404 Not found' }], kind);
  }
});

// Contract: issues-10.3.rights
test('events are for whoever is signed in and reads the issue', async (t) => {
  const { path, project, as } = await setUp({ confidential: true });
  const [guest, planner] = [await app.build.member(project, 'guest'), await app.build.member(project, 'planner')];
  for (const kind of KINDS) {
    const at = `${path}/resource_${kind}_events`;
    t.is((await app.anonymous.get(at)).status, 401);
    t.is((await app.as(guest).get(at)).status, 404);
    t.is((await app.as(planner).get(at)).status, 200);
    t.is((await as.get(`${at}?per_page=1`)).headers.get('x-per-page'), '1');
  }
});
