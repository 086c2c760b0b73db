import test from 'ava';
import type { DeployTokenCaller } from '../../../shared/auth/deploy-tokens/deploy-token-caller.js';
import { findDeployToken } from '../../../shared/auth/deploy-tokens/find-deploy-token.js';
import { DEPLOY_TOKEN_SCOPES } from '../../../shared/auth/deploy-tokens/deploy-token-values.js';
import { NotFound } from '../../../shared/core/values/errors.js';
import { sql } from 'kysely';
import { removeGroup } from '../../../shared/tenancy/groups/remove-group.js';
import { findProject } from '../../../shared/tenancy/projects/project.finder.js';
import { projectPolicy } from '../../../shared/tenancy/projects/project.policy.js';
import { removeUser } from '../../../shared/tenancy/users/remove-user.js';
import { useApp } from '../../core/app.js';
import { createContainer, tokenIn } from './containers.js';
import type { CreatedToken, TestContainer } from './containers.js';

const app = useApp(test);

const getCaller = async (token: CreatedToken): Promise<DeployTokenCaller> => {
  const caller = await findDeployToken(app.services, token);
  if (!caller) throw new Error('No such deploy token.');
  return caller;
};

/**
 * The access checks of git for a token: whether the project is visible, and whether its code may be read or written.
 */
async function getAccess(
  token: CreatedToken,
  projectId: number,
): Promise<'hidden' | { read: boolean; write: boolean }> {
  const ctx = app.context(await getCaller(token));
  try {
    const project = await findProject(ctx, projectId);
    return {
      read: projectPolicy.read_code(ctx.caller, project),
      write: projectPolicy.push_code(ctx.caller, project),
    };
  } catch (error) {
    if (error instanceof NotFound) return 'hidden';
    throw error;
  }
}

const READS = { read: true, write: false };

/** A group with a subgroup and a project in that. */
async function family() {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const sub = await app.build.group({ parent: group, owner });
  const project = await app.build.projectIn({ ...sub, owner });
  const asContainer = (id: number): TestContainer => ({
    kind: 'group',
    id,
    owner,
    path: `/groups/${id}/deploy_tokens`,
  });
  return { owner, group: asContainer(group.id), sub: asContainer(sub.id), project };
}

// Contract: deploy-tokens-4.6.place, deploy-tokens-4.6.scope
test('a project token reads its project, and no other one, be it public', async (t) => {
  const container = await createContainer(app, 'project');
  const token = await tokenIn(app, container);
  t.deepEqual(await getAccess(token, container.id), READS);
  for (const visibility of ['private', 'internal', 'public']) {
    const other = await app.build.project({ owner: container.owner, empty: true, visibility });
    t.is(await getAccess(token, other.id), 'hidden', visibility);
  }
});

// Contract: deploy-tokens-4.6.group
test('a group token reads every project in and below its group, and none beside or above it', async (t) => {
  const { owner, group, sub, project } = await family();
  const direct = await app.build.projectIn({ ...group, owner });
  const [ofGroup, ofSub] = [await tokenIn(app, group), await tokenIn(app, sub)];
  t.deepEqual([await getAccess(ofGroup, project.id), await getAccess(ofGroup, direct.id)], [READS, READS]);
  t.deepEqual([await getAccess(ofSub, project.id), await getAccess(ofSub, direct.id)], [READS, 'hidden']);
  const elsewhere = await createContainer(app, 'project', 'public');
  t.is(await getAccess(ofGroup, elsewhere.id), 'hidden');
});

// Contract: deploy-tokens-4.6.group, deploy-tokens-4.3
test('a transfer moves the reach of group tokens at once, and project tokens go with their project', async (t) => {
  const { owner, group, project } = await family();
  const other = await app.build.group({ owner });
  const there: TestContainer = { kind: 'group', id: other.id, owner, path: `/groups/${other.id}/deploy_tokens` };
  const own: TestContainer = { kind: 'project', id: project.id, owner, path: `/projects/${project.id}/deploy_tokens` };
  const [before, after, ofProject] = [await tokenIn(app, group), await tokenIn(app, there), await tokenIn(app, own)];
  const reach = async () => [
    await getAccess(before, project.id),
    await getAccess(after, project.id),
    await getAccess(ofProject, project.id),
  ];
  t.deepEqual(await reach(), [READS, 'hidden', READS]);
  await app.as(owner).put(`/projects/${project.id}/transfer`, { namespace: other.id });
  t.deepEqual(await reach(), ['hidden', READS, READS]);
  t.is((await app.as(owner).get(`${own.path}/${ofProject.id}`)).body.id, ofProject.id);
});

