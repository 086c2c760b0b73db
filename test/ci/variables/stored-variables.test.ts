import test from 'ava';
import { sql } from 'kysely';
import { loadStoredVariables } from '../../../shared/ci/variables/stored-variables.js';
import { useApp } from '../../core/app.js';
import { createOwner, createVariable } from './variable-owners.js';
import type { TestOwner } from './variable-owners.js';

const app = useApp(test);

/** A project in a group in a group, each with a client for its variables. */
async function buildChain() {
  const top = await app.build.group();
  const group = await app.build.group({ parent: top, owner: top.owner });
  const project = await app.build.projectIn(group);
  const client = app.as(top.owner);
  return {
    project,
    instance: await createOwner(app, 'instance'),
    top: { client, path: `/groups/${top.id}/variables` },
    group: { client, path: `/groups/${group.id}/variables` },
    own: { client, path: `/projects/${project.id}/variables` },
  };
}

type Project = Parameters<typeof loadStoredVariables>[1];
const load = (project: Project, { isProtected = false, environment = null as string | null } = {}) =>
  loadStoredVariables(app.context(), project, { ref: 'refs/heads/main', isProtected, environment });
const loadValues = async (...parameters: Parameters<typeof load>) =>
  Object.fromEntries(Object.entries(await load(...parameters)).map(([key, { value }]) => [key, value]));

async function clear({ client, path }: TestOwner) {
  for (const { key } of (await client.get(path)).body as { key: string }[]) await client.delete(`${path}/${key}`);
}

// Contract: ci-variables.precedence
test.serial(
  'the project comes first, then the nearest group, and the instance last; others give nothing',
  async (t) => {
    const { project, instance, top, group, own } = await buildChain();
    const stranger = await createOwner(app, 'project');
    for (const [owner, value, keys] of [
      [instance, 'instance', ['A', 'B', 'C', 'D']],
      [top, 'top', ['A', 'B', 'C']],
      [group, 'group', ['A', 'B']],
      [own, 'project', ['A', '__proto__', 'constructor']],
      [stranger, 'other', ['A', 'X']],
    ] as const)
      for (const key of keys) await createVariable(owner, { key, value });
    const before = app.services.db.statements;
    const loaded = await load(project);
    t.is(app.services.db.statements - before, 1);
    t.deepEqual(
      Object.entries(loaded)
        .map(([key, { value, level }]) => `${key} ${value} ${level}`)
        .toSorted(),
      [
        'A project project',
        'B group group',
        'C top group',
        'D instance instance',
        '__proto__ project project',
        'constructor project project',
      ],
    );
    t.is(loaded['toString'], undefined);
    const personal = await app.build.project({ empty: true });
    t.deepEqual(await loadValues(personal), { A: 'instance', B: 'instance', C: 'instance', D: 'instance' });
    await clear(instance);
  },
);

// Contract: ci-variables.protected
test.serial('protected variables are for protected refs alone, and hide nothing elsewhere', async (t) => {
  const { project, group, own } = await buildChain();
  await createVariable(own, { key: 'K', value: 'protected-one', protected: true, raw: true, masked: true });
  await createVariable(group, { key: 'K', value: 'open', variable_type: 'file' });
  await createVariable(own, { key: 'ONLY', value: 'v', protected: true });
  t.deepEqual(
    { ...(await load(project)) },
    {
      K: { value: 'open', masked: false, expand: true, protected: false, variable_type: 'file', level: 'group' },
    },
  );
  const loaded = await load(project, { isProtected: true });
  t.deepEqual(loaded['K'], {
    value: 'protected-one',
    masked: true,
    expand: false,
    protected: true,
    variable_type: 'env_var',
    level: 'project',
  });
  t.is(loaded['ONLY']?.value, 'v');
});

// Contract: ci-variables.specific
test.serial('within a level the most specific scope counts, and a nearer level before any scope', async (t) => {
  const { project, group, own } = await buildChain();
  for (const scope of ['*', 'review/*', 'review/a', '*/a', 'review_a', 'review/a*'])
    await createVariable(own, { key: 'K', value: scope, environment_scope: scope });
  await createVariable(group, { key: 'K', value: 'group', environment_scope: 'review/a' });
  await createVariable(group, { key: 'G', value: 'all' });
  await createVariable(group, { key: 'G', value: 'scoped', environment_scope: 'prod*' });
  await createVariable(own, { key: 'P', value: 'production', environment_scope: 'production' });
  for (const [environment, expected] of [
    [null, { K: '*', G: 'all' }],
    ['review/a', { K: 'review/a', G: 'all' }],
    ['review/ab', { K: 'review/a*', G: 'all' }],
    ['review/b', { K: 'review/*', G: 'all' }],
    ['x/a', { K: '*/a', G: 'all' }],
    ['reviewXa', { K: '*', G: 'all' }],
    ['review_a', { K: 'review_a', G: 'all' }],
    ['production', { K: '*', G: 'scoped', P: 'production' }],
    ['Production', { K: '*', G: 'all' }],
    ['*', { K: '*', G: 'all' }],
  ] as const)
    t.deepEqual(await loadValues(project, { environment }), expected, environment ?? 'none');
});

// Contract: ci-variables.lifetime
test.serial('variables stay with a project that is transferred, and go with one that is deleted', async (t) => {
  const { project, own, group, top } = await buildChain();
  await createVariable(own, { key: 'OWN', value: 'mine' });
  await createVariable(group, { key: 'GROUP', value: 'old group' });
  const target = await app.build.group({ owner: project.owner });
  await createVariable({ client: own.client, path: `/groups/${target.id}/variables` }, { key: 'GROUP', value: 'new' });
  const moved = await own.client.put(`/projects/${project.id}/transfer`, { namespace: target.id });
  t.is(moved.status, 200);
  t.is((await own.client.get(`${own.path}/OWN`)).body.value, 'mine');
  const { namespace } = moved.body as { namespace: { id: number } };
  t.is(namespace.id, target.id);
  const found = { ...project, namespace: { ...project.namespace, traversal_ids: [target.id] } };
  t.deepEqual(await loadValues(found), { OWN: 'mine', GROUP: 'new' });
  const count = async () => {
    const [row] = await app.context().query<{ found: number }>(sql`
      select count(*)::int as found from ci_variables v where v.key in ('OWN', 'GROUP')`);
    return row?.found;
  };
  t.is(await count(), 3);
  await app.context().query(sql`delete from projects p where p.id = ${project.id}`);
  t.is(await count(), 2);
  const groupId = Number(group.path.split('/')[2]);
  await app.context().query(sql`delete from namespaces n where n.id = ${groupId}`);
  t.is(await count(), 1);
  t.truthy(top);
});
