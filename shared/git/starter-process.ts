import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { getPriority, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { limitedCommand } from './process-limits.js';
import type { FromStarter, InputOffer, StartRequest, ToStarter } from './starter-messages.js';

/*
 * The process that starts git for a large one (starter.ts explains the reason). It is small, so that a start is fast,
 * and handles no content: git gets the connection itself as its standard input and output.
 */

/** Maximum bytes of git's standard error to keep. */
const STDERR_BYTES = 16 * 1024;
/** How long to wait for the standard error after the exit. */
const STDERR_WAIT_MS = 200;

/** Processes by the id of their request, for killing them and reporting their exit. */
const running = new Map<number, ChildProcess>();
/** Connections of processes not started yet, and those of them that wait for their counterpart. */
const starting = new Set<Socket>();
const requests = new Map<number, { request: StartRequest; output: Socket }>();
const inputs = new Map<number, Socket>();

const send = (message: FromStarter) => {
  // A parent that has exited needs no message.
  if (process.connected) process.send!(message, undefined, {}, () => undefined);
};

/**
 * Relative to the priority of this process: without root privileges it cannot be raised. A process that has already
 * exited needs none.
 */
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

/**
 * Each connection begins with a line that describes the process to start. Further data follows only once it has
 * started.
 */
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
 * A folder for the socket, whose path must be short. TMPDIR may belong to another user: the service may be started as
 * root and run as a different user.
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

// The starter ends with its parent, which may still finish its requests when both get a stop signal. Running processes
// continue: git ends when its output is no longer read, and its writes should be completed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => {
  end();
  process.exit(0);
});
process.on('message', ({ id, signal }: ToStarter) => running.get(id)?.kill(signal));

const address = path.join(folder, 'socket');
// The folder's mode is 0700: other users cannot connect.
server.listen(address, () => send({ address }));
