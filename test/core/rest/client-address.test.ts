import { readFileSync } from 'node:fs';
import test from 'ava';
import { clientAddress } from '../../../shared/core/network/client-address.js';
import { getClientNetwork, parseNetworks } from '../../../shared/core/values/client-network.js';
import type { Networks } from '../../../shared/core/values/client-network.js';
import { useApp } from '../app.js';
import { sourceFiles } from '../source-files.js';

const networks = (text: string) => parseNetworks(text) as Networks;
/** A proxy at 10.0.0.1, one before it, and one that speaks IPv6. */
const TRUSTED = networks('10.0.0.0/8, 192.0.2.7, fd00::/8');

/** What it is, the header as it arrives, and the client. The connection is 10.0.0.1's. */
const HEADERS: [string, string, string][] = [
  ['no header', '', '10.0.0.1'],
  ['one client', '203.0.113.9', '203.0.113.9'],
  ['spaces and tabs around it', ' \t203.0.113.9 \t', '203.0.113.9'],
  ['what the client wrote itself', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['several headers, which arrive as one', '1.1.1.1, 2.2.2.2, 203.0.113.9', '203.0.113.9'],
  ['two proxies', '1.1.1.1, 203.0.113.9, 192.0.2.7', '203.0.113.9'],
  ['two proxies of two kinds', '203.0.113.9, fd00::7, 10.1.2.3', '203.0.113.9'],
  ['a forged proxy before the client', '10.9.9.9, 203.0.113.9', '203.0.113.9'],
  ['nothing but proxies', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a port', '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6', '2001:db8::9', '2001:db8::9'],
  ['IPv6 in another spelling', '2001:0DB8:0:0::9', '2001:db8::9'],
  ['IPv6 in brackets', '[2001:db8::9]', '2001:db8::9'],
  ['IPv6 in brackets with a port', '[2001:db8::9]:443', '2001:db8::9'],
  ['IPv4 within IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
  ['IPv4 within IPv6 in hexadecimal', '::ffff:cb00:7109', '203.0.113.9'],
  ['a trusted IPv4 within IPv6', '203.0.113.9, ::ffff:10.0.0.2', '203.0.113.9'],
  ['a private address that is no proxy', '192.168.1.5', '192.168.1.5'],
  ['a private address before a proxy', '1.1.1.1, 172.16.0.4, 10.0.0.2', '172.16.0.4'],
  ['the service itself', '127.0.0.1', '127.0.0.1'],
  ['a zone', 'fe80::1%eth0', 'fe80::1'],
  ['unknown', 'unknown', '10.0.0.1'],
  ['unknown before a proxy', '1.1.1.1, unknown, 10.0.0.2', '10.0.0.2'],
  ['a made-up name', '_hidden', '10.0.0.1'],
  ['a host name', 'proxy.example.com', '10.0.0.1'],
  ['an empty entry at the end', '1.1.1.1,', '10.0.0.1'],
  ['nothing but commas', ',,,,', '10.0.0.1'],
  ['an empty entry before a proxy', '1.1.1.1, , 10.0.0.2', '10.0.0.2'],
  ['too large a number', '203.0.113.256', '10.0.0.1'],
  ['a short form', '127.1', '10.0.0.1'],
  ['hexadecimal', '0x7f000001', '10.0.0.1'],
  ['octal', '0177.0.0.1', '10.0.0.1'],
  ['one number', '2130706433', '10.0.0.1'],
  ['IPv4 in brackets', '[203.0.113.9]', '10.0.0.1'],
  ['an open bracket', '[2001:db8::9', '10.0.0.1'],
  ['more after a bracket', '[2001:db8::9]x', '10.0.0.1'],
  ['a port that is none', '203.0.113.9:http', '10.0.0.1'],
  ['a network', '203.0.113.0/24', '10.0.0.1'],
  ['quotes', '"203.0.113.9"', '10.0.0.1'],
  ['the form of another header', 'for=203.0.113.9', '10.0.0.1'],
  ['a URL', 'http://203.0.113.9/', '10.0.0.1'],
  ['SQL', "203.0.113.9'; drop table users; --", '10.0.0.1'],
  ['a semicolon instead of a comma', '1.1.1.1; 203.0.113.9', '10.0.0.1'],
  ['a line of its own', '1.1.1.1\r\n 203.0.113.9', '10.0.0.1'],
  ['other bytes', '203.0.113.9\u0000', '10.0.0.1'],
  ['a percent sign after IPv4', '203.0.113.9%eth0', '10.0.0.1'],
  ['thousands of entries', `${'1.1.1.1, '.repeat(10_000)}203.0.113.9`, '203.0.113.9'],
  ['one long word', 'a'.repeat(100_000), '10.0.0.1'],
];

for (const [what, header, client] of HEADERS)
  test(`behind a trusted proxy, X-Forwarded-For with ${what}`, (t) => {
    t.is(clientAddress('10.0.0.1', header, TRUSTED), client);
    t.is(clientAddress('::ffff:10.0.0.1', header, TRUSTED), client, 'by a socket for both protocols');
    t.is(clientAddress('203.0.113.77', header, TRUSTED), '203.0.113.77', 'nobody else is believed');
    t.is(clientAddress('10.0.0.1', header, []), '10.0.0.1', 'nor is anybody by default');
  });

test('more proxies than there can be are not followed to the end', (t) => {
  t.is(clientAddress('10.0.0.1', `203.0.113.9${', 10.0.0.2'.repeat(100)}`, TRUSTED), '10.0.0.2');
});

test('a connection without an address is nobody in particular, whatever it says', (t) => {
  t.is(clientAddress(undefined, '203.0.113.9', TRUSTED), null);
  t.is(getClientNetwork(null), 'unknown');
});

test('limits count IPv4 by address and IPv6 by network', (t) => {
  t.is(getClientNetwork('203.0.113.9'), '203.0.113.9');
  t.is(getClientNetwork('::ffff:203.0.113.9'), '203.0.113.9');
  t.is(getClientNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.is(getClientNetwork('2001:db8:1:2::'), getClientNetwork('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  t.not(getClientNetwork('2001:db8:1:2::1'), getClientNetwork('2001:db8:1:3::1'));
});

const behind = useApp(test, [], { trustedProxies: '127.0.0.1' });
const direct = useApp(test);

for (const { app, address, where } of [
  { app: behind, address: '2001:db8::9', where: 'behind a proxy' },
  { app: direct, address: '127.0.0.1', where: 'without one' },
])
  test(`${where}, audit events and limits know the same client`, async (t) => {
    const user = await app.build.user();
    const admin = await app.build.admin();
    const from = app.as(user).with({
      'X-Forwarded-For': '1.1.1.1, [2001:db8::9]:4711',
      Forwarded: 'for=6.6.6.6',
      'X-Real-IP': '6.6.6.6',
      'Client-IP': '6.6.6.6',
    });
    t.is((await from.post('/projects', { name: 'Traced' })).status, 201);
    const { body } = await app.as(admin).get('/audit_events');
    const event = (body as { author_id: number; details: { ip_address: string } }[]).find(
      ({ author_id: author }) => author === user.id,
    );
    t.is(event?.details.ip_address, address);
  });

test('one place alone asks a connection or a header who the client is', (t) => {
  const asking = ['api', 'workers', 'shared/core', 'shared/instance', 'shared/auth']
    .flatMap((folder) => sourceFiles(folder))
    .filter((file) =>
      /remoteAddress|x-forwarded-for|x-real-ip|\b(koa|ctx|request)\.(request\.)?ips?\b/i.test(
        readFileSync(file, 'utf8'),
      ),
    );
  t.deepEqual(asking.toSorted(), [
    'api/core/server/http.ts',
    'shared/core/network/client-address.ts',
    'workers/instance/monitoring/metrics-server.ts',
  ]);
});
