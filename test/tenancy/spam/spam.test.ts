import test from 'ava';
import { sql } from 'kysely';
import { User } from '../../../shared/tenancy/users/user.entity.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { CHALLENGED, checksCounted, DENIED, HARD, getLog, OFF, SOFT, solved, SPAM } from './spam-steps.js';

const app = useApp(test);

test.serial.beforeEach(() => app.set(OFF as never));

const CREATE = `mutation($input: CreateIssueInput!) { createIssue(input: $input) { errors issue { iid title } } }`;

/** A public project, and a user who may create issues in it. */
async function setUp(visibility = 'public') {
  const project = await app.build.project({ visibility });
  const user = project.owner;
  const issues = `/projects/${project.id}/issues`;
  const post = (params: object = {}, headers: Record<string, string> = {}, by: BuiltUser = user) =>
    app
      .as(by)
      .with(headers)
      .post(issues, { title: SPAM, ...params });
  const mutate = (input: object = {}, headers: Record<string, string> = {}) =>
    app
      .as(user)
      .with(headers)
      .graphql(CREATE, { input: { projectPath: project.full_path, title: SPAM, ...input } });
  return { project, user, issues, post, mutate };
}

/** Is answered a challenge. @returns the entry of the log that it names */
async function challenge({ post }: Awaited<ReturnType<typeof setUp>>, by?: BuiltUser): Promise<number> {
  const { body } = await post({}, {}, by);
  return body.spam_log_id as number;
}

// Contract: spam-6.2.1, spam-6.3.6
test.serial(
  'with nothing set up every text is allowed, nothing is logged, and nothing more is asked of the database',
  async (t) => {
    const { post, user } = await setUp();
    t.is((await post()).status, 201);
    const off = await app.statementsOf(() => post());
    t.deepEqual(await getLog(app, user), []);
    await app.set(HARD);
    const on = await app.statementsOf(() => post({ title: 'A question' }));
    t.true(on > off && on <= off + 6, `${off} statements while off, ${on} while on`);
  },
);

// Contract: spam-6.1.1, spam-6.2.6, spam-6.2.7
test.serial('spam is a top-level error whose extensions say so, and the mutation is null', async (t) => {
  const { mutate, user, project } = await setUp();
  await app.set(HARD);
  const { status, body } = await mutate({ description: 'Really' });
  t.is(status, 200);
  t.deepEqual(body, {
    errors: [
      {
        message: DENIED,
        locations: [{ line: 1, column: 39 }],
        path: ['createIssue'],
        extensions: { spam: true },
      },
    ],
    data: { createIssue: null },
  });
  const [entry, ...others] = await getLog(app, user);
  t.deepEqual(others, []);
  t.like(entry, {
    noteable_type: 'Issue',
    title: SPAM,
    text: 'Really',
    verdict: 'disallow',
    via_api: true,
    recaptcha_verified: false,
  });
  t.deepEqual((await app.as(user).get(`/projects/${project.id}/issues`)).body, []);
});

// Contract: spam-6.2.9
test.serial('[unverified] over REST spam is 409, with a challenge and without', async (t) => {
  const { post } = await setUp();
  await app.set(HARD);
  const hard = await post();
  t.is(hard.status, 409);
  t.deepEqual(hard.body, { message: { error: DENIED } });
  await app.set(SOFT);
  const soft = await post();
  t.is(soft.status, 409);
  t.deepEqual(soft.body, {
    needs_captcha_response: true,
    spam_log_id: soft.body.spam_log_id,
    captcha_site_key: 'site-key',
    message: { error: CHALLENGED },
  });
  t.is(typeof soft.body.spam_log_id, 'number');
});

// Contract: spam-6.1.2, spam-6.1.3, spam-6.2.2, spam-6.3.5
test.serial('a challenge names the entry of the log, and the same mutation with two headers is done', async (t) => {
  const { mutate, user } = await setUp();
  await app.set(SOFT);
  const { body } = await mutate();
  const { message, path, extensions } = body.errors[0];
  t.is(message, CHALLENGED);
  t.deepEqual(path, ['createIssue']);
  t.deepEqual(body.data, { createIssue: null });
  const [entry] = await getLog(app, user);
  t.deepEqual(extensions, { needsCaptchaResponse: true, captchaSiteKey: 'site-key', spamLogId: entry?.id });
  const before = await checksCounted('wordlist', 'conditional_allow');
  const retried = await mutate({}, solved(extensions.spamLogId));
  t.deepEqual(retried.body.data.createIssue, { errors: [], issue: { iid: '1', title: SPAM } });
  t.is(await checksCounted('wordlist', 'conditional_allow'), before, 'no checker is asked again');
  t.like(await getLog(app, user), [{ id: extensions.spamLogId, recaptcha_verified: true }]);
});

