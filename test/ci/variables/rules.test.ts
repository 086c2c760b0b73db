import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { KINDS, createOwner, createVariable, inScope } from './variable-owners.js';

const app = useApp(test);
const SCOPE_CHARACTERS = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces";

// Contract: ci-variables.values
test.serial('parameters and values that are refused, with their texts', async (t) => {
  const good = { key: 'K', value: 'v' };
  const rejectedCases: [Record<string, unknown>, Record<string, unknown>][] = [
    [{}, { error: 'key is missing, value is missing' }],
    [{ key: 'K' }, { error: 'value is missing' }],
    [{ ...good, variable_type: 'secret' }, { error: 'variable_type does not have a valid value' }],
    [{ ...good, protected: 'perhaps' }, { error: 'protected is invalid' }],
    [{ ...good, key: ' ' }, { message: { key: ["can't be blank", "can contain only letters, digits and '_'."] } }],
    [{ ...good, key: 'a-b' }, { message: { key: ["can contain only letters, digits and '_'."] } }],
    [{ ...good, key: 'k'.repeat(256) }, { message: { key: ['is too long (maximum is 255 characters)'] } }],
    [{ ...good, value: 'v'.repeat(10_001) }, { message: { value: ['is too long (maximum is 10000 characters)'] } }],
    [
      { ...good, description: 'd'.repeat(256) },
      { message: { description: ['is too long (maximum is 255 characters)'] } },
    ],
  ];
  for (const kind of KINDS) {
    const { client, path } = await createOwner(app, kind);
    for (const [attributes, expected] of rejectedCases) {
      const { status, body } = await client.post(path, attributes);
      t.deepEqual([status, body], [400, expected], JSON.stringify(attributes).slice(0, 100));
    }
    t.deepEqual((await client.get(path)).body, []);
  }
});

// Contract: ci-variables.values
test.serial('a scope is the name of an environment with stars', async (t) => {
  const owner = await createOwner(app, 'project');
  const cases: [string, string[]][] = [
    ['a%', [SCOPE_CHARACTERS]],
    ['a\\b', [SCOPE_CHARACTERS]],
    ['   ', ["can't be blank"]],
    ['s'.repeat(256), ['is too long (maximum is 255 characters)']],
  ];
  for (const [scope, texts] of cases) {
    const { status, body } = await owner.client.post(owner.path, { key: 'K', value: 'v', environment_scope: scope });
    t.deepEqual([status, body], [400, { message: { environment_scope: texts } }]);
  }
  const longest = { key: 'k'.repeat(255), value: '😀'.repeat(10_000), description: 'd'.repeat(255) };
  t.like(await createVariable(owner, { ...longest, environment_scope: 's'.repeat(255) }), longest);
  t.is((await createVariable(owner, { key: 'ALL', value: 'v', environment_scope: '' }))['environment_scope'], '*');
});

// Contract: ci-variables.masked
test.serial('vector 39: only a value that runners can mask is masked: one line of eight characters', async (t) => {
  const invalid = { message: { value: ['is invalid'] } };
  for (const kind of KINDS) {
    const owner = await createOwner(app, kind);
    const { client, path } = owner;
    const create = (value: string, raw: boolean) => client.post(path, { key: 'M', value, raw, masked: true });
    for (const value of ['short', '', 'two\nlines-of-it', 'with a blank', 'quoted"value', '$reference', 'ümläuts1'])
      t.like(await create(value, false), { status: 400, body: invalid }, value);
    for (const value of ['short', 'two\nlines-of-it', 'with a blank', 'with\ttabulator', 'with\u0001control'])
      t.deepEqual((await create(value, true)).body, invalid, value);
    const fine: [string, boolean][] = [
      ['aZ09_+=/@:.~-', false],
      ['12345678', false],
      ['"$quoted"!', true],
    ];
    for (const [value, raw] of fine) {
      t.is((await create(value, raw)).status, 201, value);
      await client.delete(`${path}/M`);
    }
    await createVariable(owner, { key: 'M', value: 'not maskable' });
    t.deepEqual((await client.put(`${path}/M`, { masked: true })).body, invalid, 'the stored value counts too');
    t.is((await client.put(`${path}/M`, { masked: true, value: '"$raw-one"', raw: true })).status, 200);
    t.deepEqual((await client.put(`${path}/M`, { raw: false })).body, invalid);
    t.is((await client.put(`${path}/M`, { masked: false, raw: false })).status, 200);
    await client.delete(`${path}/M`);
  }
});

// Contract: ci-variables.limits
test.serial('an owner has as many variables as the limits allow; 0 is unlimited', async (t) => {
  const settings = {
    project: ['project_ci_variables', 8000, 'project ci variables'],
    group: ['group_ci_variables', 30_000, 'group ci variables'],
    instance: ['ci_instance_level_variables', 25, 'ci instance level variables'],
  } as const;
  for (const kind of KINDS) {
    const [setting, limit, noun] = settings[kind];
    const { client, path, id } = await createOwner(app, kind);
    const column = { project: sql.ref('project_id'), group: sql.ref('namespace_id'), instance: null }[kind];
    await app.context().query(sql`
      insert into ci_variables (${column ? sql`${column}, ` : sql``} key, value, created_at, updated_at)
      select ${column ? sql`${id}::bigint, ` : sql``} 'N' || n, ''::bytea, now(), now()
        from generate_series(1, ${limit - 1}::int) n`);
    const [one, two] = await Promise.all([
      client.post(path, { key: 'ONE', value: 'v' }),
      client.post(path, { key: 'TWO', value: 'v' }),
    ]);
    t.deepEqual([one.status, two.status].toSorted(), [201, 400], kind);
    const { body } = one.status === 400 ? one : two;
    t.deepEqual(body, { message: { base: [`Maximum number of ${noun} (${limit}) exceeded`] } });
    await app.set({ [setting]: 0 });
    t.is((await client.post(path, { key: 'THREE', value: 'v' })).status, 201);
    await app.set({ [setting]: limit });
    await app.context().query(sql`delete from ci_variables v where v.project_id is null and v.namespace_id is null`);
  }
});

// Contract: ci-variables.plan
test.serial('scopes of groups need the plan premium; those of projects need none', async (t) => {
  const [project, group] = [await createOwner(app, 'project'), await createOwner(app, 'group')];
  await createVariable(group, { key: 'OLD', value: 'v', environment_scope: 'production' });
  await app.set({ plan: 'free' });
  t.teardown(() => app.set({ plan: 'ultimate' }));
  const scoped = { key: 'K', value: 'v', environment_scope: 'production' };
  const denied = await group.client.post(group.path, scoped);
  t.deepEqual([denied.status, denied.body], [403, { message: '403 Forbidden' }]);
  t.is((await group.client.post(group.path, { ...scoped, environment_scope: '*' })).status, 201);
  t.is((await group.client.put(`${group.path}/K`, { environment_scope: 'x' })).status, 403);
  t.is((await group.client.put(inScope(`${group.path}/OLD`, 'production'), { value: 'w' })).body.value, 'w');
  t.is((await project.client.post(project.path, scoped)).status, 201);
  await app.set({ plan: 'premium' });
  t.is((await group.client.post(group.path, scoped)).status, 201);
});
