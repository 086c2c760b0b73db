import test from 'ava';
import { sql } from 'kysely';
import { pruneRefusedRequests } from '../../../shared/instance/refused-requests/prune-refused-requests.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Answer } from '../../core/client.js';

const app = useApp(test);

/** The recorded reason for a rejected response. */
async function why(reader: BuiltUser, { headers }: Pick<Answer, 'headers'>): Promise<Answer> {
  await app.denials.written();
  return app.as(reader).get(`/refused_requests/${headers.get('x-request-id')}`);
}

// Contract: refused-requests.scope
test('a token without the scope: its kind, its scopes and those that would do', async (t) => {
  const user = await app.build.user();
  const reader = await app.build.token(user, { scopes: ['read_api'] });
  const rejection = await app.as(reader).post('/projects', { name: 'Rocket' });
  t.is(rejection.status, 403);
  const { status, body } = await why(user, rejection);
  t.is(status, 200);
  const [one] = body;
  t.is(body.length, 1);
  t.deepEqual(
    [one.check, one.status, one.operation, one.route, one.token, one.accepted_scopes, one.user_id],
    ['scope', 403, 'createProject', 'POST /projects', { kind: 'access', scopes: ['read_api'] }, ['api'], user.id],
  );
  t.is(one.reason, 'The token has none of the scopes api.');
  t.is(one.request_id, rejection.headers.get('x-request-id'));
});

// Contract: refused-requests.role
test('a missing role: the right, the role that the caller has and the least that would do', async (t) => {
  const project = await app.build.project();
  const reporter = await app.build.member(project, 'reporter');
  const rejection = await app.as(reporter).put(`/projects/${project.id}`, { description: 'Mine' });
  t.is(rejection.status, 403);
  const [one] = (await why(reporter, rejection)).body;
  t.deepEqual(
    [one.check, one.role, one.required_role, one.ability],
    ['ability', 'reporter', 'maintainer', 'admin_project'],
  );
  t.regex(one.reason, /role maintainer/);
});

// Contract: refused-requests.hidden
test('of an absent and of a hidden record a person reads the same, administrators which it is', async (t) => {
  const [project, group] = [await app.build.project(), await app.build.group({ visibility: 'private' })];
  const [stranger, admin] = [await app.build.user(), await app.build.admin()];
  for (const [hidden, absent] of [
    [`/projects/${project.id}`, '/projects/999999999'],
    [`/groups/${group.id}`, '/groups/999999999'],
  ] as const) {
    const answers = [await app.as(stranger).get(hidden), await app.as(stranger).get(absent)];
    const [own, ofAbsent] = [(await why(stranger, answers[0]!)).body, (await why(stranger, answers[1]!)).body];
    const varying = { request_id: '', created_at: '' };
    t.deepEqual({ ...own[0], ...varying }, { ...ofAbsent[0], ...varying });
    t.false('hidden' in own[0]);
    t.is(own[0].check, 'subject');
    t.is((await why(admin, answers[0]!)).body[0].hidden, true);
    t.is((await why(admin, answers[1]!)).body[0].hidden, false);
    t.not((await why(admin, answers[0]!)).body[0].reason, (await why(admin, answers[1]!)).body[0].reason);
  }
});

// Contract: refused-requests.credential
test('requests without or with an unknown credential, and unknown routes, are told to administrators', async (t) => {
  const admin = await app.build.admin();
  const cases = [
    [await app.anonymous.get('/user'), 'gate'],
    [await app.withHeaders({ 'PRIVATE-TOKEN': 'nobody-has-it' }).get('/user'), 'credential'],
    [await app.as(admin).get('/no_such_thing'), 'route'],
  ] as const;
  for (const [answer, check] of cases) t.is((await why(admin, answer)).body[0]?.check, check);
});

// Contract: refused-requests.own
test("another one's request is a 404, as one that nobody sent; without a credential it is a 401", async (t) => {
  const [one, other] = [await app.build.user(), await app.build.user()];
  const rejection = await app.as(one).get('/projects/999999999');
  const [foreign, none] = [await why(other, rejection), await app.as(other).get('/refused_requests/never-sent')];
  t.is(foreign.status, 404);
  t.deepEqual(foreign.body, none.body);
  t.is((await app.anonymous.get('/refused_requests/never-sent')).status, 401);
});

// Contract: refused-requests.graphql
test('fields that are null for the caller, and mutations, say which they were', async (t) => {
  const [project, stranger] = [await app.build.project(), await app.build.user()];
  const schedule = await app.build.schedule({ project });
  const answer = await app.as(stranger).graphql(`mutation {
    pipelineScheduleDelete(input: { id: "gid://gitlab/Ci::PipelineSchedule/${schedule.id}" }) { errors } }`);
  const { body } = await why(stranger, answer);
  t.deepEqual(
    body.map(({ route, status }: { route: string; status: number }) => [route, status]),
    [['Mutation.pipelineScheduleDelete', 200]],
  );
});

// Contract: refused-requests.bounds
test.serial('of many refusals of one caller at a time twenty are kept; all go after an hour', async (t) => {
  const user = await app.build.user();
  const answers = await Promise.all(Array.from({ length: 30 }, () => app.as(user).get('/projects/999999999')));
  const explanations = await Promise.all(answers.map((answer) => why(user, answer)));
  t.is(explanations.filter(({ status }) => status === 200).length, 20);
  const ctx = app.context();
  await ctx.query(sql`
    update refused_requests set created_at = created_at - interval '61 minutes' where user_id = ${user.id}`);
  t.is(await ctx.transaction(() => pruneRefusedRequests(ctx)), 20);
  t.is(await ctx.transaction(() => pruneRefusedRequests(ctx)), 0);
});

// Contract: refused-requests.no-values
test('no id, path or value of a request is kept', async (t) => {
  const [user, project] = [await app.build.user(), await app.build.project()];
  const rejection = await app.as(user).get(`/projects/${encodeURIComponent(project.full_path)}?search=canary`);
  await app.denials.written();
  const rows = await app.context().query<{ row: string }>(sql`
    select q::text as "row" from refused_requests q where q.request_id = ${rejection.headers.get('x-request-id')}`);
  t.is(rows.length, 1);
  t.false(rows[0]!.row.includes('canary'));
  t.false(rows[0]!.row.includes(project.full_path));
});
