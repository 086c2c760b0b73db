import test from 'ava';
import { useApp } from '../../core/app.js';
import { issueIn, linkToMany, getTarget } from './issues.js';

const app = useApp(test);
const NOW = '2030-01-01T00:00:00.000Z';

async function pair() {
  const project = await app.build.project();
  const [a, b] = [await issueIn(app, project), await issueIn(app, project)];
  return { project, a, b, as: app.as(project.owner) };
}

// Contract: interface-2.7.link-object, interface-2.7.list-item, interface-4.7.list, interface-4.7.get, interface-4.7.create, interface-4.7.delete, issue-links-1, issue-links-9.1
test('a link is made, seen from both sides under one id, read and taken away', async (t) => {
  const { a, b, as } = await pair();
  const response = await as.post(a.links, getTarget(b));
  t.is(response.status, 201);
  t.deepEqual(Object.keys(response.body), ['id', 'source_issue', 'target_issue', 'link_type']);
  t.is(response.body.link_type, 'relates_to');
  t.like(response.body.source_issue, { id: a.id, iid: a.iid, subscribed: true });
  t.like(response.body.target_issue, { id: b.id, iid: b.iid, subscribed: true });
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    const { status, body, headers } = await as.get(`${from.links}?per_page=1&page=7`);
    t.is(status, 200);
    t.is(body.length, 1);
    t.like(body[0], {
      id: to.id,
      issue_link_id: response.body.id,
      link_type: 'relates_to',
      link_created_at: NOW,
      link_updated_at: NOW,
    });
    t.false('subscribed' in body[0]);
    t.is(headers.get('x-total'), null);
    const read = await as.get(`${from.links}/${response.body.id}`);
    t.deepEqual([read.status, read.body], [200, response.body]);
  }
  const gone = await as.delete(`${b.links}/${response.body.id}`);
  t.deepEqual([gone.status, gone.body], [200, response.body]);
  for (const { links } of [a, b]) t.deepEqual((await as.get(links)).body, []);
  t.deepEqual((await as.delete(`${b.links}/${response.body.id}`)).body, { message: '404 Not found' });
});

// Contract: issue-links-2.list-item, interface-2.7.issue-summary
test('a linked issue is shown with every key of an issue', async (t) => {
  const { a, b, as, project } = await pair();
  await as.post(a.links, getTarget(b));
  const [listed] = (await as.get(a.links)).body;
  const [issue] = (await as.get(`/projects/${project.id}/issues?iids[]=${b.iid}`)).body;
  const { issue_link_id, link_type, link_created_at, link_updated_at, ...rest } = listed;
  t.deepEqual(rest, issue);
  t.true(Number.isInteger(issue_link_id));
  t.deepEqual([link_type, link_created_at, link_updated_at], ['relates_to', NOW, NOW]);
});

// Contract: issue-links-3.1, issue-links-3.2, issue-links-3.3, issue-links-3.4, issue-links-9.2
test('blocks and is_blocked_by are one direction, stored from who blocks', async (t) => {
  const { a, b, as } = await pair();
  const response = await as.post(a.links, { ...getTarget(b), link_type: 'is_blocked_by' });
  t.like(response.body, { link_type: 'blocks', source_issue: { id: b.id }, target_issue: { id: a.id } });
  t.is((await as.get(a.links)).body[0].link_type, 'is_blocked_by');
  t.is((await as.get(b.links)).body[0].link_type, 'blocks');
  for (const { links } of [a, b]) t.is((await as.get(`${links}/${response.body.id}`)).body.link_type, 'blocks');
});

// Contract: issue-links-3.5
test('blocking_issues_count counts the open issues that an issue blocks', async (t) => {
  const { a, b, as, project } = await pair();
  const count = async () => (await as.get(`/projects/${project.id}/issues/${a.iid}`)).body.blocking_issues_count;
  const state = (event: string) => as.put(`/projects/${project.id}/issues/${b.iid}`, { state_event: event });
  const { id } = (await as.post(a.links, { ...getTarget(b), link_type: 'blocks' })).body;
  t.is(await count(), 1);
  t.is((await as.get(`/projects/${project.id}/issues/${b.iid}`)).body.blocking_issues_count, 0);
  await state('close');
  t.is(await count(), 0);
  await state('reopen');
  t.is(await count(), 1);
  await as.delete(`${a.links}/${id}`);
  t.is(await count(), 0);
});

