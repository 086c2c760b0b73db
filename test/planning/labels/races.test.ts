import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { holding } from '../../core/holding.js';

const app = useApp(test);
const BUSY = [409, { message: '409 Conflict: Resource lock' }];

test.serial('an issue is not made with a label or milestone that is being deleted', async (t) => {
  const project = await app.build.project({ empty: true });
  const as = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const { body: label } = await as.post(`${path}/labels`, { name: 'bug', color: 'red' });
  const { body: milestone } = await as.post(`${path}/milestones`, { title: '1.0' });
  const cases = [
    { gone: sql`delete from labels where id = ${label.id}`, attributes: { labels: 'bug' } },
    { gone: sql`delete from milestones where id = ${milestone.id}`, attributes: { milestone_id: milestone.id } },
  ];
  for (const { gone, attributes } of cases) {
    const { status, body } = await holding(app, gone, () => as.post(`${path}/issues`, { title: 'x', ...attributes }));
    t.deepEqual([status, body], BUSY);
  }
  t.deepEqual((await as.get(`${path}/issues`)).body, []);
});

test.serial('a label that is added while its issue is closed is counted as closed', async (t) => {
  const project = await app.build.project({ empty: true });
  const as = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const { body: issue } = await as.post(`${path}/issues`, { title: 'x' });
  const closing = sql`update issues set state = 'closed' where id = ${issue.id}`;
  const { status } = await holding(app, closing, () => as.put(`${path}/issues/${issue.iid}`, { add_labels: 'bug' }));
  t.is(status, 200);
  const [counted] = (await as.get(`${path}/labels?with_counts=true`)).body;
  t.like(counted, { open_issues_count: 0, closed_issues_count: 1 });
});
