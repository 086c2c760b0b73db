import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { ecdsa, ed25519, ed25519Bytes, keyedProject, line, point, positive, rsa, wire } from './keys.js';

const app = useApp(test);
const INVALID = { 'deploy_key.key': ['is invalid'], 'deploy_key.fingerprint_sha256': ['cannot be generated'] };
const THREE = Buffer.from([3]);

async function posting() {
  const { owner, path, id } = await keyedProject(app);
  const post = (key: unknown, more: object = {}) => app.as(owner).post(path, { title: 'Key', key, ...more });
  return { owner, path, id, post };
}

// Contract: deploy-keys.types
test('ed25519, ECDSA of three curves, both of them in a device, and RSA from 2048 bits are taken', async (t) => {
  const { post } = await posting();
  for (const key of [
    ed25519('with a comment of words'),
    ecdsa('nistp256'),
    ecdsa('nistp384'),
    ecdsa('nistp521'),
    line('sk-ssh-ed25519@openssh.com', [ed25519Bytes(), 'ssh:']),
    line('sk-ecdsa-sha2-nistp256@openssh.com', ['nistp256', point('nistp256'), 'ssh:']),
    rsa(2048),
    rsa(3072),
  ]) {
    const { status, body } = await post(key);
    t.deepEqual([status, body.key], [201, key]);
  }
});

// Contract: deploy-keys.weak
test('RSA below 2048 bits and DSA are refused, in unverified words', async (t) => {
  const { post } = await posting();
  for (const bits of [1024, 2047]) {
    const { status, body } = await post(rsa(bits));
    t.deepEqual([status, body], [400, { message: { 'deploy_key.key': ['must be at least 2048 bits'] } }]);
  }
  const { status, body } = await post(line('ssh-dss', [Buffer.alloc(128, 1), Buffer.alloc(20, 1)]));
  t.is(status, 400);
  t.deepEqual(body, {
    message: { 'deploy_key.key': ['type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK'] },
  });
});

// Contract: deploy-keys.malformed
test('what is no public key of the type that it names is refused, in unverified words, and nothing is kept', async (t) => {
  const { post, owner, path } = await posting();
  const good = ed25519();
  const [, base64 = ''] = good.split(' ');
  const off = point('nistp256');
  off[40] = (off[40] ?? 0) ^ 1;
  const blob = wire('ssh-ed25519', ed25519Bytes());
  const text = (bytes: Buffer) => `ssh-ed25519 ${bytes.toString('base64')}`;
  const modulus = Buffer.alloc(256, 0xab);
  const bad = {
    problem: 'not a key',
    'type alone': 'ssh-ed25519',
    'base64 alone': base64,
    'type of another': line('ssh-rsa', [ed25519Bytes()], 'ssh-ed25519'),
    'type inside of another': line('ssh-ed25519', [ed25519Bytes()], 'ssh-rsa'),
    'unknown type': line('ssh-ed448', [ed25519Bytes()]),
    certificate: line('ssh-ed25519-cert-v01@openssh.com', [ed25519Bytes()]),
    'options before it': `command="sh" ${good}`,
    'two keys': `${good}\n${ed25519()}`,
    'a tab in the comment': `${good} a\tb`,
    'a line break in base64': good.replace('AAAA', 'AAAA\n'),
    'loose base64': `${good}==`,
    'url base64': `ssh-ed25519 ${'-_'.repeat(34)}`,
    'a byte short': text(blob.subarray(0, -1)),
    'a byte long': text(Buffer.concat([blob, Buffer.from([0])])),
    'a length beyond the end': text(Buffer.concat([blob.subarray(0, 15), Buffer.from([255, 255, 255, 255])])),
    'three bytes': text(Buffer.from([0, 0, 0])),
    '31 bytes': line('ssh-ed25519', [Buffer.alloc(31, 1)]),
    'point beside the curve': line('ecdsa-sha2-nistp256', ['nistp256', off]),
    'point of another curve': line('ecdsa-sha2-nistp256', ['nistp256', point('nistp384')]),
    'curve of another name': line('ecdsa-sha2-nistp256', ['nistp384', point('nistp384')]),
    'compressed point': line('ecdsa-sha2-nistp256', [
      'nistp256',
      Buffer.concat([Buffer.from([2]), point('nistp256').subarray(1, 33)]),
    ]),
    'device without application': line('sk-ssh-ed25519@openssh.com', [ed25519Bytes()]),
    'empty application': line('sk-ssh-ed25519@openssh.com', [ed25519Bytes(), '']),
    'exponent 1': line('ssh-rsa', [Buffer.from([1]), positive(modulus)]),
    'even exponent': line('ssh-rsa', [Buffer.from([4]), positive(modulus)]),
    'negative modulus': line('ssh-rsa', [THREE, modulus]),
    'empty modulus': line('ssh-rsa', [THREE, '']),
    'padded modulus': line('ssh-rsa', [THREE, Buffer.concat([Buffer.from([0, 0]), modulus])]),
    'even modulus': line('ssh-rsa', [THREE, positive(Buffer.alloc(256, 0xaa))]),
    '20,000 bits': line('ssh-rsa', [THREE, positive(Buffer.alloc(2500, 0xab))]),
  };
  for (const [name, key] of Object.entries(bad)) {
    const { status, body } = await post(key);
    t.deepEqual([status, body], [400, { message: INVALID }], name);
  }
  t.deepEqual((await app.as(owner).get(path)).body, []);
});

