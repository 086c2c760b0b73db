import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import test from 'ava';
import { ArchiveRejected } from '../../../shared/archives/read/archive-rejected.js';
import { readEntries } from '../../../shared/archives/read/entries.js';
import { readJsonRows } from '../../../shared/archives/read/json-lines.js';
import type { JsonLine } from '../../../shared/archives/read/json-lines.js';
import { getArchive, paxRecord, tarEntry, getTar, TAR_END } from './tar-bytes.js';
import type { RawEntry } from './tar-bytes.js';

const MIB = 1024 * 1024;
const limits = { maxBytes: 25_600 * MIB, signal: new AbortController().signal };

/** Names, sizes and rows of an archive. */
async function readAll(source: Readable, overrides: Partial<Parameters<typeof readEntries>[1]> = {}) {
  const names: string[] = [];
  const rows: JsonLine[] = [];
  for await (const entry of readEntries(source, { ...limits, ...overrides })) {
    names.push(entry.name);
    if (entry.name.endsWith('.ndjson')) for await (const row of readJsonRows(entry)) rows.push(row);
  }
  return { names, rows };
}

const inPieces = (bytes: Buffer, size = 64 * 1024): Readable =>
  Readable.from(
    (function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
  );

/** Why an archive is refused; null if it is read to its end. */
async function findRejection(bytes: Buffer | Readable, overrides = {}): Promise<string | null> {
  try {
    await readAll(Buffer.isBuffer(bytes) ? inPieces(bytes) : bytes, overrides);
    return null;
  } catch (error) {
    if (error instanceof ArchiveRejected) return error.message;
    throw error;
  }
}

const findEntryRejection = (...entries: RawEntry[]) => findRejection(getArchive(entries));

test('an archive is read entry by entry, whatever pieces it arrives in', async (t) => {
  const entries = [
    { name: './', type: '5' },
    { name: './VERSION', body: '0.2.4' },
    { name: './tree/', type: '5' },
    { name: './tree/labels.ndjson', body: '{"id":1}\n\n{"id":2}\n[3]\n{"id":4}' },
    { name: 'tree/empty.ndjson' },
    { name: './big.bundle', body: randomBytes(300_000) },
  ];
  const bytes = getArchive(entries);
  for (const size of [97, 4096, bytes.length]) {
    const { names, rows } = await readAll(inPieces(bytes, size));
    t.deepEqual(names, ['VERSION', 'tree/labels.ndjson', 'tree/empty.ndjson', 'big.bundle']);
    t.deepEqual(rows, [
      { line: 1, row: { id: 1 } },
      { line: 3, row: { id: 2 } },
      { line: 4, problem: 'is not an object' },
      { line: 5, row: { id: 4 } },
    ]);
  }
});

test('contents are those of their entry, wherever pieces of the archive end, and what is not read is passed over', async (t) => {
  const bodies = [511, 512, 513, 0, 1, 70_000, 131_072, 12_345].map((size) => randomBytes(size));
  const bytes = getArchive(bodies.map((body, at) => ({ name: `f${at}`, body })));
  for (const size of [97, 1000, bytes.length]) {
    const read: Buffer[] = [];
    for await (const entry of readEntries(inPieces(bytes, size), limits)) {
      const pieces: Buffer[] = [];
      for await (const piece of entry.contents()) {
        pieces.push(piece);
        if (entry.name === 'f6') break;
      }
      read.push(Buffer.concat(pieces));
    }
    for (const [at, body] of bodies.entries()) {
      if (at === 6) t.true(body.subarray(0, read[at]?.length).equals(read[at] as Buffer));
      else t.true(read[at]?.equals(body), `f${at} of pieces of ${size}`);
    }
  }
});

// Contract: group-imports-5.entries
test('links, devices, FIFOs and sparse files are refused', async (t) => {
  t.regex(String(await findEntryRejection({ name: 'a', type: '2', link: '/etc/passwd' })), /symbolic link: "a"/);
  t.regex(String(await findEntryRejection({ name: 'a', type: '1', link: 'b' })), /hard link/);
  t.regex(String(await findEntryRejection({ name: 'a', link: 'b' })), /a link/);
  t.regex(String(await findEntryRejection({ name: 'a', type: '3' })), /device/);
  t.regex(String(await findEntryRejection({ name: 'a', type: '4' })), /device/);
  t.regex(String(await findEntryRejection({ name: 'a', type: '6' })), /FIFO/);
  t.regex(String(await findEntryRejection({ name: 'a', type: 'S' })), /sparse/);
  t.regex(String(await findEntryRejection({ name: 'a', type: 'K', body: 'b' })), /long link name/);
  t.regex(String(await findEntryRejection({ name: 'a', type: 'Z' })), /unknown kind/);
});

test('extended headers may not override a size, a link or a name that the plain header has room for', async (t) => {
  const pax = (key: string, value: string, type = 'x') => ({ name: 'PaxHeader/a', type, body: paxRecord(key, value) });
  const file = { name: 'a', body: 'text' };
  t.regex(String(await findEntryRejection(pax('size', '0'), file)), /sets "size"/);
  t.regex(String(await findEntryRejection(pax('linkpath', '/etc'), file)), /sets "linkpath"/);
  t.regex(String(await findEntryRejection(pax('GNU.sparse.size', '9'), file)), /GNU.sparse/);
  t.regex(String(await findEntryRejection(pax('SCHILY.realsize', '9'), file)), /SCHILY.realsize/);
  t.regex(String(await findEntryRejection(pax('path', 'tree/groups/1.json'), file)), /needs none/);
  t.regex(String(await findEntryRejection(pax('path', `${'ü'.repeat(60)}\0`), file)), /control character/);
  t.regex(String(await findEntryRejection(pax('path', `../${'a'.repeat(120)}`), file)), /"\.\."/);
  t.regex(String(await findEntryRejection(pax('path', 'a'.repeat(120), 'g'), file)), /one name for all/);
  t.regex(String(await findEntryRejection({ name: 'p', type: 'x', body: '999 path=a\n' }, file)), /damaged/);
  t.regex(
    String(await findEntryRejection({ name: 'p', type: 'x', body: Buffer.alloc(70_000, 0x20) }, file)),
    /too long/,
  );
  t.regex(String(await findEntryRejection(pax('mtime', '1'))), /cut off/);
  const long = { name: '././@LongLink', type: 'L', body: `${'n'.repeat(120)}\0` };
  t.is(await findEntryRejection(pax('mtime', '1.5'), file), null);
  t.is(await findEntryRejection(long, file), null);
  t.regex(String(await findEntryRejection(long, long, file)), /twice/);
  t.regex(String(await findEntryRejection({ ...long, body: 'tree/x\0' }, file)), /needs none/);
});

test('names that lead elsewhere or could mean two things are refused', async (t) => {
  const bad: [string | Buffer, RegExp][] = [
    ['/etc/passwd', /absolute/],
    ['../a', /"\.\."/],
    ['./tree/../../a', /"\.\."/],
    ['a\\b', /backslash/],
    ['a\nb', /control character/],
    [Buffer.from('a\0b'), /NUL/],
    ['a//b', /unusual/],
    ['a/./b', /unusual/],
  ];
  for (const [name, expected] of bad) t.regex(String(await findEntryRejection({ name })), expected, String(name));
  const longest = { name: 'n'.repeat(100), prefix: 'p'.repeat(154) };
  t.is(await findEntryRejection(longest), null);
  t.regex(String(await findEntryRejection({ ...longest, prefix: 'p'.repeat(155) })), /longer than 255 bytes/);
  t.regex(String(await findEntryRejection({ name: './a' }, { name: 'a' })), /two entries of one name/);
});

test('an entry of an impossible size is refused', async (t) => {
  t.regex(String(await findEntryRejection({ name: 'a', size: '-1' })), /impossible size/);
  t.regex(String(await findEntryRejection({ name: 'a', size: 'NaN' })), /impossible size/);
  t.regex(String(await findEntryRejection({ name: 'a/', type: '5', size: 512, body: 'x' })), /impossible size/);
  t.regex(String(await findEntryRejection({ name: 'a', size: 0o77777777777 })), /cut off/);
});

// Contract: group-imports-5.gzip
test('what is no whole gzip-compressed tar file is refused', async (t) => {
  const bytes = getArchive([
    { name: 'VERSION', body: '0.2.4' },
    { name: 'noise', body: randomBytes(60_000) },
  ]);
  for (let at = 10_000; at < bytes.length; at += 10_000)
    t.regex(String(await findRejection(bytes.subarray(0, at))), /cut off/);
  t.regex(String(await findRejection(bytes.subarray(0, -1))), /cut off/);
  for (const garbage of [Buffer.from('x'), Buffer.from('\0\0\0x'), Buffer.alloc(200_000), randomBytes(200_000)])
    t.regex(String(await findRejection(Buffer.concat([bytes, garbage]))), /behind its end/);
  t.regex(String(await findRejection(gzipSync(bytes))), /compressed twice/);
  t.regex(String(await findRejection(Buffer.from('PK\u0003\u0004 a zip file'))), /not compressed by gzip/);
  t.regex(String(await findRejection(getTar([{ name: 'a' }]))), /not compressed by gzip/);
  t.regex(String(await findRejection(gzipSync('text'.repeat(200)))), /not a tar file/);
  t.regex(String(await findRejection(Buffer.alloc(0))), /cut off/);
  const damaged = Buffer.from(bytes);
  damaged[bytes.length - 6] = (damaged[bytes.length - 6] as number) ^ 1;
  t.regex(String(await findRejection(damaged)), /damaged/);
  t.regex(String(await findRejection(gzipSync(getTar([{ name: 'a' }], Buffer.alloc(0))))), /cut off/);
  t.regex(
    String(await findRejection(gzipSync(getTar([{ name: 'a' }], Buffer.concat([TAR_END, tarEntry({ name: 'b' })]))))),
    /behind its end/,
  );
});

/** A gzip file of an endless stream of one block. */
function endless(first: Buffer, block: Buffer): Readable {
  const gzip = createGzip({ level: 9 });
  const source = Readable.from(
    (function* blocks() {
      yield first;
      for (;;) yield block;
    })(),
  );
  gzip.on('close', () => source.destroy());
  return source.pipe(gzip);
}

// Contract: group-imports-5.sizes
test('bombs without an end are read no further: by size, by ratio, by the number of entries, by one line', async (t) => {
  const file = tarEntry({ name: 'a', size: 8_000_000_000 });
  const zeros = Buffer.alloc(MIB);
  t.is(
    await findRejection(endless(file, zeros), { maxBytes: 20 * MIB }),
    'Decompressed archive size validation failed.',
  );
  t.is(await findRejection(endless(file, zeros)), 'Decompressed archive size validation failed.');
  t.is(await findRejection(endless(TAR_END, zeros)), 'Decompressed archive size validation failed.');
  t.is(
    await findRejection(endless(file, randomBytes(MIB)), { maxMs: 50 }),
    'Decompressed archive size validation failed.',
  );
  const line = tarEntry({ name: 'a.ndjson', size: 8_000_000_000 });
  t.regex(String(await findRejection(endless(line, Buffer.alloc(MIB, 'ab')))), /line that is too long/);
  const many = gzipSync(
    Buffer.concat([...Array.from({ length: 100_001 }, (_, at) => tarEntry({ name: `f${at}` })), TAR_END]),
  );
  t.regex(String(await findRejection(many)), /more than 100000 entries/);
});

// Contract: group-imports-5.json
test('lines that would cost too much are passed over with a reason', async (t) => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`;
  const lines = [
    nested(100),
    nested(101),
    keys(1000),
    keys(700_000),
    '{"__proto__":{"admin":true},"constructor":1}',
    '{"a":NaN}',
    '{"a":"\\"{[:"}',
  ];
  const body = Buffer.concat([Buffer.from(`${lines.join('\n')}\n{"a":"`), Buffer.from([0xff]), Buffer.from('"}\n')]);
  const { rows } = await readAll(inPieces(getArchive([{ name: 'a.ndjson', body }])));
  const problems = rows.map((row) => ('problem' in row ? row.problem : 'read'));
  t.deepEqual(problems, [
    'read',
    'is nested deeper than 100',
    'read',
    'has an object of more than 1000 attributes',
    'read',
    'is not valid JSON',
    'read',
    'is not valid JSON',
  ]);
  t.is(({} as { admin?: boolean }).admin, undefined);
});

