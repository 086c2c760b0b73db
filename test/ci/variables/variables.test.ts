import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { KINDS, createOwner, createVariable, inScope } from './variable-owners.js';

const app = useApp(test);

const PLAIN = {
  variable_type: 'env_var',
  key: 'TARGET',
  value: 'production',
  hidden: false,
  protected: false,
  masked: false,
  raw: false,
  environment_scope: '*',
  description: null,
};
const { hidden: _hidden, environment_scope: _scope, ...OF_INSTANCE } = PLAIN;

// Contract: ci-variables.record, ci-variables.create, ci-variables.update, ci-variables.delete, ci-variables.list, ci-variables.absent
test.serial('a variable is created, read, listed, edited and deleted, wherever it belongs', async (t) => {
  for (const kind of KINDS) {
    const { client, path } = await createOwner(app, kind);
    const expected = kind === 'instance' ? OF_INSTANCE : PLAIN;
    const created = await client.post(path, { key: ' TARGET ', value: 'production' });
    t.deepEqual([created.status, created.body], [201, expected], kind);
    t.deepEqual((await client.get(`${path}/TARGET`)).body, expected);
    const other = await createVariable({ client, path }, { key: 'EMPTY', value: '', variable_type: 'file' });
    const list = await client.get(path);
    t.deepEqual(list.body, [expected, other]);
    t.is(list.headers.get('x-total'), '2');
    t.deepEqual((await client.get(`${path}?per_page=1&page=2`)).body, [other]);
    const edited = await client.put(`${path}/TARGET`, {
      value: 'staging-environment',
      variable_type: 'file',
      protected: true,
      masked: true,
      raw: true,
      description: 'Where it goes',
    });
    const after = {
      ...expected,
      value: 'staging-environment',
      variable_type: 'file',
      protected: true,
      masked: true,
      raw: true,
      description: 'Where it goes',
    };
    t.deepEqual([edited.status, edited.body], [200, after]);
    t.deepEqual((await client.put(`${path}/TARGET`, { description: '' })).body, { ...after, description: '' });
    t.deepEqual((await client.get(`${path}/TARGET`)).body, { ...after, description: '' });
    t.is((await client.put(`${path}/EMPTY`, { value: '' })).body.value, '');
    const removed = await client.delete(`${path}/TARGET`);
    t.deepEqual([removed.status, removed.text], [204, '']);
    for (const answer of [
      await client.get(`${path}/TARGET`),
      await client.put(`${path}/TARGET`, { value: 'x' }),
      await client.delete(`${path}/TARGET`),
      await client.get(`${path}/target`),
      await client.get(`${path}/${encodeURIComponent('a b')}`),
    ])
      t.deepEqual([answer.status, answer.body], [404, { message: '404 Variable Not Found' }]);
    t.is((await client.delete(`${path}/EMPTY`)).status, 204);
  }
});

// Contract: ci-variables.list
test.serial('each owner has variables of its own: the same key may be in several', async (t) => {
  const owners = await Promise.all(KINDS.map((kind) => createOwner(app, kind)));
  for (const owner of owners) await createVariable(owner, { key: 'OWN', value: owner.kind });
  for (const { client, path, kind } of owners) {
    t.is((await client.get(`${path}/OWN`)).body.value, kind);
    t.deepEqual(
      (await client.get(path)).body.map(({ value }: { value: string }) => value),
      [kind],
    );
  }
  for (const { client, path } of owners) await client.delete(`${path}/OWN`);
});

// Contract: ci-variables.scopes
test.serial('a key may have a value for each scope, which a filter then chooses', async (t) => {
  const several = {
    message: "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
  };
  for (const kind of ['project', 'group'] as const) {
    const owner = await createOwner(app, kind);
    const { client, path } = owner;
    await createVariable(owner, { key: 'K', value: 'one', environment_scope: 'review/*' });
    t.is((await client.get(`${path}/K`)).body.value, 'one', 'the only one needs no filter');
    t.is((await client.get(inScope(`${path}/K`, '*'))).status, 404);
    await createVariable(owner, { key: 'K', value: 'two' });
    for (const answer of [
      await client.get(`${path}/K`),
      await client.put(`${path}/K`, { value: 'x' }),
      await client.delete(`${path}/K`),
      await client.get(`${path}/K?filter[environment_scope]=`),
    ])
      t.deepEqual([answer.status, answer.body], [409, several]);
    t.is((await client.get(inScope(`${path}/K`, 'review/*'))).body.value, 'one');
    t.is((await client.get(inScope(`${path}/K`, '*'))).body.value, 'two');
    const filter = { environment_scope: 'review/*' };
    const moved = await client.put(`${path}/K`, { filter, environment_scope: 'review/a' });
    t.like(moved.body, { value: 'one', environment_scope: 'review/a' });
    t.is((await client.get(inScope(`${path}/K`, 'review/a'))).body.value, 'one', 'and is still decrypted');
    const clash = await client.put(inScope(`${path}/K`, 'review/a'), { environment_scope: '*' });
    t.deepEqual([clash.status, clash.body], [400, { message: { key: ['(K) has already been taken'] } }]);
    t.is((await client.delete(inScope(`${path}/K`, '*'))).status, 204);
    t.is((await client.get(`${path}/K`)).body.value, 'one');
  }
});

