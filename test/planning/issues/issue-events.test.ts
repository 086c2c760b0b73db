import test from 'ava';
import { UserCaller } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { DomainEvent } from '../../../shared/core/values/events.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { subscriber } from '../../../shared/core/context/subscribers.js';
import { sql } from 'kysely';
import { cloneIssue } from '../../../shared/planning/issues/clone-issue.js';
import { createIssue } from '../../../shared/planning/issues/create-issue.js';
import { deleteIssue } from '../../../shared/planning/issues/delete-issue.js';
import { moveIssue } from '../../../shared/planning/issues/move-issue.js';
import { reorderIssue } from '../../../shared/planning/issues/reorder-issue.js';
import { updateIssue } from '../../../shared/planning/issues/update-issue.js';
import { useApp } from '../../core/app.js';
import { issuesIn } from './issue-steps.js';

const app = useApp(test);

type IssueEvent = DomainEvent<'issue.created' | 'issue.changed' | 'issue.moved' | 'issue.deleted' | 'label.created'>;

/** Issues of a project owner, and the events published about them. */
async function listening() {
  const steps = await issuesIn(app);
  const heard: IssueEvent[] = [];
  const types = ['issue.created', 'issue.changed', 'issue.moved', 'issue.deleted', 'label.created'] as const;
  const probe = subscriber('the test', types, (_ctx, events) => {
    heard.push(...(events as IssueEvent[]));
    return Promise.resolve();
  });
  const ctx = new Context({ ...app.services, subscribers: [probe] }, new UserCaller(steps.owner));
  return { ...steps, ctx, take: () => heard.splice(0), id: String(steps.project.id) };
}

// Contract: core-6.events
test('each write tells once what it changed, and a write that changes nothing tells nothing', async (t) => {
  const { ctx, take, id, owner, project, milestone } = await listening();
  const one = await milestone({ project }, { title: 'one' });
  await invoke(ctx, createIssue, { id, title: 'a', labels: 'x', assignee_ids: [owner.id], weight: 1 });
  const created = take();
  t.deepEqual(
    created.map(({ type }) => type),
    ['label.created', 'issue.created'],
  );
  const [, event] = created;
  if (event?.type !== 'issue.created') return t.fail();
  t.deepEqual(
    event.changes.map(({ attribute }) => attribute),
    ['weight', 'labels', 'assignees'],
  );
  const edit = (values: object) => invoke(ctx, updateIssue, { id, issue_iid: 1, ...values });
  await edit({
    title: 'b',
    description: 'c',
    state_event: 'close',
    labels: ['x'],
    add_labels: 'y',
    milestone_id: one,
    assignee_ids: [],
    confidential: true,
    discussion_locked: true,
    due_date: '2030-02-02',
    weight: 2,
    issue_type: 'incident',
    severity: 'low',
  });
  const changed = take().find(({ type }) => type === 'issue.changed');
  if (changed?.type !== 'issue.changed') return t.fail();
  const { id: labelId } = changed.changes.flatMap((one) => (one.attribute === 'labels' ? one.added : []))[0] ?? {};
  t.like(changed.issue, { title: 'b', state: 'closed' });
  t.deepEqual(
    changed.changes.filter(({ attribute }) => attribute !== 'assignees'),
    [
      { attribute: 'title', from: 'a', to: 'b' },
      { attribute: 'description' },
      { attribute: 'issue_type', from: 'issue', to: 'incident' },
      { attribute: 'state', to: 'closed' },
      { attribute: 'confidential', to: true },
      { attribute: 'discussion_locked', to: true },
      { attribute: 'due_date', from: null, to: '2030-02-02' },
      { attribute: 'weight', from: 1, to: 2 },
      { attribute: 'severity', from: 'unknown', to: 'low' },
      { attribute: 'milestone', from: null, to: { id: one, title: 'one' } },
      { attribute: 'labels', added: [{ id: labelId as number, title: 'y' }], removed: [] },
    ],
  );
  await edit({ title: 'b', labels: 'y,x', state_event: 'close', due_date: '2030-02-02' });
  t.deepEqual(take(), []);
  const target = await app.build.project({ owner });
  await invoke(ctx, moveIssue, { id, issue_iid: 1, to_project_id: target.id });
  await invoke(ctx, deleteIssue, { id, issue_iid: 1 });
  t.deepEqual(
    take().map(({ type }) => type),
    ['issue.moved', 'issue.deleted'],
  );
});

// Contract: core-6.statements
test.serial('edits of everything need as many statements as they declare', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const { path, project, make, milestone } = await issuesIn(app, await app.build.projectIn(group));
  const [one, two] = [await milestone({ group }), await milestone({ project })];
  const helper = await app.build.member(project, 'developer');
  const all = {
    labels: 'a,b',
    assignee_ids: [owner.id, helper.id],
    milestone_id: one,
    description: `- [ ] ask @${helper.username} of #1`,
    weight: 1,
    start_date: '2029-12-01',
    due_date: '2030-01-01',
    confidential: true,
    discussion_locked: true,
    issue_type: 'incident',
    severity: 'high',
  };
  const client = app.as(owner);
  const [first, second] = [await make(), await make()];
  await client.post(`/groups/${group.id}/labels`, { name: 'of the group', color: 'red' });
  const needed: Record<string, [number, number]> = {};
  const count = async (
    name: string,
    { statements }: { statements: number },
    run: () => Promise<{ status: number }>,
  ) => {
    needed[name] = [await app.statementsOf(async () => t.true((await run()).status < 300, name)), statements];
  };
  await count('create', createIssue, () => client.post(path, { title: 'all', ...all, created_at: '2029-01-01' }));
  const edit = { ...all, labels: 'c,of the group', milestone_id: two, assignee_ids: [helper.id], weight: 5 };
  const values = { state_event: 'close', title: 'other', issue_type: 'task', confidential: false, due_date: '' };
  await count('update', updateIssue, () => client.put(`${path}/3`, { ...edit, ...values, discussion_locked: false }));
  const link = { target_project_id: project.id, target_issue_iid: 1, link_type: 'blocks' };
  await client.put(`${path}/3`, { ...all, labels: 'a,of the group', state_event: 'reopen' });
  await client.post(`${path}/3/links`, link);
  await client.post(`${path}/3/add_spent_time`, { duration: '1h' });
  await client.post(`${path}/3/subscribe`);
  const target = { to_project_id: (await app.build.project({ owner })).id };
  await count('clone', cloneIssue, () => client.post(`${path}/3/clone`, target));
  await count('move', moveIssue, () => client.post(`${path}/3/move`, target));
  await app
    .context()
    .query(sql`update issues set relative_position = 7 where id = any(${[first.id, second.id]}::bigint[])`);
  const last = await make();
  await count('reorder', reorderIssue, () =>
    client.put(`${path}/${last.iid}/reorder`, { move_before_id: first.id, move_after_id: second.id }),
  );
  // A budget that is looser hides what comes on top.
  for (const [name, [statements, declared]] of Object.entries(needed))
    t.true(statements <= declared && statements >= declared - 2, `${name}: ${statements} of ${declared}`);
  const read = () => app.statementsOf(async () => t.is((await client.get(path)).status, 200));
  const few = await read();
  for (let index = 0; index < 5; index += 1) await make(all);
  t.true((await read()) <= few + 1);
});