// Contract: spam-6.1.3
test.serial('the headers of a retry are read under the compatible prefix too', async (t) => {
  const there = await setUp();
  await app.set(SOFT);
  const id = await challenge(there);
  t.is((await there.post({}, solved(id, 'solved', 'X-Gitlab'))).status, 201);
});

// Contract: spam-6.2.2.1
test.serial('[local] a response counts once: with a used entry the text is checked anew', async (t) => {
  const there = await setUp();
  await app.set(SOFT);
  const id = await challenge(there);
  t.is((await there.post({}, solved(id))).status, 201);
  const again = await there.post({}, solved(id));
  t.is(again.status, 409);
  t.true(again.body.spam_log_id > id);
});

// Contract: spam-6.2.2.1
test.serial('[local] of two requests at once with the same response one passes', async (t) => {
  const there = await setUp();
  await app.set(SOFT);
  const id = await challenge(there);
  const both = await Promise.all([there.post({}, solved(id)), there.post({}, solved(id))]);
  t.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409]);
});

// Contract: spam-6.2.2.1
test.serial(
  "another user's entry, an old one, an unknown one, none, and a wrong response count as no response",
  async (t) => {
    const there = await setUp();
    await app.set(SOFT);
    const other = await app.build.user();
    const foreign = await challenge(there, other);
    const own = await challenge(there);
    const old = await challenge(there);
    await app
      .context()
      .query(sql`update spam_logs set created_at = created_at - interval '61 minutes' where id = ${old}`);
    const cases = {
      foreign: solved(foreign),
      old: solved(old),
      unknown: solved(2 ** 40),
      none: { 'X-Service-Captcha-Response': 'solved' },
      'no number': solved('1e3'),
      'too large': solved('9'.repeat(40)),
      'wrong response': solved(own, 'guessed'),
      'long response': solved(own, 'x'.repeat(9000)),
    };
    for (const [what, headers] of Object.entries(cases)) {
      const { status, body } = await there.post({}, headers);
      t.is(status, 409, what);
      t.true(body.needs_captcha_response, what);
    }
    t.is((await getLog(app, other))[0]?.recaptcha_verified, false);
    t.is((await there.post({}, solved(own))).status, 201, 'a wrong response uses nothing up');
  },
);

// Contract: spam-6.2.2.1
test.serial('an entry that was refused hard is none to retry by', async (t) => {
  const there = await setUp();
  await app.set({ ...SOFT, spam_wordlist_verdict: 'block' });
  t.deepEqual((await there.post()).body, { message: { error: DENIED } });
  const [entry] = await getLog(app, there.user);
  t.is(entry?.verdict, 'block');
  await app.set(SOFT);
  t.is((await there.post({}, solved(entry!.id))).status, 409);
});

// Contract: spam-6.2.6
test.serial('what a CAPTCHA could settle is refused as spam where there is none', async (t) => {
  const { mutate } = await setUp();
  for (const missing of [{ recaptcha_enabled: false }, { recaptcha_site_key: '' }, { recaptcha_private_key: '' }]) {
    await app.set({ ...SOFT, ...missing });
    t.deepEqual((await mutate()).body.errors[0].extensions, { spam: true }, JSON.stringify(missing));
  }
});

// Contract: spam-6.2.3
test.serial('what the public does not see is not looked at', async (t) => {
  await app.set(HARD);
  for (const visibility of ['private', 'internal']) {
    const { post, user } = await setUp(visibility);
    t.is((await post()).status, 201, visibility);
    t.deepEqual(await getLog(app, user), []);
  }
  const { post, project, user } = await setUp();
  t.is((await post({ confidential: true })).status, 201);
  const { body: issue } = await post({ title: 'A question' });
  const notes = `/projects/${project.id}/issues/${issue.iid}/notes`;
  t.is((await app.as(user).post(notes, { body: SPAM, internal: true })).status, 201);
  t.is((await app.as(user).post(notes, { body: `Hm\n/title ${SPAM}`, internal: true })).status, 409);
  await app.set(OFF as never);
  await app.as(user).put(`/projects/${project.id}`, { issues_access_level: 'private' });
  await app.set(HARD);
  t.is((await post()).status, 201, 'issues for members');
});

