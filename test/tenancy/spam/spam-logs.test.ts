import { text as textOf } from 'node:stream/consumers';
import test from 'ava';
import { sql } from 'kysely';
import { removeOldSpamLogs, submitSpamLogAsHam } from '../../../shared/tenancy/spam/tend-spam-logs.js';
import { useApp } from '../../core/app.js';
import { webServer } from '../../git/git-remote.js';
import { HARD, getLog, OFF, SPAM } from './spam-steps.js';

const app = useApp(test);

test.serial.beforeEach(() => app.set({ ...OFF, ...HARD } as never));

/** A user with spam in the log. */
async function spammer() {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const as = app.as(project.owner).with({ 'User-Agent': 'test/1' });
  const post = () => as.post(`/projects/${project.id}/issues`, { title: SPAM, description: 'Really' });
  await post();
  const [entry] = await getLog(app, project.owner);
  return { user: project.owner, post, id: entry!.id };
}

// Contract: spam-6.2.7
test.serial('administrators list, read and delete what was taken for spam', async (t) => {
  const { user, id, post } = await spammer();
  await post();
  const admin = app.as(await app.build.admin());
  const { status, body, headers } = await admin.get(`/admin/spam_logs?user_id=${user.id}&per_page=1`);
  t.is(status, 200);
  t.is(headers.get('x-total'), '2');
  t.true(body[0].id > id);
  const { body: entry } = await admin.get(`/admin/spam_logs/${id}`);
  t.like(entry, {
    id,
    user: { id: user.id, username: user.username },
    noteable_type: 'Issue',
    title: SPAM,
    text: 'Really',
    source_ip: '127.0.0.1',
    user_agent: 'test/1',
    via_api: true,
    verdict: 'disallow',
    recaptcha_verified: false,
    submitted_as_ham: false,
  });
  t.is((await admin.delete(`/admin/spam_logs/${id}`)).status, 204);
  t.is((await admin.get(`/admin/spam_logs/${id}`)).status, 404);
  t.is((await admin.delete(`/admin/spam_logs/${id}`)).status, 404);
  for (const path of ['/admin/spam_logs', `/admin/spam_logs/${id}`]) {
    t.is((await app.anonymous.get(path)).status, 401);
    t.is((await app.as(user).get(path)).status, 403);
  }
});

// Contract: spam-6.3.7
test.serial('what is marked as ham Akismet is told, by a job that may run twice', async (t) => {
  const { id, user } = await spammer();
  const admin = app.as(await app.build.admin());
  const requests: [string, URLSearchParams][] = [];
  const url = await webServer(t, (request, response) => {
    void textOf(request).then((body) => {
      requests.push([request.url ?? '', new URLSearchParams(body)]);
      response.end('Thanks for making the web a better place.');
    });
  });
  await app.set({
    akismet_enabled: true,
    akismet_api_key: 'abc',
    akismet_url: url,
    outbound_local_requests_whitelist: ['127.0.0.1'],
  });
  const { status, body } = await admin.post(`/admin/spam_logs/${id}/mark_as_ham`);
  t.is(status, 201);
  t.true(body.submitted_as_ham);
  t.is((await admin.post(`/admin/spam_logs/${id}/mark_as_ham`)).status, 201);
  t.deepEqual(requests, []);
  await app.work();
  t.is(requests.length, 1);
  t.is(requests[0]?.[0], '/1.1/submit-ham');
  t.like(Object.fromEntries(requests[0]![1]), { comment_author: user.name, comment_content: `${SPAM}\n\nReally` });
  await submitSpamLogAsHam(app.context(), id);
  t.is(requests.length, 2);
  await submitSpamLogAsHam(app.context(), 2 ** 40);
  t.is(requests.length, 2);
  t.like((await admin.get('/audit_events?per_page=1')).body[0], { event_name: 'spam_log_marked_as_ham' });
});

// Contract: spam-6.3.9
test.serial('the newest hundred entries of a user are kept, for 90 days', async (t) => {
  const { user, post } = await spammer();
  const other = await spammer();
  await app.context().query(sql`
    insert into spam_logs (user_id, noteable_type, title, text, user_agent, referer, verdict, challenged, created_at, updated_at)
    select ${user.id}, 'Issue', 'x', 'x', '', '', 'block', false, ${app.clock.now()}, ${app.clock.now()}
      from generate_series(1, 105)`);
  await post();
  const logs = await getLog(app, user);
  t.is(logs.length, 100);
  t.is(logs.at(-1)?.title, SPAM);
  t.is((await getLog(app, other.user)).length, 1);
  await app.context().query(sql`
    update spam_logs set created_at = created_at - interval '91 days' where user_id = ${user.id} and title = 'x'`);
  t.is(await removeOldSpamLogs(app.context()), 99);
  t.is(await removeOldSpamLogs(app.context()), 0);
  t.is((await getLog(app, user)).length, 1);
});

// Contract: spam-6.3.9
test.serial('long texts are kept in part, and entries go with their user', async (t) => {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const { owner } = project;
  const issue = { title: `${SPAM}${' x'.repeat(100)}`, description: 'y'.repeat(50_000) };
  t.is((await app.as(owner).post(`/projects/${project.id}/issues`, issue)).status, 409);
  t.is((await getLog(app, owner))[0]?.text.length, 10_000);
  t.is((await app.as(await app.build.admin()).delete(`/users/${owner.id}`)).status, 204);
  await app.work();
  t.deepEqual(await getLog(app, owner), []);
});

// Contract: spam-6.3.11
test.serial('keys of services are stored encrypted, shown to nobody, and told by no audit event', async (t) => {
  const admin = app.as(await app.build.admin());
  const keys = { akismet_api_key: 'first secret', recaptcha_private_key: 'second secret' };
  const put = await admin.put('/application/settings', keys);
  t.like(put.body, { akismet_api_key: '********', recaptcha_private_key: '********', spam_check_api_key: '' });
  const rows = await app.context().query<{ text: string }>(sql`
    select s.value::text as "text" from instance_settings s union all select row_to_json(e)::text from audit_events e`);
  const everything =
    rows.map(({ text }) => text).join('\n') + put.text + (await admin.get('/application/settings')).text;
  for (const secret of ['first secret', 'second secret', Buffer.from('first secret').toString('base64').slice(0, 12)])
    t.false(everything.includes(secret));
  t.true(everything.includes('Changed akismet api key'));
  // The whole answer sent back changes nothing.
  await admin.put('/application/settings', { akismet_api_key: '********', akismet_enabled: true });
  const { secretValue } = await import('../../../shared/instance/application-settings/secret-settings.js');
  t.is(secretValue(app.context(), 'akismet_api_key'), 'first secret');
  await admin.put('/application/settings', { akismet_api_key: '' });
  t.is((await admin.get('/application/settings')).body.akismet_api_key, '');
});