// Contract: issue-links-4.3, issue-links-4.4, issue-links-9.3
test('two issues have one link: another one is refused, of whatever type and from whatever side', async (t) => {
  const { a, b, as } = await pair();
  await as.post(a.links, getTarget(b));
  for (const link_type of ['relates_to', 'blocks', 'is_blocked_by'])
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const { status, body } = await as.post(from.links, { ...getTarget(to), link_type });
      t.deepEqual([status, body], [409, { message: 'Issue(s) already assigned' }]);
    }
});

// Contract: issue-links-4.1
test('linked issues come in the order in which they were linked, all at once', async (t) => {
  const { a, as, project } = await pair();
  const others = [];
  for (let number = 0; number < 8; number += 1) others.push(await issueIn(app, project));
  const order = others.toReversed();
  for (const [number, other] of order.entries())
    await as.post(number % 2 ? other.links : a.links, getTarget(number % 2 ? a : other));
  t.deepEqual(
    (await as.get(a.links)).body.map(({ id }: { id: number }) => id),
    order.map(({ id }) => id),
  );
});

// Contract: issue-links-4.5, issue-links-4.6, issue-links-9.7
test('an issue is not linked with itself, nor with more than a hundred others', async (t) => {
  const { a, b, as } = await pair();
  const itself = await as.post(a.links, getTarget(a));
  t.deepEqual(
    [itself.status, itself.body],
    [422, { message: `#${a.iid} cannot be added: cannot be related to itself` }],
  );
  await linkToMany(app, a, 100);
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    const { status, body } = await as.post(from.links, getTarget(to));
    t.is(status, 422);
    t.is(
      body.message,
      `#${to.iid} cannot be added: This issue would exceed the maximum number of linked issues (100).`,
    );
  }
});

// Contract: issue-links-4.8
test('issues of different projects are linked, the project named by id or path, in body or query', async (t) => {
  const owner = await app.build.user();
  const [one, other] = [await app.build.project({ owner }), await app.build.project({ owner })];
  const a = await issueIn(app, one);
  for (const [number, name] of [String(other.id), other.id, other.full_path].entries()) {
    const b = await issueIn(app, other);
    const target = { target_project_id: name, target_issue_iid: number % 2 ? b.iid : String(b.iid) };
    t.is((await app.as(owner).post(a.links, target)).body.target_issue.id, b.id);
  }
  const b = await issueIn(app, other);
  const query = `target_project_id=${encodeURIComponent(other.full_path)}&target_issue_iid=${b.iid}`;
  t.is((await app.as(owner).post(`${a.links}?${query}`)).status, 201);
  t.deepEqual(
    (await app.as(owner).get(a.links)).body.map((issue: { project_id: number }) => issue.project_id),
    [other.id, other.id, other.id, other.id],
  );
});

// Contract: issue-links-4.cycle
test('issues may block each other in a circle', async (t) => {
  const { a, b, as, project } = await pair();
  const c = await issueIn(app, project);
  for (const [from, to] of [
    [a, b],
    [b, c],
    [c, a],
  ] as const)
    t.is((await as.post(from.links, { ...getTarget(to), link_type: 'blocks' })).status, 201);
  t.deepEqual(
    (await as.get(a.links)).body.map(({ link_type }: { link_type: string }) => link_type),
    ['blocks', 'is_blocked_by'],
  );
});

// Contract: issue-links-4.race
test('of two that link the same issues at once, from both sides, one succeeds', async (t) => {
  const { a, b, as } = await pair();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, number) => as.post(number % 2 ? a.links : b.links, getTarget(number % 2 ? b : a))),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 9 }, () => 409)]);
  t.is((await as.get(a.links)).body.length, 1);
});

// Contract: issue-links-4.6.race
test('two callers at once do not bring an issue beyond a hundred links', async (t) => {
  const { a, as, project } = await pair();
  await linkToMany(app, a, 98);
  const others = await Promise.all(Array.from({ length: 6 }, () => issueIn(app, project)));
  const answers = await Promise.all(others.map((other) => as.post(other.links, getTarget(a))));
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 422, 422, 422, 422]);
});
