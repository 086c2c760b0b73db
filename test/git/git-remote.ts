import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import * as net from 'node:net';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ExecutionContext } from 'ava';
import { gitEnvironment } from '../../shared/git/index.js';
import { commitOn, emptyRepository, file } from './git-fixture.js';

/** A repository with branches `trunk` (its HEAD) and `side` and the tag `v1`. */
export async function remoteRepository(t: ExecutionContext): Promise<string> {
  const repository = await emptyRepository(t);
  const first = await commitOn(repository, null, [file('README.md', '# From elsewhere\n')], { branch: 'trunk' });
  await commitOn(repository, first, [file('side.txt')], { branch: 'side' });
  const run = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { env: gitEnvironment() });
  run('symbolic-ref', 'HEAD', 'refs/heads/trunk');
  run('-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', 'tag', '-a', 'v1', '-m', 'First', first);
  return repository;
}

async function listen(t: ExecutionContext, server: net.Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

/** A web server for one test. @returns its URL */
export async function webServer(t: ExecutionContext, listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server: Server = createServer(listener);
  t.teardown(() => server.closeAllConnections());
  return `http://${host}:${await listen(t, server, host)}`;
}

/**
 * Unlike a pipeline, leaves the source open when the target closes, because a response may still be in progress; the
 * remaining data is read and dropped, so that the source reaches its end.
 */
function pour(source: Readable, target: Writable): void {
  target.on('error', () => undefined).on('close', () => source.unpipe(target).resume());
  source.on('error', () => target.destroy()).pipe(target);
}

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;

/**
 * A ref that a server stores under one full name and advertises under another, possibly one that git itself would
 * reject.
 */
export interface Renamed {
  storedName: string;
  advertisedName: string;
}

/** Replaces one name with another. Both must have the same length, because lines are sent with their lengths. */
function renaming(from: string, to: string): Transform {
  if (Buffer.byteLength(from) !== Buffer.byteLength(to)) throw new Error(`${from} is not as long as ${to}.`);
  const bytes = (name: string) => Buffer.from(name).toString('latin1');
  const pieces: Buffer[] = [];
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
    flush(done) {
      const text = Buffer.concat(pieces).toString('latin1').replaceAll(bytes(from), bytes(to));
      done(null, Buffer.from(text, 'latin1'));
    },
  });
}

/** Answers as a git server does that speaks the "smart" protocol, with git itself behind it. */
export function serveGit(
  repository: string,
  request: IncomingMessage,
  response: ServerResponse,
  renamed?: Renamed,
): void {
  const advertises = request.method === 'GET';
  const args = ['upload-pack', '--stateless-rpc', ...(advertises ? ['--http-backend-info-refs'] : []), repository];
  const env = { ...gitEnvironment(), GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') };
  const git = spawn('git', args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const kind = advertises ? 'advertisement' : 'result';
  response.writeHead(200, { 'Content-Type': `application/x-git-upload-pack-${kind}` });
  if (advertises) response.write(`${packet('# service=git-upload-pack\n')}0000`);
  const zipped = request.headers['content-encoding'] === 'gzip';
  const body = zipped ? request.pipe(createGunzip()) : request;
  pour(renamed ? body.pipe(renaming(renamed.advertisedName, renamed.storedName)) : body, git.stdin);
  pour(renamed ? git.stdout.pipe(renaming(renamed.storedName, renamed.advertisedName)) : git.stdout, response);
}

/** A server of the `git:` protocol. @returns its port; the requested host names are added to `hosts` */
export async function gitDaemon(t: ExecutionContext, repository: string, hosts: string[]): Promise<number> {
  const server = net.createServer((socket) => {
    let request = Buffer.alloc(0);
    // The request may arrive in any number of pieces; its first four digits are its length.
    const read = (piece: Buffer) => {
      request = Buffer.concat([request, piece]);
      const length = parseInt(request.toString('latin1', 0, 4), 16);
      if (request.length < 4 || request.length < length) return;
      socket.off('data', read);
      hosts.push(/\0host=([^\0]*)\0/.exec(request.toString())?.[1] ?? '');
      const git = spawn('git', ['upload-pack', repository], {
        env: gitEnvironment(),
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      git.stdin.write(request.subarray(length));
      pour(socket, git.stdin);
      pour(git.stdout, socket);
    };
    socket.on('data', read);
    socket.on('error', () => undefined);
  });
  return listen(t, server);
}
