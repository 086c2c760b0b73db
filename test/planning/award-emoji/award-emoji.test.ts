import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { sql } from 'kysely';
import { removeUser } from '../../../shared/tenancy/users/remove-user.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);
const NOW = '2030-01-01T00:00:00.000Z';

/** A public project with an issue, and where its emoji are. */
async function issueFixture(attributes: object = {}) {
  const project = await app.build.project({ empty: true, visibility: 'public' });
  const { body: issue } = await app
    .as(project.owner)
    .post(`/projects/${project.id}/issues`, { title: 'x', ...attributes });
  const at = `/projects/${project.id}/issues/${issue.iid}`;
  return { project, owner: project.owner, issue, at, path: `${at}/award_emoji` };
}

const votes = async (user: BuiltUser, at: string) => {
  const { upvotes, downvotes } = (await app.as(user).get(at)).body;
  return [upvotes, downvotes];
};

// Contract: award-emoji.record, award-emoji.create, award-emoji.list, award-emoji.get, award-emoji.delete
test('an emoji is given, read, listed in the order of giving, and taken back', async (t) => {
  const { owner, issue, path } = await issueFixture();
  const as = app.as(owner);
  const { status, body } = await as.post(path, { name: 'rocket' });
  t.is(status, 201);
  const { id, user, ...rest } = body;
  t.like(user, { id: owner.id, username: owner.username });
  t.deepEqual(rest, {
    name: 'rocket',
    created_at: NOW,
    updated_at: NOW,
    awardable_id: issue.id,
    awardable_type: 'Issue',
    url: null,
  });
  await as.post(path, { name: 'tada' });
  t.deepEqual((await as.get(`${path}/${id}`)).body, body);
  const { body: listed } = await app.anonymous.get(path);
  t.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ['rocket', 'tada'],
  );
  t.is((await as.delete(`${path}/${id}`)).status, 204);
  const gone = await as.get(`${path}/${id}`);
  t.deepEqual([gone.status, gone.body], [404, { message: '404 Not found' }]);
  const other = await issueFixture();
  const [{ id: foreign }] = (await as.get(path)).body;
  t.is((await app.as(other.owner).get(`${other.path}/${foreign}`)).status, 404);
});

// Contract: award-emoji.votes
test('thumbs are votes, which follow what is given and taken back', async (t) => {
  const { owner, at, path } = await issueFixture();
  const [one, two] = [await app.build.user(), await app.build.user()];
  const { id } = (await app.as(one).post(path, { name: '+1' })).body;
  t.is((await app.as(two).post(path, { name: 'thumbsup' })).body.name, 'thumbsup');
  await app.as(two).post(path, { name: '-1' });
  await app.as(two).post(path, { name: 'rocket' });
  t.deepEqual(await votes(owner, at), [2, 1]);
  await app.as(one).delete(`${path}/${id}`);
  t.deepEqual(await votes(owner, at), [1, 1]);
});

// Contract: award-emoji.once, award-emoji.names
test('a name that is no emoji, or was given before, is 404 in the words of the public API', async (t) => {
  const { owner, at, path } = await issueFixture();
  const post = async (name: unknown) => {
    const { status, body } = await app.as(owner).post(path, { name });
    return [status, body];
  };
  const invalid = { message: '404 Award Emoji Name is not a valid emoji name Not Found' };
  for (const name of ['', 'no such emoji', ':rocket:', '__proto__', 'x'.repeat(10_000)])
    t.deepEqual(await post(name), [404, invalid]);
  t.deepEqual((await app.as(owner).post(path, {})).body, { error: 'name is missing' });
  const tries = await Promise.all(Array.from({ length: 8 }, () => app.as(owner).post(path, { name: 'thumbsup' })));
  t.deepEqual(tries.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 404)]);
  const duplicate = { message: '404 Award Emoji Name has already been taken Not Found' };
  t.deepEqual(await post('+1'), [404, duplicate]);
  t.deepEqual(await votes(owner, at), [1, 0]);
});

