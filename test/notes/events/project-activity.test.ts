import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { holding } from '../../core/holding.js';

const app = useApp(test);

/** A project with a branch to propose, an hour after anything happened in it. */
async function quietProject() {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const file = { branch: 'work', start_branch: 'main', content: 'x', commit_message: 'Add' };
  await owner.post(`${path}/repository/files/x.txt`, file);
  app.clock.advance('1 hour');
  const lastActivity = async () => (await owner.get(path)).body.last_activity_at as string;
  return { project, owner, path, file, lastActivity };
}

// Contract: interface-2.10.times, interface-4.10.last_activity
test.serial('what happens in a project moves its last activity, and its place in lists', async (t) => {
  const { project, owner, path, file, lastActivity } = await quietProject();
  const other = await app.build.projectIn({ ...project.namespace, owner: project.owner } as never);
  const user = await app.build.user();
  const { body: issue } = await owner.post(`${path}/issues`, { title: 'An issue' });
  const steps: Record<string, () => Promise<{ status: number }>> = {
    'an issue': () => owner.post(`${path}/issues`, { title: 'Another' }),
    'an edit of an issue': () => owner.put(`${path}/issues/${issue.iid}`, { title: 'Renamed' }),
    'a comment': () => owner.post(`${path}/issues/${issue.iid}/notes`, { body: 'Hello' }),
    'a thread': () => owner.post(`${path}/issues/${issue.iid}/discussions`, { body: 'Hello' }),
    'a closed issue': () => owner.put(`${path}/issues/${issue.iid}`, { state_event: 'close' }),
    'a merge request': () =>
      owner.post(`${path}/merge_requests`, { source_branch: 'work', target_branch: 'main', title: 'Add x' }),
    'a comment on it': () => owner.post(`${path}/merge_requests/1/notes`, { body: 'Hello' }),
    'its end': () => owner.put(`${path}/merge_requests/1`, { state_event: 'close' }),
    'a wiki page': () => owner.post(`${path}/wikis`, { title: 'Home', content: 'x' }),
    'a milestone': () => owner.post(`${path}/milestones`, { title: '1.0' }),
    'a new member': () => owner.post(`${path}/members`, { user_id: user.id, access_level: 30 }),
    'a push': () => owner.post(`${path}/repository/files/y.txt`, { ...file, branch: 'main', start_branch: undefined }),
  };
  for (const [what, step] of Object.entries(steps)) {
    app.clock.advance('1 hour');
    const before = await lastActivity();
    const now = app.clock.now().toISOString();
    t.not(before, now, what);
    const { status } = await step();
    t.true(status < 300, `${what}: ${status}`);
    t.is(await lastActivity(), now, what);
    const since = (await owner.get(`/projects?owned=true&last_activity_after=${before}`)).body;
    t.deepEqual(
      since.map(({ id }: { id: number }) => id),
      [project.id],
      what,
    );
    const ordered = (await owner.get('/projects?owned=true&order_by=last_activity_at')).body;
    t.deepEqual(
      ordered.map(({ id }: { id: number }) => id),
      [project.id, other.id],
      what,
    );
  }
  app.clock.advance('1 hour');
  const { body: edited } = await owner.put(path, { description: 'Only a setting' });
  t.not(edited.last_activity_at, app.clock.now().toISOString());
});

// Contract: interface-2.10.times
test.serial('the last activity moves at most once a minute', async (t) => {
  const { owner, path, file, lastActivity } = await quietProject();
  const first = app.clock.now().toISOString();
  await owner.post(`${path}/issues`, { title: 'First' });
  app.clock.advance('59 seconds');
  await owner.post(`${path}/issues`, { title: 'Second' });
  await owner.put(`${path}/repository/files/x.txt`, { ...file, start_branch: undefined, content: 'y' });
  t.is(await lastActivity(), first);
  app.clock.advance('1 second');
  await owner.post(`${path}/issues`, { title: 'Third' });
  t.is(await lastActivity(), app.clock.now().toISOString());
});

// Contract: interface-2.10.times
test.serial('who holds the row of a project keeps nobody from writing in it', async (t) => {
  const { project, owner, path, lastActivity } = await quietProject();
  const before = await lastActivity();
  const held = sql`select 1 from projects where id = ${project.id} for no key update`;
  const answers = await holding(app, held, () =>
    Promise.all([
      owner.post(`${path}/issues`, { title: 'Meanwhile' }),
      owner.post(`${path}/milestones`, { title: '1.0' }),
    ]),
  );
  t.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
  // A request that waited would have changed it.
  t.is(await lastActivity(), before);
  await owner.post(`${path}/issues`, { title: 'Afterwards' });
  t.is(await lastActivity(), app.clock.now().toISOString());
});