// Contract: deploy-tokens-4.6.group, deploy-tokens-4.3
test('so does the transfer of a group, with everything in it', async (t) => {
  const { owner, group, sub, project } = await family();
  const [ofGroup, ofSub] = [await tokenIn(app, group), await tokenIn(app, sub)];
  const moved = await app.as(owner).post(`/groups/${sub.id}/transfer`, {});
  t.is(moved.status, 201);
  t.deepEqual([await getAccess(ofGroup, project.id), await getAccess(ofSub, project.id)], ['hidden', READS]);
  t.is((await app.as(owner).get(`${sub.path}/${ofSub.id}`)).status, 200);
});

// Contract: deploy-tokens-4.6.scope
test('read_repository alone reads code, no scope writes any, and a repository that is switched off is read by none', async (t) => {
  const container = await createContainer(app, 'project');
  const find = async (scope: string) => getAccess(await tokenIn(app, container, { scopes: [scope] }), container.id);
  for (const scope of DEPLOY_TOKEN_SCOPES)
    t.deepEqual(await find(scope), { read: scope === 'read_repository', write: false }, scope);
  const level = async (repository_access_level: string) => {
    // What needs code may not be open further than it.
    const others = { merge_requests_access_level: 'disabled', builds_access_level: 'disabled' };
    const attributes = { repository_access_level, forking_access_level: 'disabled', ...others };
    t.is((await app.as(container.owner).put(`/projects/${container.id}`, attributes)).status, 200);
  };
  await level('private');
  t.deepEqual(await find('read_repository'), READS);
  await level('disabled');
  t.deepEqual(await find('read_repository'), { read: false, write: false });
});

test('archived projects and those marked for deletion are still read, what is being removed is not', async (t) => {
  const container = await createContainer(app, 'project');
  const token = await tokenIn(app, container);
  await app.as(container.owner).post(`/projects/${container.id}/archive`);
  t.deepEqual(await getAccess(token, container.id), READS);
  await app.as(container.owner).delete(`/projects/${container.id}`);
  t.deepEqual(await getAccess(token, container.id), READS);
  await app
    .context()
    .query(sql`update projects set removal_started_at = ${app.clock.now()} where id = ${container.id}`);
  t.is(await getAccess(token, container.id), 'hidden');
});

test('a rule that it does not know, and a record that is no project, it refuses', async (t) => {
  const { sub, project } = await family();
  const caller = await getCaller(await tokenIn(app, sub, { scopes: ['read_repository'] }));
  const ctx = app.context(caller);
  const found = await findProject(ctx, project.id);
  const granted = Object.entries(projectPolicy).flatMap(([name, rule]) => (rule(caller, found) ? [name] : []));
  t.deepEqual(granted, ['read_project', 'read_code']);
  for (const record of [null, undefined, {}, { id: project.id }, { kind: 'project', id: project.id, record: found }])
    for (const ability of ['read_project', 'read_code', '__proto__', 'constructor'])
      t.false(caller.may(ability, record));
});

// Contract: deploy-tokens-4.3
test('deleting a project or a group deletes its tokens', async (t) => {
  const { group, sub, project, owner } = await family();
  const own: TestContainer = { kind: 'project', id: project.id, owner, path: `/projects/${project.id}/deploy_tokens` };
  const tokens = [await tokenIn(app, group), await tokenIn(app, sub), await tokenIn(app, own)];
  const marked = app.clock.now();
  const ctx = app.context();
  await ctx.query(sql`update group_settings set marked_for_deletion_at = ${marked} where namespace_id = ${group.id}`);
  await removeGroup(ctx, group.id, marked);
  for (const token of tokens) t.is(await findDeployToken(app.services, token), null);
  const ids = tokens.map(({ id }) => id);
  t.deepEqual(await ctx.query(sql`select id from deploy_tokens where id = any(${ids}::bigint[])`), []);
});

// Contract: deploy-tokens-users
test('a token works on when who made it is blocked or deleted, and names the ghost, or nobody after a hard removal', async (t) => {
  const container = await createContainer(app, 'project');
  for (const hard of [false, true]) {
    const maker = await app.build.member(container, 'maintainer');
    const token = await tokenIn(app, { ...container, owner: maker });
    await app.context().query(sql`update users set state = 'blocked' where id = ${maker.id}`);
    t.truthy(await findDeployToken(app.services, token));
    await removeUser(app.context(), maker.id, hard);
    t.truthy(await findDeployToken(app.services, token));
    const { created_by: by } = (await app.as(container.owner).get(`${container.path}/${token.id}`)).body;
    t.is(by?.username ?? null, hard ? null : 'ghost');
  }
});
