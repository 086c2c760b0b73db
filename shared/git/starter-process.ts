import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { getPriority, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { limitedCommand } from './process-limits.js';
import type { FromStarter, InputOffer, StartRequest, ToStarter } from './starter-messages.js';

/*
 * The process that starts git for a large one (starter.ts says why). It is small, so that a start is quick, and touches
 * no content: git is given the connection itself as its standard input and output.
 */

/** Most bytes that are kept of what git says beside its output. */
const STDERR_BYTES = 16 * 1024;
/** How long what it said is waited for once it has ended. */
const STDERR_WAIT_MS = 200;

/** What is to be killed, and asked for its exit, by the id of its request. */
const running = new Map<number, ChildProcess>();
/** Connections of what is not started yet, and those of them that wait for their counterpart. */
const starting = new Set<Socket>();
const requests = new Map<number, { request: StartRequest; output: Socket }>();
const inputs = new Map<number, Socket>();

const send = (message: FromStarter) => {
  // Who is gone needs no answer.
  if (process.connected) process.send!(message, undefined, {}, () => undefined);
};

/** Counted from that of this process: who is not root may not raise it. What has ended already needs none. */
function lower(pid: number, niceness: number): void {
  try {
    setPriority(pid, Math.min(getPriority(0) + niceness, 19));
  } catch {
    // It is a preference: git runs without it too.
  }
}

function start({ id, args, env, niceness, limits }: StartRequest, input: Socket | 'ignore', output: Socket): void {
  const [program, all] = limits ? limitedCommand(args, limits) : ['git', args];
  const child = spawn(program, all, { cwd: '/', env, stdio: [input, output, 'pipe'], windowsHide: true });
  // git has the connections now.
  output.destroy();
  if (input !== 'ignore') input.destroy();
  let stderr = '';
  child.once('error', (error) => send({ id, error: (error as NodeJS.ErrnoException).code ?? error.message }));
  if (child.pid === undefined) return;
  lower(child.pid, niceness);
  running.set(id, child);
  send({ id, pid: child.pid });
  child.stderr!.on('data', (chunk: Buffer) => {
    if (stderr.length < STDERR_BYTES) stderr += chunk.toString('utf8');
  });
  child.once('exit', (exitCode, signal) => {
    running.delete(id);
    let isReported = false;
    const reportExit = () => {
      if (!isReported) send({ id, exitCode, signal, stderr });
      isReported = true;
      clearTimeout(timer);
      child.stderr!.destroy();
    };
    // What git started itself may live on and keep this open: the end of git is what counts.
    const timer = setTimeout(reportExit, STDERR_WAIT_MS);
    if (child.stderr!.readableEnded || child.stderr!.destroyed) reportExit();
    else child.stderr!.once('close', reportExit);
  });
}

/** Starts what has both of its connections. */
function startIfComplete(id: number): void {
  const pending = requests.get(id);
  const input = pending?.request.hasInput === false ? 'ignore' : inputs.get(id);
  if (!pending || !input) return;
  requests.delete(id);
  inputs.delete(id);
  start(pending.request, input, pending.output);
}

/** Each connection begins with a line that says what to start. More comes only once it is started. */
const server = createServer({ allowHalfOpen: true }, (socket) => {
  let text = '';
  starting.add(socket);
  socket.setEncoding('utf8');
  socket.once('close', () => starting.delete(socket));
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (!text.endsWith('\n')) return;
    socket.removeAllListeners('data');
    socket.pause();
    const begun = JSON.parse(text) as StartRequest | InputOffer;
    const id = 'inputOf' in begun ? begun.inputOf : begun.id;
    if ('inputOf' in begun) inputs.set(id, socket);
    else requests.set(id, { request: begun, output: socket });
    startIfComplete(id);
  });
});

/**
 * A folder for the socket, whose path must be short. TMPDIR may be another user's: whoever starts the service as root
 * and lets it run as somebody else need not think of it.
 */
function ownFolder(): string {
  let problem: unknown;
  for (const parent of [tmpdir(), '/tmp', '/var/tmp', '/dev/shm']) {
    try {
      return mkdtempSync(path.join(parent, 'capstan-git-'));
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

const folder = ownFolder();

function end(): void {
  server.close();
  for (const socket of starting) socket.destroy();
  rmSync(folder, { recursive: true, force: true });
}

// It ends with its parent, which may still finish its requests when both are told to stop. What runs goes on: git ends
// when nobody reads what it prints, and what it writes is to be done as a whole.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => {
  end();
  process.exit(0);
});
process.on('message', ({ id, signal }: ToStarter) => running.get(id)?.kill(signal));

const address = path.join(folder, 'socket');
// 0700 is the folder's mode: nobody else connects.
server.listen(address, () => send({ address }));
