import test from 'ava';
import type { ExecutionContext } from 'ava';
import { useApp } from '../../core/app.js';
import { KINDS, createContainer } from './containers.js';

const app = useApp(test);
const GOOD = { name: 'x', scopes: ['read_repository'] };
const NO_VALID_VALUE = { error: 'scopes does not have a valid value' };
const BAD_USERNAME = "Username can contain only letters, digits, '_', '-', '+', and '.'";
const LONG_NAME = 'Name is too long (maximum is 255 characters)';
const LONG_USERNAME = 'Username is too long (maximum is 255 characters)';

/** Sends each body to a project and to a group, and expects its 400; nothing is created. */
async function assertRejected(t: ExecutionContext, cases: [Record<string, unknown>, Record<string, string>][]) {
  for (const kind of KINDS) {
    const { owner, path } = await createContainer(app, kind);
    for (const [attributes, expected] of cases) {
      const { status, body } = await app.as(owner).post(path, attributes);
      t.deepEqual([status, body], [400, expected], JSON.stringify(attributes).slice(0, 200));
    }
    t.deepEqual((await app.as(owner).get(path)).body, []);
  }
}

/** The token of a project created with these values. */
async function createToken(attributes: Record<string, unknown>) {
  const { owner, path } = await createContainer(app, 'project');
  const { status, body } = await app.as(owner).post(path, { ...GOOD, ...attributes });
  return status === 201 ? body : { status, ...body };
}

// Contract: deploy-tokens-3.missing
test('absent parameters are named, alone and together [unverified joined form]', (t) =>
  assertRejected(t, [
    [{}, { error: 'name is missing, scopes is missing, scopes does not have a valid value' }],
    [{ name: 'x' }, { error: 'scopes is missing, scopes does not have a valid value' }],
    [{ scopes: ['read_repository'] }, { error: 'name is missing' }],
  ]));

// Contract: deploy-tokens-3.scope
test('an unknown scope is no valid value, nor is an empty one', (t) =>
  assertRejected(t, [
    [{ ...GOOD, scopes: ['api'] }, NO_VALID_VALUE],
    [{ ...GOOD, scopes: ['read_repository', 'write_repository'] }, NO_VALID_VALUE],
    [{ ...GOOD, scopes: ['READ_REPOSITORY'] }, NO_VALID_VALUE],
    [{ ...GOOD, scopes: ['__proto__'] }, NO_VALID_VALUE],
    [{ ...GOOD, scopes: 'read_repository,nothing' }, NO_VALID_VALUE],
    [{ ...GOOD, scopes: [''] }, NO_VALID_VALUE],
    [{ ...GOOD, scopes: [{ a: 'b' }] }, { error: 'scopes is invalid' }],
    [{ name: '', scopes: ['api'] }, NO_VALID_VALUE],
  ]));

// Contract: deploy-tokens-3.scope
test('one empty element of a form is no valid value either', async (t) => {
  const { owner, path } = await createContainer(app, 'project');
  const form = 'application/x-www-form-urlencoded';
  const { status, body } = await app.as(owner).raw('POST', `/api/v4${path}`, 'name=x&scopes[]=', form);
  t.deepEqual([status, body], [400, NO_VALID_VALUE]);
});

// Contract: deploy-tokens-3.no-scope
test('a token without a scope is refused', (t) =>
  assertRejected(t, [
    [{ ...GOOD, scopes: [] }, { message: "Scopes can't be blank" }],
    [{ ...GOOD, scopes: '' }, { message: "Scopes can't be blank" }],
  ]));

// Contract: deploy-tokens-3.bad-username
test('a user name of other characters is refused', (t) =>
  assertRejected(
    t,
    ['a b', 'a@b', 'a:b', 'a/b', 'é', 'a\n', '<script>', ' '].map((username) => [
      { ...GOOD, username },
      { message: BAD_USERNAME },
    ]),
  ));

// Contract: deploy-tokens-3.long
test('256 characters are too many for a name and for a user name', (t) =>
  assertRejected(t, [
    [{ ...GOOD, name: 'é'.repeat(256) }, { message: LONG_NAME }],
    [{ ...GOOD, username: 'x'.repeat(256) }, { message: LONG_USERNAME }],
    [{ ...GOOD, name: 'x'.repeat(1_000_000) }, { message: LONG_NAME }],
  ]));

