import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { TestApp } from '../../core/app.js';
import { rawRequest } from '../../core/raw-http.js';
import { basic } from './git-client.js';

export const NONE = '0'.repeat(40);
export const PUSH_TYPE = { 'Content-Type': 'application/x-git-receive-pack-request' };

/** A line of git's protocol, of bytes. */
export function line(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4, ofs: 6, ref: 7 };

/** An entry of a pack: its content, or for a delta what it builds on and how. `size` is what it claims. */
export function entry(
  type: keyof typeof TYPES,
  content: Buffer,
  base: Buffer = Buffer.alloc(0),
  size = content.length,
) {
  const head = [(TYPES[type] << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head[head.length - 1]! |= 128;
    head.push(rest & 127);
  }
  return Buffer.concat([Buffer.from(head), base, deflateSync(content)]);
}

/** A pack of entries, optionally with a wrong count. */
export function getPack(entries: readonly Buffer[], count = entries.length): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  const body = Buffer.concat([head, ...entries]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

export const EMPTY_PACK = getPack([]);

export const getId = (type: string, content: Buffer): string =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');

/** A commit of a tree. */
export const getCommit = (tree: string, parents: readonly string[] = [], message = 'Forged\n'): Buffer =>
  Buffer.from(
    `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join('')}author A <a@b.c> 1700000000 +0000\ncommitter A <a@b.c> 1700000000 +0000\n\n${message}`,
  );

/** A tree of entries: mode, name and id. */
export const getTree = (...entries: readonly (readonly [string, string, string])[]): Buffer =>
  Buffer.concat(entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]));

/** A ref update: name, new id, old id. */
export type Command = readonly [ref: string, to: string, from?: string];

export const getCommands = (commands: readonly Command[], capabilities = 'report-status'): Buffer =>
  Buffer.concat([
    ...commands.map(([ref, to, from = NONE], index) =>
      line(`${from} ${to} ${ref}${index === 0 ? `\0${capabilities}` : ''}`),
    ),
    Buffer.from('0000'),
  ]);

export interface PushAnswer {
  status: number;
  text: string;
  /** `ok`, or why not. */
  unpack: string | undefined;
  /** `ok`, or why not, by ref. */
  refs: Record<string, string>;
}

/** Parses a report without side-band. */
function readReport(status: number, text: string): PushAnswer {
  const refs: Record<string, string> = {};
  let unpack: string | undefined;
  for (let at = 0; at + 4 <= text.length;) {
    const length = parseInt(text.slice(at, at + 4), 16);
    const said = text.slice(at + 4, at + length).trimEnd();
    at += Math.max(length || 4, 4);
    const [, word, ref, why] = /^(unpack|ok|ng) (\S+) ?(.*)$/.exec(said) ?? [];
    if (word === 'unpack') unpack = said.slice('unpack '.length);
    else if (ref !== undefined) refs[ref] = word === 'ok' ? 'ok' : (why ?? '');
  }
  return { status, text, unpack, refs };
}

/** Pushes without the git program. */
export async function rawPush(
  app: TestApp,
  project: { full_path: string },
  as: { token: string },
  commands: readonly Command[] | Buffer,
  how: {
    pack?: Buffer;
    username?: string;
    headers?: Record<string, string>;
    capabilities?: string;
    body?: (plain: Buffer) => Buffer;
  } = {},
): Promise<PushAnswer> {
  const { pack = EMPTY_PACK, username = 'x', headers = {}, capabilities, body = (plain: Buffer) => plain } = how;
  const said = Buffer.isBuffer(commands) ? commands : getCommands(commands, capabilities);
  const deletes = !Buffer.isBuffer(commands) && commands.every(([, to]) => to === NONE);
  const { status, text } = await rawRequest(app.url, {
    method: 'POST',
    path: `/${project.full_path}.git/git-receive-pack`,
    headers: { ...PUSH_TYPE, ...basic(username, as.token), ...headers },
    body: body(deletes ? said : Buffer.concat([said, pack])),
  });
  return readReport(status, text);
}
