import test from 'ava';
import fc from 'fast-check';
import { outboundProblem } from '../../shared/core/network/outbound.js';
import { useApp } from './app.js';

const app = useApp(test);
const problem = (host: string) => outboundProblem(app.context(), new URL(`http://${host}/a.git`));

const hex = (bytes: readonly number[]) =>
  [0, 2].map((from) => (((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0)).toString(16)).join(':');
const turned = (bytes: readonly number[]) => hex(bytes.map((byte) => byte ^ 0xff));

/** Ways to write an IPv4 address as one of IPv6. */
const EMBEDDINGS: Record<string, (bytes: number[]) => string> = {
  mapped: (bytes) => `::ffff:${hex(bytes)}`,
  compatible: (bytes) => `::${hex(bytes)}`,
  translated: (bytes) => `::ffff:0:${hex(bytes)}`,
  NAT64: (bytes) => `64:ff9b::${hex(bytes)}`,
  '6to4': (bytes) => `2002:${hex(bytes)}:1::1`,
  'Teredo server': (bytes) => `2001:0:${hex(bytes)}:0:0:f7f7:f7f7`,
  'Teredo client': (bytes) => `2001:0:808:808:0:0:${turned(bytes)}`,
  ISATAP: (bytes) => `2606:4700::5efe:${hex(bytes)}`,
  'ISATAP, global': (bytes) => `2606:4700::200:5efe:${hex(bytes)}`,
};

/** `::` and `::1` are something of their own. */
const isPlain = (bytes: number[]) => bytes.slice(0, 3).some((byte) => byte !== 0);

// Contract: core-5.import_url.inside
test('an IPv6 address that holds an IPv4 one may be asked just where that may be', (t) => {
  const local = fc.constantFrom<number[]>(
    [127, 0, 0, 1],
    [10, 0, 0, 1],
    [169, 254, 169, 254],
    [192, 168, 1, 1],
    [100, 64, 0, 1],
  );
  const any = fc.array(fc.nat({ max: 255 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(fc.oneof(local, any).filter(isPlain), (bytes) => {
      const expected = problem(bytes.join('.'));
      for (const [name, write] of Object.entries(EMBEDDINGS)) t.is(problem(`[${write(bytes)}]`), expected, name);
    }),
    { numRuns: 300 },
  );
  t.is(problem('8.8.8.8'), null);
  t.is(problem('[2606:4700::1111]'), null);
});

// Contract: core-5.import_url.inside
test.serial('what administrators list counts for the address inside, too', async (t) => {
  await app.set({ outbound_local_requests_whitelist: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '64:ff9b:1::/48'] });
  for (const host of ['127.0.0.1', '[::127.0.0.1]', '[2002:a01:203::1]', '[fd00::1]', '[64:ff9b:1::1]'])
    t.is(problem(host), null, host);
  for (const host of ['127.0.0.2', '[::127.0.0.2]', '[2002:c0a8:1::1]', '[fe80::1]', '[::1]'])
    t.truthy(problem(host), host);
  await app.set({ outbound_local_requests_whitelist: [] });
});