// Contract: award-emoji.role
test('whoever is signed in and reads the issue gives emoji, and takes back their own; administrators take back all', async (t) => {
  const { owner, project, path } = await issueFixture();
  const [user, stranger] = [await app.build.user(), await app.build.user()];
  const { id } = (await app.as(user).post(path, { name: 'rocket' })).body;
  t.is((await app.anonymous.post(path, { name: 'rocket' })).status, 401);
  const foreign = await app.as(owner).delete(`${path}/${id}`);
  t.deepEqual([foreign.status, foreign.body], [401, { message: '401 Unauthorized' }]);
  t.is((await app.as(await app.build.admin()).delete(`${path}/${id}`)).status, 204);
  const hidden = await issueFixture({ confidential: true });
  for (const client of [app.as(stranger), app.as(await app.build.member(hidden.project, 'guest'))]) {
    t.is((await client.get(hidden.path)).status, 404);
    t.is((await client.post(hidden.path, { name: 'rocket' })).status, 404);
  }
  await app.as(owner).post(`/projects/${project.id}/archive`);
  const rejection = await app.as(user).post(path, { name: 'rocket' });
  t.deepEqual([rejection.status, rejection.body], [404, { message: '404 Award Emoji Not Found' }]);
});

test('where a discussion is locked only members give emoji', async (t) => {
  const { project, issue, path } = await issueFixture();
  await app.context().query(sql`update issues set discussion_locked = true where id = ${issue.id}`);
  t.is((await app.as(await app.build.user()).post(path, { name: 'rocket' })).status, 404);
  t.is((await app.as(await app.build.member(project, 'guest')).post(path, { name: 'rocket' })).status, 201);
});

// Contract: award-emoji.users
test("emoji of a user who is removed are the ghost's, and with a hard removal they and their votes go", async (t) => {
  const { owner, at, path } = await issueFixture();
  const users = [await app.build.user(), await app.build.user(), await app.build.user()] as const;
  for (const user of users) await app.as(user).post(path, { name: 'thumbsup' });
  await removeUser(app.context(), users[0].id, false);
  await removeUser(app.context(), users[1].id, false);
  t.deepEqual(await votes(owner, at), [3, 0]);
  const { body } = await app.as(owner).get(path);
  t.is(new Set(body.map(({ user }: { user: { id: number } }) => user.id)).size, 2);
  await removeUser(app.context(), users[2].id, true);
  t.deepEqual(await votes(owner, at), [2, 0]);
});

// Contract: award-emoji.filter
test('records are filtered by the emoji that the caller gave them', async (t) => {
  const { project, owner, path } = await issueFixture();
  const awards = [];
  for (const title of ['second', 'third'])
    awards.push((await app.as(owner).post(`/projects/${project.id}/issues`, { title })).body.iid);
  await app.as(owner).post(path, { name: 'thumbsup' });
  await app.as(owner).post(`/projects/${project.id}/issues/${awards[0]}/award_emoji`, { name: 'rocket' });
  await app
    .as(await app.build.user())
    .post(`/projects/${project.id}/issues/${awards[1]}/award_emoji`, { name: 'rocket' });
  const iids = async (value: string, filter = 'my_reaction_emoji') => {
    const { body } = await app.as(owner).get(`/projects/${project.id}/issues?${filter}=${encodeURIComponent(value)}`);
    return body.map(({ iid }: { iid: number }) => iid).sort();
  };
  t.deepEqual(await iids('+1'), [1]);
  t.deepEqual(await iids('rocket'), [2]);
  t.deepEqual(await iids('Any'), [1, 2]);
  t.deepEqual(await iids('None'), [3]);
  t.deepEqual(await iids('tada'), []);
  t.deepEqual(await iids('rocket', 'not[my_reaction_emoji]'), [1, 3]);
});

// Contract: award-emoji.gitbeaker
test('@gitbeaker/rest gives, lists, shows and takes back emoji of issues', async (t) => {
  const { project, owner, issue } = await issueFixture();
  const { IssueAwardEmojis: emojis } = new Gitlab({ host: app.url, token: owner.token });
  const award = await emojis.award(project.id, issue.iid, 'thumbsup');
  t.like(award, { name: 'thumbsup', awardable_type: 'Issue' });
  t.like(await emojis.show(project.id, issue.iid, award.id), { id: award.id });
  t.is((await emojis.all(project.id, issue.iid)).length, 1);
  await emojis.remove(project.id, issue.iid, award.id);
  t.deepEqual(await emojis.all(project.id, issue.iid), []);
});
