import test from 'ava';
import { UserCaller } from '../../../shared/core/callers.js';
import { Context } from '../../../shared/core/context.js';
import type { DomainEvent } from '../../../shared/core/events.js';
import { invoke } from '../../../shared/core/operation.js';
import { subscriber } from '../../../shared/core/subscribers.js';
import { createIssue } from '../../../shared/planning/issue-edits/create-issue.js';
import { deleteIssue } from '../../../shared/planning/issue-edits/delete-issue.js';
import { moveIssue } from '../../../shared/planning/issue-edits/move-issue.js';
import { updateIssue } from '../../../shared/planning/issue-edits/update-issue.js';
import { useApp } from '../../core/app.js';
import { issuesIn } from './issue-steps.js';

const app = useApp(test);

type IssueEvent = DomainEvent<'issue.created' | 'issue.changed' | 'issue.moved' | 'issue.deleted' | 'label.created'>;

/** Everything of one project's owner, and what is told of it. */
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
test.serial('a creation and an edit of everything need no more statements than they declare', async (t) => {
  const { path, owner, project, make, milestone } = await issuesIn(app);
  const [one, two] = [await milestone({ project }), await milestone({ project })];
  const all = {
    labels: 'a,b',
    assignee_ids: [owner.id],
    milestone_id: one,
    description: 'x',
    weight: 1,
    due_date: '2030-01-01',
  };
  const client = app.as(owner);
  await make();
  const counted = async (run: () => Promise<{ status: number }>) =>
    app.statementsOf(async () => t.true((await run()).status < 300));
  const within = (needed: number, { statements }: { statements: number }) => t.true(needed <= statements, `${needed}`);
  within(await counted(() => client.post(path, { title: 'all', ...all })), createIssue);
  const edit = { ...all, labels: 'c', milestone_id: two, assignee_ids: [], state_event: 'close', title: 'other' };
  within(await counted(() => client.put(`${path}/2`, edit)), updateIssue);
  const target = await app.build.project({ owner });
  await counted(() => client.put(`${path}/2`, { ...all, state_event: 'reopen' }));
  within(await counted(() => client.post(`${path}/2/move`, { to_project_id: target.id })), moveIssue);
  const few = await counted(() => client.get(path));
  for (let count = 0; count < 5; count += 1) await make(all);
  t.true((await counted(() => client.get(path))) <= few + 1);
});