// Contract: deploy-keys.long
test('a key of 1 MB is refused at once, as is one of 5001 characters', async (t) => {
  const { post } = await posting();
  for (const key of [`ssh-ed25519 ${'A'.repeat(1_000_000)}`, `${ed25519()} ${'c'.repeat(5000)}`]) {
    const { status, body } = await post(key);
    t.deepEqual([status, body], [400, { message: { 'deploy_key.key': ['is too long (maximum is 5000 characters)'] } }]);
  }
});

// Contract: deploy-keys.values
test('key and title are required, neither may be blank, and an end must lie ahead', async (t) => {
  const { post, owner, path } = await posting();
  const bodies = [
    (await app.as(owner).post(path, {})).body,
    (await post(ed25519(), { title: ' ' })).body,
    (await post(ed25519(), { title: 'é'.repeat(256) })).body,
    (await post('', { title: '' })).body,
    (await post(ed25519(), { expires_at: '2030-01-01T00:00:00Z' })).body,
    (await post(ed25519(), { expires_at: 'soon' })).body,
    (await post(ed25519(), { can_push: 'perhaps' })).body,
    (await post([ed25519()])).body,
  ];
  t.deepEqual(bodies, [
    { error: 'key is missing, title is missing' },
    { message: { 'deploy_key.title': ["can't be blank"] } },
    { message: { 'deploy_key.title': ['is too long (maximum is 255 characters)'] } },
    {
      message: {
        'deploy_key.title': ["can't be blank"],
        'deploy_key.key': ["can't be blank"],
        'deploy_key.fingerprint_sha256': ['cannot be generated'],
      },
    },
    { message: { 'deploy_key.key': ['has expired'] } },
    { error: 'expires_at is invalid' },
    { error: 'can_push is invalid' },
    { error: 'key is invalid' },
  ]);
  t.is((await post(ed25519(), { title: 'é'.repeat(255) })).status, 201);
});

// Contract: deploy-keys.values
test('a blank title is refused in an edit too, and nothing changes', async (t) => {
  const { post, owner, path } = await posting();
  const { id } = (await post(ed25519())).body;
  const { status, body } = await app.as(owner).put(`${path}/${id}`, { title: '', can_push: true });
  t.deepEqual([status, body], [400, { message: { 'deploy_key.title': ["can't be blank"] } }]);
  t.like((await app.as(owner).get(`${path}/${id}`)).body, { title: 'Key', can_push: false });
});

// Contract: deploy-keys.at-once
test('of many who add one key at once all but the first find it there, and it is one record', async (t) => {
  const { post, id } = await posting();
  const key = ed25519();
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(key)));
  const done = answers.filter(({ status }) => status === 201);
  t.true(done.length > 0);
  for (const { status, body } of answers)
    if (status !== 201) t.deepEqual(body, { message: { 'deploy_key.fingerprint_sha256': ['has already been taken'] } });
  const rows = await app.context().query(sql`select id from deploy_keys_projects where project_id = ${id}`);
  t.is(rows.length, 1);
});