// Contract: ci-variables.duplicate
test.serial('of several who create or delete the same variable at once, one does', async (t) => {
  for (const kind of KINDS) {
    const { client, path } = await createOwner(app, kind);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => client.post(path, { key: 'SAME', value: `${index}` })),
    );
    t.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400, 400, 400, 400]);
    for (const { status, body } of answers)
      if (status === 400) t.deepEqual(body, { message: { key: ['(SAME) has already been taken'] } });
    const deleted = await Promise.all([1, 2, 3].map(() => client.delete(`${path}/SAME`)));
    t.deepEqual(deleted.map(({ status }) => status).toSorted(), [204, 404, 404]);
  }
});

// Contract: ci-variables.hidden
test.serial('a hidden value is in no answer, and cannot be made visible again', async (t) => {
  for (const kind of ['project', 'group'] as const) {
    const owner = await createOwner(app, kind);
    const { client, path } = owner;
    const secret = 'hidden-value-1';
    const created = await client.post(path, { key: 'H', value: secret, masked_and_hidden: true });
    t.is(created.status, 201);
    t.like(created.body, { value: null, hidden: true, masked: true });
    const revealed = await client.put(`${path}/H`, { masked: false });
    t.deepEqual(
      [revealed.status, revealed.body],
      [400, { message: { base: ['The visibility setting cannot be changed for masked and hidden variables.'] } }],
    );
    const answers = [
      created,
      await client.get(path),
      await client.get(`${path}/H`),
      await client.put(`${path}/H`, { masked_and_hidden: false, hidden: false, description: 'x' }),
      await client.put(`${path}/H`, { environment_scope: 'production' }),
    ];
    for (const { text } of answers) t.false(text.includes(secret));
    t.like((await client.put(`${path}/H`, { value: 'another-value' })).body, { value: null, hidden: true });
    t.deepEqual((await client.put(`${path}/H`, { value: 'short' })).body, { message: { value: ['is invalid'] } });
    const visible = await createVariable(owner, { key: 'V', value: 'visible', masked_and_hidden: false });
    t.like(visible, { value: 'visible', hidden: false, masked: false });
    t.like((await client.put(`${path}/V`, { masked_and_hidden: true })).body, { hidden: false, value: 'visible' });
  }
});

// Contract: ci-variables.secret
test.serial('values are stored encrypted, and one that is copied to another row is of no use there', async (t) => {
  const [owner, other] = [await createOwner(app, 'project'), await createOwner(app, 'project')];
  await createVariable(owner, { key: 'SECRET', value: 'not-for-everybody' });
  await createVariable(other, { key: 'SECRET', value: 'another-secret' });
  const rows = await app.context().query<{ stored: string; plain: boolean }>(sql`
    select v::text as stored, position('not-for-everybody'::bytea in v.value) > 0 as plain
      from ci_variables v where v.project_id = ${owner.id}`);
  t.is(rows.length, 1);
  t.false(rows[0]?.plain);
  t.false(rows[0]?.stored.includes('not-for-everybody'));
  await app.context().query(sql`
    update ci_variables v set value = o.value from ci_variables o
     where v.project_id = ${other.id} and o.project_id = ${owner.id}`);
  const { status, text } = await other.client.get(`${other.path}/SECRET`);
  t.is(status, 500);
  t.false(text.includes('not-for-everybody'));
  const rewritten = await other.client.put(`${other.path}/SECRET`, { value: 'new-secret' });
  t.deepEqual([rewritten.status, rewritten.body.value], [200, 'new-secret'], 'it may be overwritten');
});
