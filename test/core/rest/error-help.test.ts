import test from 'ava';
import { useApp } from '../app.js';

const app = useApp(test);

const sendInvalid = async (cron: string) => {
  const project = await app.build.project();
  const { status, body, help } = await app
    .as(project.owner)
    .post(`/projects/${project.id}/pipeline_schedules`, { description: 'x', ref: 'main', cron });
  return { status, body, help };
};

test('a cron that cannot be read is told which field is wrong and what it may be, beside the words that clients match', async (t) => {
  const { status, body, help } = await sendInvalid('0 25 * * *');
  t.is(status, 400);
  t.deepEqual(body.message, { cron: ['syntax is invalid'] });
  t.is(help.hint, 'hour: "25" cannot be read. It is 0 to 23; lists (1,5), ranges (1-5) and steps (*/2).');
  t.regex(help.request_id ?? '', /^[\w-]+$/);
  t.is(help.documentation_url, 'http://capstan.test/-/api-docs#/Pipeline%20schedules/createPipelineSchedule');
  t.regex((await sendInvalid('* * *')).help.hint ?? '', /five fields: .* This one has 3\.$/);
  t.regex((await sendInvalid('0 1 * * mon-tuesday')).help.hint ?? '', /^day of week: "mon-tuesday"/);
  t.regex((await sendInvalid('61 24 * * *')).help.hint ?? '', /^minute: "61".* hour: "24"/);
  t.regex((await sendInvalid('@reboot')).help.hint ?? '', /@daily/);
  t.regex((await sendInvalid('0 0 30 2 *')).help.hint ?? '', /never have the day of month/);
});

test('a branch that is missing is told with the nearest name', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  const at = `/projects/${project.id}`;
  await caller.post(`${at}/repository/branches`, { branch: 'release/1.0', ref: 'main' });
  const branch = await caller.post(`${at}/repository/branches`, { branch: 'x', ref: 'mian' });
  t.is(branch.body.message, 'Invalid reference name: mian');
  t.is(branch.help.hint, 'There is no branch or tag "mian". The nearest is "main".');
  const pipeline = await caller.post(`${at}/pipeline`, { ref: 'release-1.0' });
  t.deepEqual(pipeline.body.message, { base: ['Reference not found'] });
  t.is(pipeline.help.hint, 'There is no branch or tag "release-1.0". The nearest is "release/1.0".');
  const schedule = { description: 'x', cron: '0 1 * * *' };
  const ambiguous = await caller.post(`${at}/pipeline_schedules`, { ...schedule, ref: 'zzz' });
  t.deepEqual(ambiguous.body.message, { ref: ['is ambiguous'] });
  t.is(ambiguous.help.hint, 'There is no branch or tag "zzz".');
  await caller.post(`${at}/repository/tags`, { tag_name: 'release/1.0', ref: 'main' });
  const twice = await caller.post(`${at}/pipeline_schedules`, { ...schedule, ref: 'release/1.0' });
  t.is(twice.help.hint, 'It is a branch and a tag: name one as refs/heads/release/1.0 or refs/tags/release/1.0.');
});

test('a full path that is not encoded is told so, to whoever may see what it names', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const encoded = encodeURIComponent(project.full_path);
  for (const rest of ['', '/pipelines']) {
    const { status, body, help } = await app.as(project.owner).get(`/projects/${project.full_path}${rest}`);
    t.is(status, 404);
    t.deepEqual(body, { error: '404 Not Found' });
    t.is(help.hint, `A full path is one segment: write /projects/${encoded}.`, rest);
  }
  const stranger = await app.build.user();
  for (const client of [app.as(stranger), app.anonymous]) {
    const { status, body, help } = await client.get(`/projects/${project.full_path}`);
    t.deepEqual([status, body, help], [404, { error: '404 Not Found' }, {}]);
  }
  t.is((await app.as(project.owner).get('/projects/1/%00/bridges')).status, 404);
  const nothing = await app.as(project.owner).get('/projects/no/such/path');
  t.deepEqual([nothing.status, nothing.body], [404, { error: '404 Not Found' }]);
});

test('errors without anything to say have the public body alone', async (t) => {
  const project = await app.build.project();
  const { body } = await app.as(project.owner).get(`/projects/${project.id}/pipeline_schedules/999999`);
  t.deepEqual(body, { message: '404 Pipeline Schedule Not Found' });
});