test('an abort signal ends the reading and closes the source', async (t) => {
  const controller = new AbortController();
  const source = endless(tarEntry({ name: 'a', size: 8_000_000_000 }), randomBytes(MIB));
  const reading = readAll(source, { signal: controller.signal });
  setImmediate(() => controller.abort(new Error('stopped')));
  await t.throwsAsync(reading, { message: 'stopped' });
  t.true(source.destroyed);
});

/** The archive's one file of lines: `count` times a text, with a beginning and an end. */
const repeated = (before: string, text: string, count: number, after: string): Buffer =>
  getArchive([{ name: 'tree/a.ndjson', body: Buffer.from(`{"id":1}\n${before}${text.repeat(count)}${after}\n`) }]);

/** Where an archive is rejected, why, and how many rows came before. */
async function rejection(bytes: Buffer, overrides: Partial<Parameters<typeof readEntries>[1]> = {}) {
  const rows: JsonLine[] = [];
  try {
    for await (const entry of readEntries(inPieces(bytes), { ...limits, ...overrides }))
      for await (const row of readJsonRows(entry)) rows.push(row);
    return null;
  } catch (error) {
    if (!(error instanceof ArchiveRejected)) throw error;
    return { message: error.message, ...error.location, rows: rows.length };
  }
}

// Contract: group-imports-5.values
test('values and elements of a line are counted while it arrives, wherever they stand', async (t) => {
  const location = { file: 'tree/a.ndjson', line: 2, rows: 1 };
  const elements = { ...location, message: 'The archive has a line of more than 50000 elements.' };
  const values = { ...location, message: 'The archive has a line of more than 500000 values.' };
  t.deepEqual(await rejection(repeated('{"notes":[{}', ',{}', 3_400_000, ']}')), elements);
  t.deepEqual(await rejection(repeated('{"notes":[{"a":[1]}', ',{"a":[1]}', 25_000, ']}')), elements);
  t.deepEqual(await rejection(repeated('[[]', ' , [ ]', 50_000, ']')), elements);
  t.deepEqual(await rejection(repeated('{"notes":[[]', ',1', 50_001, '')), elements);
  const objects = `,{${Array.from({ length: 20 }, (_, at) => `"k${at}":"\\\\\\"[,"`).join()}}`;
  t.deepEqual(await rejection(repeated('{"notes":[{}', objects, 25_000, ']}')), values);
  t.is(await rejection(repeated('{"notes":[{}', ',{ }', 49_999, ']}')), null);
  t.is(await rejection(repeated('{"notes":[{}', objects, 23_000, ']}')), null);
  t.is(await rejection(repeated('{"text":"', '[{,":"'.replaceAll('"', '\\"'), 500_000, '"}')), null);
});

// Contract: group-imports-5.values
test('values of a file are counted over its lines, and those of an archive over its files', async (t) => {
  const body = '{"a":[1,2,3]}\n'.repeat(4);
  const mostValues = { line: 100, file: 20, archive: 30 };
  const file = (name: string, of: string) => ({ name, body: of });
  const rejectFiles = (...files: RawEntry[]) => rejection(getArchive(files), { mostValues });
  t.is(await rejectFiles(file('a', body)), null);
  const inFile = { file: 'a', line: 5, message: 'The archive has a file of more than 20 values.', rows: 4 };
  t.deepEqual(await rejectFiles(file('a', body + body)), inFile);
  const inArchive = { file: 'b', line: 3, message: 'The archive has more than 30 values.', rows: 6 };
  t.deepEqual(await rejectFiles(file('a', body), file('b', body)), inArchive);
});