// Contract: deploy-tokens-3.several
test('several sentences are one text, in the order of the parameters', (t) =>
  assertRejected(t, [
    [{ ...GOOD, name: 'x'.repeat(256), username: 'a b' }, { message: `${LONG_NAME} and ${BAD_USERNAME}` }],
    [
      { name: ' ', scopes: [], username: 'a b' },
      { message: `Name can't be blank, Scopes can't be blank, and ${BAD_USERNAME}` },
    ],
    [{ ...GOOD, username: 'é'.repeat(256) }, { message: `${LONG_USERNAME} and ${BAD_USERNAME}` }],
  ]));

// Contract: deploy-tokens-2.name
test('a name is any text of 1 to 255 characters that is not blank', async (t) => {
  t.is((await createToken({ name: '🚀'.repeat(255) })).name, '🚀'.repeat(255));
  t.is((await createToken({ name: 7 })).name, '7');
  for (const name of ['', '  ', null])
    t.deepEqual(await createToken({ name }), { status: 400, message: "Name can't be blank" });
  t.deepEqual(await createToken({ name: 'a\0b' }), { status: 400, error: 'name is invalid' });
});

// Contract: deploy-tokens-2.expires_at, interface-2.1.expires_at
test('expires_at is a date, an instant of any zone, or nothing', async (t) => {
  const cases: [unknown, string | null][] = [
    ['2031-02-03', '2031-02-03T00:00:00.000Z'],
    ['2031-02-03T04:05:06.789Z', '2031-02-03T04:05:06.789Z'],
    ['2031-02-03T04:05:06+02:00', '2031-02-03T02:05:06.000Z'],
    ['2031-02-03 04:05', '2031-02-03T04:05:00.000Z'],
    ['1999-12-31', '1999-12-31T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z'],
    [null, null],
    ['', null],
    [undefined, null],
  ];
  for (const [expires_at, expected] of cases) t.is((await createToken({ expires_at })).expires_at, expected);
});

// Contract: deploy-tokens-2.expires_at
test('what is no date, or none that answers can write, is refused', (t) =>
  assertRejected(
    t,
    ['soon', '2030-02-30', '2030-13-01', '31.12.2030', 'infinity', '0000-01-01', '9999-12-31T23:59:59-01:00', 7].map(
      (expires_at) => [{ ...GOOD, expires_at }, { error: 'expires_at is invalid' }],
    ),
  ));

// Contract: deploy-tokens-2.username
test('a user name is kept as given and need not be unique, not even in one project; an empty one is none', async (t) => {
  const { owner, path } = await createContainer(app, 'project');
  const post = async (username: unknown) => (await app.as(owner).post(path, { ...GOOD, username })).body;
  for (const username of ['Ci.bot_1+x-y', 'Ci.bot_1+x-y', 'x'.repeat(255)])
    t.is((await post(username)).username, username);
  for (const username of ['', null, undefined]) {
    const { id, username: storedName } = await post(username);
    t.is(storedName, `service+deploy-token-${id}`);
  }
});

// Contract: deploy-tokens-2.default-username, deploy-tokens-2.secret, interface-2.1.username
test.serial('prefixes are those of the settings: of user names as they are now, of tokens as they were', async (t) => {
  const { owner, path } = await createContainer(app, 'group');
  const before = (await app.as(owner).post(path, GOOD)).body;
  await app.set({ deploy_token_username_prefix: 'acme', deploy_token_prefix: 'glx-' });
  const after = (await app.as(owner).post(path, GOOD)).body;
  t.regex(before.token, /^gdt-/);
  t.regex(after.token, /^glx-[\w-]{26}$/);
  const listed = await app.as(owner).get(path);
  await app.set({ deploy_token_username_prefix: 'service', deploy_token_prefix: 'gdt-' });
  t.deepEqual(
    listed.body.map(({ username }: { username: string }) => username),
    [`acme+deploy-token-${before.id}`, `acme+deploy-token-${after.id}`],
  );
});

// Contract: deploy-tokens-3.token_id
test('a token_id that is no integer is refused by its name', async (t) => {
  for (const kind of KINDS) {
    const { owner, path } = await createContainer(app, kind);
    for (const id of ['123abc', '1.5', 'x', '%20']) {
      const answers = [
        await app.as(owner).get(`${path}/${id}`),
        await app.as(owner).delete(`${path}/${id}`),
        await app.as(owner).post(`${path}/${id}/revoke`),
      ];
      for (const { status, body } of answers) t.deepEqual([status, body], [400, { error: 'token_id is invalid' }], id);
    }
  }
});
