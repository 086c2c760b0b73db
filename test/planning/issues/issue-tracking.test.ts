import test from 'ava';
import { useApp } from '../../core/app.js';
import { humanDuration, parseDuration } from '../../../shared/planning/issuables/duration.js';
import { issuesIn } from './issue-steps.js';

const app = useApp(test);

// Contract: core-6.durations
test('durations are read and written as the public API does', (t) => {
  const rows: [string, number | null][] = [
    ['3h30m', 12_600],
    ['3h 30m', 12_600],
    ['1.5h', 5400],
    ['1mo 2w 3d 4h 5m 6s', 576_000 + 288_000 + 86_400 + 14_400 + 300 + 6],
    ['2 hours', 7200],
    ['2', 7200],
    ['-1h', -3600],
    ['0', 0],
    ['', null],
    ['h', null],
    ['1x', null],
    ['1h?', null],
    ['99999999999h', null],
    [`${'1h '.repeat(100)}`, null],
  ];
  for (const [text, seconds] of rows) t.is(parseDuration(text), seconds, text);
  t.is(humanDuration(12_600), '3h 30m');
  t.is(humanDuration(8 * 3600 * 5 + 60), '1w 1m');
  t.is(humanDuration(-3600), '-1h');
  t.is(humanDuration(0), null);
});

// Contract: core-6.time
test('time is estimated, spent, taken away and reset by Planners and above', async (t) => {
  const { project, make, path } = await issuesIn(app);
  const { iid } = await make();
  const planner = app.as(await app.build.member(project, 'planner'));
  const send = (what: string, body?: object) => planner.post(`${path}/${iid}/${what}`, body);
  const estimated = await send('time_estimate', { duration: '1d' });
  t.deepEqual(
    [estimated.status, estimated.body],
    [200, { time_estimate: 28_800, total_time_spent: 0, human_time_estimate: '1d', human_total_time_spent: null }],
  );
  const spent = await send('add_spent_time', { duration: '3h30m', summary: 'looking' });
  t.is(spent.status, 201);
  t.like(spent.body, { total_time_spent: 12_600, human_total_time_spent: '3h 30m' });
  t.like((await send('add_spent_time', { duration: '-30m' })).body, { total_time_spent: 10_800 });
  const tooMuch = await send('add_spent_time', { duration: '-4h' });
  t.deepEqual(
    [tooMuch.status, tooMuch.body],
    [400, { message: { base: ['Time to subtract exceeds the total time spent'] } }],
  );
  t.like((await planner.get(`${path}/${iid}/time_stats`)).body, { total_time_spent: 10_800, time_estimate: 28_800 });
  t.like((await send('reset_time_estimate')).body, { time_estimate: 0 });
  const reset = await send('reset_spent_time');
  t.deepEqual([reset.status, reset.body.total_time_spent], [200, 0]);
  for (const duration of ['soon', '', '0'])
    t.deepEqual((await send('add_spent_time', { duration })).body, { error: 'duration is invalid' });
  t.deepEqual((await send('time_estimate', { duration: '-1h' })).body, { error: 'duration is invalid' });
  t.deepEqual((await send('time_estimate', {})).body, { error: 'duration is missing' });
  const guest = await app.build.member(project, 'guest');
  t.is((await app.as(guest).post(`${path}/${iid}/time_estimate`, { duration: '1h' })).status, 403);
});

// Contract: core-6.subscribe
test('whoever sees an issue subscribes once: 201, then 304', async (t) => {
  const { project, make, path, owner } = await issuesIn(app);
  const { iid } = await make();
  const guest = await app.build.member(project, 'guest');
  const send = async (user: typeof guest, what: string) => {
    const { status, body } = await app.as(user).post(`${path}/${iid}/${what}`);
    return [status, body?.subscribed ?? null];
  };
  t.deepEqual(await send(guest, 'subscribe'), [201, true]);
  t.deepEqual(await send(guest, 'subscribe'), [304, null]);
  t.deepEqual(await send(guest, 'unsubscribe'), [201, false]);
  t.deepEqual(await send(guest, 'unsubscribe'), [304, null]);
  t.deepEqual(await send(owner, 'subscribe'), [304, null]);
  t.deepEqual(await send(owner, 'unsubscribe'), [201, false]);
  t.is((await app.as(owner).get(`${path}/${iid}`)).body.subscribed, false);
});

// Contract: core-6.participants, core-6.merge-requests
test('participants are author and assignees who still see it; no merge request names it yet', async (t) => {
  const { project, make, path, owner } = await issuesIn(app);
  const [stays, leaves] = [await app.build.member(project, 'guest'), await app.build.member(project, 'guest')];
  const { iid } = await make({ assignee_ids: [stays.id, leaves.id] });
  await app.as(owner).delete(`/projects/${project.id}/members/${leaves.id}`);
  const { body, headers } = await app.as(owner).get(`${path}/${iid}/participants`);
  t.deepEqual(body.map(({ id }: { id: number }) => id).sort(), [owner.id, stays.id].sort());
  t.is(headers.get('x-total'), '2');
  for (const what of ['related_merge_requests', 'closed_by'])
    t.deepEqual((await app.as(owner).get(`${path}/${iid}/${what}`)).body, []);
});

// Contract: core-6.user-agent
test('administrators read with what an issue was made', async (t) => {
  const { owner, path } = await issuesIn(app);
  const agent = app.as(owner).with({ 'User-Agent': 'curl/8' });
  await agent.post(path, { title: 'x' });
  const admin = await app.build.admin();
  const { body } = await app.as(admin).get(`${path}/1/user_agent_detail`);
  t.like(body, { user_agent: 'curl/8', akismet_submitted: false });
  t.truthy(body.ip_address);
  t.is((await app.as(owner).get(`${path}/1/user_agent_detail`)).status, 403);
});