// Contract: spam-6.2.3
test.serial('edits are looked at where they change title, description or who sees the issue', async (t) => {
  const { post, issues, user } = await setUp();
  const { body: bad } = await post();
  const { body: hidden } = await post({ confidential: true });
  const { body: good } = await post({ title: 'A question' });
  await app.set(HARD);
  const edit = async (iid: number, params: object) => (await app.as(user).put(`${issues}/${iid}`, params)).status;
  t.is(await edit(bad.iid, { weight: 3 }), 200);
  t.is(await edit(bad.iid, { state_event: 'close', title: SPAM }), 200, 'the same title');
  t.is(await edit(bad.iid, { description: 'More' }), 409);
  t.is(await edit(good.iid, { description: SPAM }), 409);
  t.is(await edit(good.iid, { title: SPAM }), 409);
  t.is(await edit(good.iid, { description: SPAM, confidential: true }), 200);
  t.is(await edit(hidden.iid, { description: 'More' }), 200);
  t.is(await edit(hidden.iid, { confidential: false }), 409);
});

// Contract: spam-6.2.3
test.serial('bots may write what they like', async (t) => {
  const { post, project } = await setUp();
  const bot = await app.build.user();
  await app.build.member(project, 'developer', bot);
  const ctx = app.context();
  await ctx.transaction(() => ctx.em.nativeUpdate(User, { id: bot.id }, { bot: true }));
  await app.set(HARD);
  t.is((await post({}, {}, bot)).status, 201);
});

// Contract: spam-6.2.5
test.serial('the instance and a user may be allowed to write spam, which is logged all the same', async (t) => {
  const { post, user, issues } = await setUp();
  await app.set({ ...SOFT, allow_possible_spam: true });
  t.is((await post()).status, 201);
  t.is((await getLog(app, user)).length, 1);
  await app.set({ allow_possible_spam: false });
  t.is((await post()).status, 409);
  const admin = app.as(await app.build.admin());
  const { body } = await admin.put(`/users/${user.id}`, { allow_possible_spam: true });
  t.true(body.allow_possible_spam);
  t.is((await post()).status, 201);
  t.is((await getLog(app, user)).length, 3);
  t.is((await app.as(user).get(issues)).body.length, 2);
  t.like((await admin.get('/audit_events?per_page=1')).body[0], {
    event_name: 'user_updated',
    details: { change: 'allow_possible_spam' },
  });
  t.false('allow_possible_spam' in (await app.as(user).get('/user')).body);
});

// Contract: spam-6.2.5
test.serial('administrators allow a group: texts of its direct members pass, as long as they are in it', async (t) => {
  const { post, user } = await setUp();
  await app.set(HARD);
  const group = await app.build.group();
  const [admin, owner] = [app.as(await app.build.admin()), app.as(group.owner)];
  await owner.post(`/groups/${group.id}/members`, { user_id: user.id, access_level: 10 });
  const allow = { allow_possible_spam: true };
  t.false('allow_possible_spam' in (await owner.put(`/groups/${group.id}`, allow)).body);
  t.is((await post()).status, 409, 'what Owners say of it is ignored');
  t.true((await admin.put(`/groups/${group.id}`, allow)).body.allow_possible_spam);
  t.is((await post()).status, 201);
  t.is((await getLog(app, user)).length, 2, 'logged all the same');
  t.like((await admin.get('/audit_events?per_page=1')).body[0], { details: { change: 'allow_possible_spam' } });
  t.false('allow_possible_spam' in (await owner.get(`/groups/${group.id}`)).body);
  const sub = await app.build.group({ owner: group.owner as never, parent: group });
  const below = await setUp();
  await owner.post(`/groups/${sub.id}/members`, { user_id: below.user.id, access_level: 10 });
  t.is((await below.post()).status, 409, 'a subgroup is not meant');
  await owner.delete(`/groups/${group.id}/members/${user.id}`);
  t.is((await post()).status, 409);
});

test.serial('who may not write is told so, not that it is spam', async (t) => {
  const { post, project } = await setUp();
  await app.set(HARD);
  t.is((await app.anonymous.post(`/projects/${project.id}/issues`, { title: SPAM })).status, 401);
  t.is(
    (
      await app.as(await app.build.user()).post(`/projects/${project.id}/snippets`, {
        title: SPAM,
        visibility: 'public',
        content: 'x',
      })
    ).status,
    403,
  );
  t.is((await post({ title: undefined })).status, 400);
});
