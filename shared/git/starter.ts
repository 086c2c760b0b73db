import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  ProcessExit,
  FromStarter,
  InputOffer,
  NotStarted,
  Started,
  StartRequest,
  ToStarter,
} from './starter-messages.js';

/** The caller writes git's input as it arrives. */
export const STREAMED = Symbol('streamed');

interface GitEvents {
  /** It runs. */
  spawn: [];
  /** It could not be started. */
  error: [Error];
  /** It ended, or never ran. */
  exit: [];
  /** It ended, and all that it printed was read. */
  close: [exitCode: number | null];
}

/** A git process, as a child of this one would be. */
export class GitProcess extends EventEmitter<GitEvents> {
  /** Its standard output. */
  readonly output: Socket;
  /** Its standard input where that is written as it comes, once it runs. */
  readonly input: Socket | null = null;
  /** The beginning of its standard error, once it has ended. */
  stderr = '';
  /** The signal that ended it, if any. */
  signal: NodeJS.Signals | null = null;
  #pid: number | undefined;
  #exitCode: number | null = null;
  #hasExited = false;
  #read = false;
  #killedBy: NodeJS.Signals | undefined;

  constructor(
    address: string,
    private readonly request: StartRequest,
    input: WhatToStart['input'],
    private readonly send: (message: ToStarter) => void,
    onLost: () => void,
  ) {
    super();
    this.output = connect({ path: address, allowHalfOpen: true });
    this.output.write(`${JSON.stringify(request)}\n`);
    this.output.on('error', (error) => {
      if (this.#pid !== undefined || this.#hasExited) return;
      onLost();
      this.hear({ id: request.id, error: error.message });
    });
    this.output.once('close', () => this.#outputRead());
    this.output.once('end', () => this.#outputRead());
    if (request.hasInput) this.input = this.#offer(address, input);
  }

  /** A connection of its own: git may end without reading it all, which must not end the one that is read. */
  #offer(address: string, input: WhatToStart['input']): Socket {
    const socket = connect({ path: address, allowHalfOpen: true });
    // The exit code shows why git did not read its input.
    socket.on('error', () => {});
    socket.write(`${JSON.stringify({ inputOf: this.request.id } satisfies InputOffer)}\n`);
    // What came earlier would be read by who starts it.
    if (input !== STREAMED) this.once('spawn', () => socket.end(input ?? ''));
    this.once('error', () => socket.destroy());
    this.once('close', () => socket.destroy());
    return socket;
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Also before it runs: it is ended then as soon as it does. */
  kill(signal: NodeJS.Signals): void {
    if (this.#hasExited) return;
    this.#killedBy = signal;
    if (this.#pid !== undefined) this.send({ id: this.request.id, signal });
  }

  /** Handles a message of the starter about this process. */
  hear(message: Started | NotStarted | ProcessExit): void {
    if ('pid' in message) {
      this.#pid = message.pid;
      if (this.#killedBy) this.kill(this.#killedBy);
      this.emit('spawn');
    } else if ('error' in message) {
      this.#hasExited = true;
      this.output.destroy();
      this.emit('exit');
      this.emit('error', Object.assign(new Error(`git: ${message.error}`), { code: message.error }));
    } else {
      this.#hasExited = true;
      this.#exitCode = message.exitCode;
      this.signal = message.signal;
      this.stderr = message.stderr;
      this.emit('exit');
      this.#close();
    }
  }

  #outputRead(): void {
    this.#read = true;
    this.#close();
  }

  #close(): void {
    if (!this.#hasExited || !this.#read) return;
    this.#read = false;
    this.output.destroy();
    this.emit('close', this.#exitCode);
  }
}

export interface WhatToStart extends Omit<StartRequest, 'id' | 'hasInput'> {
  /** What it reads on its standard input; none when left out. */
  input?: string | Buffer | typeof STREAMED | undefined;
}

const script = fileURLToPath(new URL('./starter-process.js', import.meta.url));

/**
 * Starts git outside this process. While node starts a process it blocks until the new one runs its program:
 * milliseconds for a large process, many more on a busy machine. A small process does it instead, and passes git a
 * connection to this one: content does not pass through it.
 */
class Starter {
  readonly #child: ChildProcess;
  readonly address: Promise<string>;
  readonly #running = new Map<number, GitProcess>();
  #sequence = 0;
  #lost = false;

  /** @param onLost called when it starts nothing more: another one is needed */
  constructor(private readonly onLost: () => void) {
    this.#child = fork(script, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
    this.address = new Promise((resolve, reject) => {
      this.#child.on('error', (error) => {
        // It never ran: another one may.
        onLost();
        reject(error);
      });
      this.#child.once('exit', () => reject(new Error('The process that starts git has ended.')));
      this.#child.on('message', (message: FromStarter) => {
        if ('address' in message) resolve(message.address);
        else this.#hear(message);
        this.#rest();
      });
    });
    this.address.catch(() => {});
    this.#child.once('exit', () => {
      onLost();
      // Killed, it leaves its folder behind.
      void this.address
        .then((address) => rmSync(path.dirname(address), { recursive: true, force: true }))
        .catch(() => {});
      for (const id of this.#running.keys()) this.#hear({ id, exitCode: null, signal: 'SIGKILL', stderr: '' });
    });
    // Its channel keeps this process alive, while git runs.
    this.#child.unref();
  }

  /** @param address the address that it listens on */
  start(address: string, { input, ...what }: WhatToStart): GitProcess {
    const id = (this.#sequence += 1);
    const send = (message: ToStarter) => {
      // Its exit reports why it is disconnected.
      if (this.#child.connected) this.#child.send(message, () => undefined);
    };
    const request = { id, hasInput: input !== undefined, ...what };
    const started = new GitProcess(address, request, input, send, () => this.#lose(id));
    this.#running.set(id, started);
    this.#child.channel?.ref();
    return started;
  }

  /** It can no longer be reached, for example because its socket was removed. Running processes may finish. */
  #lose(id: number): void {
    this.onLost();
    this.#running.delete(id);
    this.#lost = true;
    this.#rest();
  }

  #rest(): void {
    if (this.#running.size > 0) return;
    if (this.#lost && this.#child.connected) this.#child.disconnect();
    this.#child.channel?.unref();
  }

  #hear(message: Started | NotStarted | ProcessExit): void {
    const process = this.#running.get(message.id);
    if (!('pid' in message)) this.#running.delete(message.id);
    process?.hear(message);
  }
}

/** A starter that is created on first use, and replaced if it is gone. */
export function gitStarter(): (what: WhatToStart) => Promise<GitProcess> {
  let starter: Starter | undefined;
  return async (what) => {
    const used: Starter = (starter ??= new Starter(() => {
      if (starter === used) starter = undefined;
    }));
    return used.start(await used.address, what);
  };
}

/** Starts git without a shell; the environment is all that it has. @throws Error when the starter does not start */
export const startBeside = gitStarter();
