import { spawn } from 'node:child_process';

import { badConfiguration } from './entry.mjs';
import { identify } from './process-identity.mjs';
import { exitCode } from './run-step.mjs';

const firstPause = 200;
const longestPause = 10_000;
const healthyAfter = 30_000;
const startsBeforeGivingUp = 3;

/**
 * One process of the service that is kept running: started again when it ends by itself, each time after a longer pause until it has
 * run for half a minute.
 */
export class Child {
  /**
   * @param {{ name: string, node: string, script: string, env: NodeJS.ProcessEnv, cwd: string,
   *   user: { uid: number, gid: number } | null,
   *   onSocketWanted?: (process: import('node:child_process').ChildProcess) => void,
   *   onReady: (child: Child, message: { url?: string }) => void, onChange: () => void, onGiveUp: (code: number) => void }} options
   *   `onGiveUp` hears of an end after which another start is useless
   */
  constructor(options) {
    this.options = options;
    this.pause = firstPause;
    this.starts = 0;
    this.everReady = false;
    this.stopping = false;
    this.renewing = false;
    this.process = null;
    this.identity = null;
    this.ended = Promise.resolve();
    this.start();
  }

  start() {
    const { node, script, env, cwd, user } = this.options;
    const startedAt = Date.now();
    this.starts += 1;
    // Its own session, so that a Ctrl-C in the terminal comes once, from us.
    const child = spawn(node, [script], {
      ...user,
      env,
      cwd,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.process = child;
    this.identity = child.pid ? identify(child.pid) : null;
    child.on('message', (message) => this.hear(message));
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => this.leave(startedAt, 1, error.message, resolve));
      child.once('exit', (code, signal) =>
        this.leave(startedAt, exitCode(code, signal), signal ?? `code ${code}`, resolve),
      );
    });
    this.options.onChange();
  }

  /** Ends the process, and starts it anew at once when it has ended. What it has in hand may take a second. */
  restart() {
    this.renewing = true;
    const { process } = this;
    if (!process) return this.recoverNow();
    process.kill('SIGTERM');
    setTimeout(() => process.kill('SIGKILL'), 1000).unref();
  }

  recoverNow() {
    clearTimeout(this.timer);
    this.renewing = false;
    this.pause = firstPause;
    this.starts = 0;
    this.start();
  }

  /** Passes a signal on; the process is not started again. */
  stop(signal) {
    this.stopping = true;
    clearTimeout(this.timer);
    this.process?.kill(signal);
  }

  hear(message) {
    if (message?.type === 'socket') this.options.onSocketWanted?.(this.process);
    if (message?.type !== 'ready') return;
    this.everReady = true;
    this.options.onReady(this, message);
  }

  leave(startedAt, code, how, resolve) {
    if (!this.process) return;
    this.process = null;
    this.identity = null;
    this.options.onChange();
    if (!this.stopping && this.renewing) this.recoverNow();
    else if (!this.stopping) this.recover(startedAt, code, how);
    resolve();
  }

  recover(startedAt, code, how) {
    const { name, onGiveUp } = this.options;
    const hopeless = code === badConfiguration || (!this.everReady && this.starts >= startsBeforeGivingUp);
    if (hopeless) {
      console.error(`capstan: ${name} ended (${how}) before it was ready; giving up.`);
      onGiveUp(code || 1);
      return;
    }
    if (Date.now() - startedAt >= healthyAfter) this.pause = firstPause;
    console.error(`capstan: ${name} ended (${how}); starting it again in ${this.pause / 1000} s.`);
    this.timer = setTimeout(() => this.start(), this.pause);
    this.pause = Math.min(this.pause * 2, longestPause);
  }
}
