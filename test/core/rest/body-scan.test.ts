import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import test from 'ava';
import {
  asyncProperty,
  array,
  assert,
  constantFrom,
  integer,
  json,
  oneof,
  property,
  string,
  tuple,
  uint8Array,
} from 'fast-check';
import Koa from 'koa';
import { Form } from '../../../api/core/bodies/form.js';
import { FormScan, JsonScan } from '../../../api/core/bodies/scan.js';
import { decodePercent, MAX_DEPTH, MAX_KEYS } from '../../../api/core/nested-params.js';

/** Members and elements of a value, and how deep it goes, counted once it is there. */
function getSize(value: unknown): { keys: number; depth: number } {
  if (value === null || typeof value !== 'object') return { keys: 0, depth: 0 };
  const inner = Object.values(value).map(getSize);
  return {
    keys: inner.length + inner.reduce((sum, { keys }) => sum + keys, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

/** A text split at arbitrary positions. */
function getPieces(text: string, cuts: readonly number[]): string[] {
  const offsets = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other);
  return [0, ...offsets].map((from, index) => text.slice(from, offsets[index] ?? text.length));
}

const cuts = array(integer({ min: 0, max: 10_000 }), { maxLength: 8 });

/** Counts the values in a text: finds how many spare values the scan needs to accept it. */
function getCount(text: string, at: readonly number[]): number {
  const counts = (spare: number) => {
    const scan = new JsonScan();
    // A separate list before the text uses up the limit except for the spare values.
    if (MAX_KEYS > spare) scan.take(`[${Array.from({ length: MAX_KEYS - spare }, () => 1).join(',')}]`);
    try {
      for (const piece of getPieces(text, at)) scan.take(piece);
      return true;
    } catch {
      return false;
    }
  };
  let count = 0;
  while (!counts(count)) count += 1;
  return count;
}

// Contract: rest-1.18
test('JSON is counted before it is parsed as it would be after, in whatever pieces it comes', (t) => {
  assert(
    property(json({ maxDepth: 4 }), cuts, (text, at) => {
      const { keys, depth } = getSize(JSON.parse(text));
      return depth > MAX_DEPTH || keys > 200 || getCount(text, at) === keys;
    }),
    { numRuns: 200 },
  );
  t.pass();
});

test('quotes, backslashes and brackets in texts are no structure', (t) => {
  assert(
    property(array(string({ unit: 'grapheme-ascii' }), { maxLength: 5 }), cuts, (texts, at) => {
      const tricky = texts.map((text) => `${text}\\"\\\\[{,}]"\\`);
      return getCount(JSON.stringify(tricky, null, 1), at) === tricky.length;
    }),
    { numRuns: 200 },
  );
  t.pass();
});

test('20 MiB of anything are scanned a piece at a time, and what is too much is noticed in its piece', (t) => {
  const scan = new JsonScan();
  scan.take('["');
  for (let piece = 0; piece < 320; piece += 1) scan.take('\\"[{,'.repeat(13_000));
  scan.take('"');
  t.throws(() => scan.take(','.repeat(MAX_KEYS)), { message: /more than 10000/ });
  const form = new FormScan();
  form.take('&'.repeat(MAX_KEYS));
  t.throws(() => form.take('&'), { message: /more than 10000/ });
});

/** The files of a multipart body that arrives in pieces, in the order in which they begin. */
async function getFiles(body: Buffer, boundary: string, at: readonly number[]): Promise<Buffer[]> {
  const koa = new Koa();
  const files: Buffer[][] = [];
  koa.use(async (context) => {
    const limits = { minimumRate: { bytes: 0, milliseconds: 60_000 } };
    const terms = { limit: 100_000, fileBytes: 100_000, filesAreHeld: true };
    const form = new Form(
      { koa: context, limit: 100_000, limits, claim: { take: () => undefined } } as never,
      terms,
      () => {
        const chunks: Buffer[] = [];
        files.push(chunks);
        return new Writable({
          write: (chunk: Buffer, _encoding, done) => done((chunks.push(Buffer.from(chunk)), null)),
        });
      },
    );
    await form.read();
    context.body = 'read';
  });
  const server = koa.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const request = http.request({
      port: (server.address() as AddressInfo).port,
      method: 'POST',
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Transfer-Encoding': 'chunked' },
    });
    for (const piece of getPieces(body.toString('latin1'), at)) request.write(Buffer.from(piece, 'latin1'));
    request.end();
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    answer.resume();
    return answer.statusCode === 200 ? files.map((chunks) => Buffer.concat(chunks)) : [];
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('a multipart body is taken apart alike in whatever pieces it comes, and its data is kept to the byte', async (t) => {
  const tricky = tuple(uint8Array({ maxLength: 50 }), integer({ min: 0, max: 4 })).map(([bytes, kind]) =>
    Buffer.concat([Buffer.from(['\r\n--', '\r', '\r\n', '--X', ''][kind] as string), bytes]),
  );
  await assert(
    asyncProperty(array(tricky, { minLength: 1, maxLength: 4 }), cuts, async (contents, at) => {
      const safe = [Buffer.from('first'), ...contents.filter((bytes) => !bytes.includes('\r\n--bound'))];
      const body = Buffer.concat([
        ...safe.flatMap((bytes) => [
          Buffer.from('--bound\r\nContent-Disposition: form-data; name="ü"; filename="b"\r\n\r\n'),
          bytes,
          Buffer.from('\r\n'),
        ]),
        Buffer.from('--bound--\r\n'),
      ]);
      const files = await getFiles(body, 'bound', at);
      return files.length === safe.length && files.every((bytes, index) => bytes.equals(safe[index] as Buffer));
    }),
    { numRuns: 300 },
  );
  t.pass();
});

test('a long text loses its percent-encoding as a short one does', (t) => {
  const filler = '%20'.repeat(30_000);
  const coded = oneof(
    string({ unit: 'grapheme' }).map((text) => encodeURIComponent(text)),
    string({ unit: 'grapheme-ascii' }),
    constantFrom('%', '%4', '%zz', '%FF', '%ed%a0%80', '%c0%af', '%EF%BB%BF', '+', 'ä'),
  );
  assert(
    property(array(coded, { maxLength: 4 }), (texts) => {
      const text = texts.join('');
      const short = decodePercent(text);
      const long = decodePercent(text + filler);
      return text === '' || (long.length === 1 ? short === long : long === short + ' '.repeat(30_000));
    }),
    { numRuns: 500 },
  );
  t.pass();
});
