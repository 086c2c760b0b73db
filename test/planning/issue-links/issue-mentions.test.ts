import test from 'ava';
import type { RecordedEvent } from '../../../shared/core/context/context.js';
import { subscriberToAll } from '../../../shared/core/context/subscribers.js';
import { sql } from 'kysely';
import type { BuiltUser } from '../../core/builders.js';
import { useApp } from '../../core/app.js';

const mentions: { target: number; source: number | string }[] = [];
const listener = subscriberToAll(
  'probe',
  ['issue.mentioned'],
  (recorded: readonly RecordedEvent<'issue.mentioned'>[]) => {
    for (const { event } of recorded) {
      const { target, source } = event;
      const sourceId = 'issue' in source ? source.issue.id : 'commit' in source ? source.commit : 0;
      mentions.push({ target: target.issue.id, source: sourceId });
    }
    return Promise.resolve();
  },
);
const app = useApp(test, [], { subscribers: [listener] });

async function issue(user: BuiltUser, project: { id: number }, attributes: Record<string, unknown> = {}) {
  return (await app.as(user).post(`/projects/${project.id}/issues`, { title: 'Engine', ...attributes })).body as {
    id: number;
    iid: number;
  };
}

const mentioned = async (id: number) =>
  (
    await app.context().query<{ id: number }>(sql`
    select user_id as "id" from issue_mentions where issue_id = ${id} order by 1`)
  ).map((row) => row.id);
const getSources = (target: number) => mentions.filter((one) => one.target === target).map(({ source }) => source);

// Contract: markdown-5.mentions
test('an issue that names users and issues is noted with them, and each issue is told once', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  const other = await app.build.user();
  const first = await issue(owner, project);
  const second = await issue(owner, project, {
    title: 'As #1',
    description: `cc @${other.username} and @nobody-there, #1 again, \`@${owner.username}\`, #2`,
  });
  t.deepEqual(await mentioned(second.id), [other.id]);
  t.deepEqual(getSources(first.id), [second.id]);
  t.deepEqual(getSources(second.id), []);
});

// Contract: markdown-5.hidden
test('what the author does not see is not mentioned', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const { owner } = project;
  const stranger = await app.build.user();
  const secret = await issue(owner, project, { confidential: true });
  const newIssue = await issue(stranger, project, { description: `#${secret.iid}` });
  t.truthy(newIssue.id);
  t.deepEqual(getSources(secret.id), []);
});

// Contract: markdown-5.mentions
test('a long description is looked through by a job, and no more than a hundred references', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  const first = await issue(owner, project);
  const long = await issue(owner, project, { description: `${'Words. '.repeat(5000)} #1 @${owner.username}` });
  t.deepEqual(await mentioned(long.id), []);
  await app.work();
  t.deepEqual(await mentioned(long.id), [owner.id]);
  t.deepEqual(getSources(first.id), [long.id]);
  const many = await issue(owner, project, { description: `${'@nobody-there '.repeat(100)} @${owner.username}` });
  t.deepEqual(await mentioned(many.id), []);
});

// Contract: markdown-5.participants
test('whom an issue names takes part in it as long as it names them, and as long as they may read it', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  const member = await app.build.user();
  await app.build.member(project, 'guest', member);
  const stranger = await app.build.user();
  const newIssue = await issue(owner, project, { description: `@${member.username} and @${stranger.username}` });
  const path = `/projects/${project.id}/issues/${newIssue.iid}`;
  const people = async () =>
    ((await app.as(owner).get(`${path}/participants`)).body as { id: number }[]).map(({ id }) => id);
  t.deepEqual(await people(), [owner.id, member.id]);
  await app.as(owner).put(path, { description: 'nobody' });
  t.deepEqual(await people(), [owner.id]);
});
