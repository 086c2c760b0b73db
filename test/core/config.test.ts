import test from 'ava';
import { BadSettings, loadConfig } from '../../shared/core/values/config.js';

const good = {
  DATABASE_URL: 'postgres://127.0.0.1/capstan',
  SECRET_KEY_BASE: 'a secret of at least thirty-two characters',
};

test('every bad setting is named at once, with what it should be', (t) => {
  const error = t.throws(
    () =>
      loadConfig({
        ...good,
        HOST: 'not a host!',
        PORT: '70000',
        EXTERNAL_URL: 'ftp://x',
        WORKERS: '-1',
        TRUSTED_PROXIES: 'proxy.example.com',
        LOG_LEVEL: 'loud',
        API_VERSION: 'eighteen',
      }),
    { instanceOf: BadSettings },
  ) as BadSettings;
  t.is(error.problems.length, 7);
  const names = ['HOST', 'PORT', 'EXTERNAL_URL', 'WORKERS', 'LOG_LEVEL', 'API_VERSION', 'TRUSTED_PROXIES'];
  for (const [index, name] of names.entries())
    t.regex(error.problems[index] as string, new RegExp(`^${name} must be .+; it is ".+"\\.$`));
});

test('a bad secret or database URL is never repeated', (t) => {
  const error = t.throws(() => loadConfig({ DATABASE_URL: 'mysql://u:hunter2@h/d', SECRET_KEY_BASE: 'short-one' }), {
    instanceOf: BadSettings,
  }) as BadSettings;
  t.false(error.message.includes('hunter2'));
  t.false(error.message.includes('short-one'));
  t.regex(error.message, /DATABASE_URL must be .*PostgreSQL 15 or newer/);
});

test('what is required and missing is said', (t) => {
  const error = t.throws(() => loadConfig({ DATA_DIR: '/nonexistent' }), { instanceOf: BadSettings }) as BadSettings;
  t.deepEqual(error.problems.map((line) => line.split(' ')[0]).sort(), ['DATABASE_URL', 'SECRET_KEY_BASE']);
});

test('an empty setting counts as not set', (t) => {
  t.is(loadConfig({ ...good, PORT: '', HOST: '' }).port, 8080);
});

test('URLs in answers come from EXTERNAL_URL without its trailing slash', (t) => {
  t.is(loadConfig({ ...good, EXTERNAL_URL: 'https://dev.example.com/' }).externalUrl, 'https://dev.example.com');
  t.is(loadConfig({ ...good, HOST: '::1', PORT: '9000' }).externalUrl, 'http://[::1]:9000');
});

test('TRUSTED_PROXIES takes addresses and networks of both protocols, and trusts nobody by default', (t) => {
  t.deepEqual(loadConfig(good).trustedProxies, []);
  const { trustedProxies } = loadConfig({ ...good, TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,fd00::/8 ,::1' });
  t.deepEqual(
    trustedProxies.map(([address, bits]) => `${address.toString()}/${bits}`),
    ['10.0.0.0/8', '192.0.2.7/32', 'fd00::/8', '::1/128'],
  );
  for (const bad of [
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.1/',
    '::1/129',
    'fe80::1%eth0',
    '10.0.0.1;10.0.0.2',
    '10.0.0.1,',
    'localhost',
    '::ffff:10.0.0.0/104',
    '127.1',
    '*',
  ])
    t.throws(() => loadConfig({ ...good, TRUSTED_PROXIES: bad }), { instanceOf: BadSettings }, bad);
});
