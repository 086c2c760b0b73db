import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { CONTAINER_NOUNS } from '../../../shared/core/operations/container.js';
import type { ContainerKind } from '../../../shared/core/operations/container.js';
import { sql } from 'kysely';
import {
  containerOfGroup,
  containerOfProject,
  holdContainer,
  lockContainer,
} from '../../../shared/tenancy/containers/container.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { bulletinOperations, bulletinRoutes, createBulletinTables } from './bulletins.js';

const app = useApp(test, bulletinRoutes);
const KINDS = ['project', 'group'] as const;

test.serial.before('tables of a resource that no area has', () => createBulletinTables(app));

interface Built {
  id: number;
  fullPath: string;
  path: string;
  /** Runs it: a Maintainer of a project, an Owner of a group. */
  keeper: BuiltUser;
  /** Has the highest role that does not. */
  below: BuiltUser;
}

async function built(kind: ContainerKind): Promise<Built> {
  const group = await app.build.group();
  const container = kind === 'project' ? await app.build.projectIn(group) : group;
  const people =
    kind === 'project'
      ? [await app.build.member(container, 'maintainer'), await app.build.member(container, 'developer')]
      : [await app.build.groupMember(container, 'owner'), await app.build.groupMember(container, 'maintainer')];
  const [keeper, below] = people as [BuiltUser, BuiltUser];
  return { id: container.id, fullPath: container.full_path, path: `/${kind}s/${container.id}`, keeper, below };
}

for (const kind of KINDS) {
  test(`a resource that is declared once for containers is served below a ${kind}`, async (t) => {
    const { fullPath, path, keeper } = await built(kind);
    const response = await app.as(keeper).post(`${path}/bulletins`, { text: 'Closed on Monday' });
    t.is(response.status, 201);
    t.deepEqual(response.body, { id: response.body.id, text: 'Closed on Monday' });
    const url = `/${kind}s/${encodeURIComponent(fullPath)}/bulletins`;
    t.deepEqual((await app.as(keeper).get(url)).body, [response.body]);
    t.is((await app.as(keeper).delete(`${path}/bulletins/${response.body.id}`)).status, 204);
    const gone = await app.as(keeper).delete(`${path}/bulletins/${response.body.id}`);
    t.deepEqual([gone.status, gone.body], [404, { message: '404 Bulletin Not Found' }]);
    t.deepEqual((await app.as(keeper).get(`${path}/bulletins`)).body, []);
  });

  test(`who runs a ${kind} changes what belongs to it, its other members read it, nobody else knows of it`, async (t) => {
    const { path, keeper, below } = await built(kind);
    const { body } = await app.as(keeper).post(`${path}/bulletins`, { text: 'Seen' });
    t.deepEqual((await app.as(below).get(`${path}/bulletins`)).body, [body]);
    t.is((await app.as(below).post(`${path}/bulletins`, { text: 'No' })).status, 403);
    t.is((await app.as(below).delete(`${path}/bulletins/${body.id}`)).status, 403);
    const stranger = app.as(await app.build.user());
    for (const answer of [await stranger.get(`${path}/bulletins`), await stranger.post(`${path}/bulletins`, body)])
      t.deepEqual([answer.status, answer.body], [404, { message: `404 ${CONTAINER_NOUNS[kind]} Not Found` }]);
    t.is((await app.anonymous.get(`${path}/bulletins`)).status, 401);
  });

  test(`changes to what belongs to a ${kind} stand in its own audit events`, async (t) => {
    const { id, path, keeper } = await built(kind);
    await app.set({ plan: 'premium' });
    await app.as(keeper).post(`${path}/bulletins`, { text: 'Noted' });
    const { body } = await app.as(keeper).get(`${path}/audit_events`);
    t.like(body[0], { event_name: 'bulletin_created', entity_type: CONTAINER_NOUNS[kind], entity_id: id });
    const of = async (author: string) => (await app.as(keeper).get(`${path}/audit_events?author=${author}`)).body;
    t.like((await of(keeper.username.toUpperCase()))[0], { event_name: 'bulletin_created' });
    t.deepEqual(await of((await app.build.user()).username), []);
  });

  test(`a ${kind} that is removed until it can be locked is not there`, async (t) => {
    const group = await app.build.group();
    const project = await app.build.projectIn(group);
    const container = kind === 'project' ? containerOfProject(project) : containerOfGroup(group);
    const ctx = app.context();
    await ctx.query(sql`delete from projects where id = ${project.id}`);
    await ctx.query(sql`delete from namespaces where id = ${group.id}`);
    const message = `404 ${CONTAINER_NOUNS[kind]} Not Found`;
    await t.throwsAsync(() => ctx.transaction(() => lockContainer(ctx, container)), { message });
    await t.throwsAsync(() => ctx.transaction(() => holdContainer(ctx, container, [])), { message });
  });
}

test('operations over containers have names of their own, by kind', (t) => {
  const names = KINDS.map((kind) => Object.values(bulletinOperations[kind]).map(({ name }) => name));
  t.deepEqual(names, [
    ['listProjectBulletins', 'createProjectBulletin', 'deleteProjectBulletin'],
    ['listGroupBulletins', 'createGroupBulletin', 'deleteGroupBulletin'],
  ]);
});

/** What projects and groups both have that is not one thing, and why. */
const NOT_ONE: Record<string, string> = {
  'GET /export': 'a project tells in the public form, a group how far its archive is',
  'POST /export': 'a project takes a description and settings, and asks another right',
  'GET /import': 'a project may come from a URL, a fork or an archive, a group from an archive alone',
  'DELETE /import':
    'what was imported into a project stays, a group that was made by its import too, told each in its way',
  'GET /packages': 'a project lists its own, a group those of projects that the caller may see',
  'GET /registry/repositories': 'so do image repositories, which only those of a project show with their tags',
  'GET /issues': 'a project lists its own, a group those of projects that the caller may see, with more filters',
  'GET /issues_statistics': 'so does this',
  'GET /merge_requests': 'and so do these',
  'GET /runners': 'a project lists those that it may use, a group those that serve it',
  'GET /transfer_locations': 'a project goes below a namespace, a group below a group or to the top',
  'POST /archive': 'changes the row itself, and that of a group the state of everything below',
  'POST /unarchive': 'so does this',
  'POST /restore': 'ends a removal that each has in its own way',
};

test('what both projects and groups have is one declaration', (t) => {
  const getRoutes = (kind: ContainerKind) => {
    const base = `/${kind}s/:id/`;
    const below = allRoutes.filter(({ path }) => path.startsWith(base));
    return new Map(below.map((route) => [`${route.method} /${route.path.slice(base.length)}`, route]));
  };
  const [projects, groups] = [getRoutes('project'), getRoutes('group')];
  const both = [...projects.keys()].filter((name) => groups.has(name));
  t.true(both.length > 20);
  const twice = both.filter(
    (name) => String(projects.get(name)?.operation.run) !== String(groups.get(name)?.operation.run),
  );
  t.deepEqual(twice.toSorted(), Object.keys(NOT_ONE).toSorted());
});
