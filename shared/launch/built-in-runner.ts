import type { ChildProcess } from 'node:child_process';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { checkout, inCheckout } from '#launch/runtime.mjs';
import type { Settings } from '#launch/settings.mjs';
import { spawnStep } from '#launch/steps.mjs';

/** Before it is started again; doubled with each time that it ended soon. */
const RESTART_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A runner that went on for so long had a good start. */
const GOOD_START_MS = 60_000;
/** Its jobs have 30 s to end, and then it reports. */
const STOP_MS = 45_000;
/** Exit codes of the runner (`shared/runner/main.ts`) after which another start would not help. */
const NOT_ISOLATED = 77;
const PROBLEM = 'Jobs can not be kept apart from this machine: neither bubblewrap nor user namespaces work here';
const ADVICE = 'Install bubblewrap, or set RUNNER_BUILT_IN=on to run the jobs of trusted projects all the same.';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** The service's own runner, where it has one: a program beside the service that speaks to it as any other does. */
export class BuiltInRunner {
  #child: ChildProcess | null = null;
  #exit: Promise<unknown> = Promise.resolve();
  #pause = RESTART_PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;
  #api: ChildProcess | null = null;
  #url = '';
  #isStopping = false;

  /** @param onChange is called when its process begins or ends */
  constructor(
    private readonly settings: Settings,
    private readonly node: string,
    private readonly onChange: () => void,
  ) {}

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /**
   * Asks the API for a token, unless this machine shall run no jobs. To be called whenever the API got ready: what a
   * former process of it was asked has no answer, and its address may be another one.
   */
  begin(api: ChildProcess | null, url: string): void {
    if (url !== this.#url) this.signal('SIGTERM');
    this.#api = api;
    this.#url = url;
    if (this.#mayRun() && !this.#child) this.#ask();
  }

  /** Starts the program with the token that the API made; null where the instance wants none, undefined where it failed. */
  start(token: string | null | undefined): void {
    if (token === undefined) this.#askLater();
    if (!token || this.#isStopping || this.#child) return;
    const { dataDir, builtInRunner } = this.settings;
    const options = ['--url', this.#url, '--hide', dataDir, '--hide', checkout];
    if (builtInRunner === 'on') options.push('--without-isolation');
    const { PATH, LANG, TZ } = process.env;
    const { child, exit } = spawnStep(this.node, [inCheckout('dist', 'shared', 'runner', 'main.js'), ...options], {
      cwd: '/',
      // Nothing of the service's own environment, where its secrets are.
      env: { PATH, LANG, TZ, HOME: homedir() },
      detached: true,
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    });
    child.stdin?.on('error', () => undefined).end(`${token}\n`);
    this.#child = child;
    const startedAt = Date.now();
    this.#exit = exit.catch(() => 1).then((code) => this.#noteEnd(code, Date.now() - startedAt));
    this.onChange();
  }

  /** Lets its jobs end for a while: the service must still be there to hear of it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), STOP_MS);
    await this.#exit;
    clearTimeout(timer);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  #mayRun(): boolean {
    const { builtInRunner, host } = this.settings;
    if (builtInRunner !== 'auto') return builtInRunner === 'on';
    const external = new URL(process.env.EXTERNAL_URL || this.#url);
    return isLoopback(host) && isLoopback(external.hostname.replaceAll(/^\[|\]$/g, ''));
  }

  #ask(problem?: string): void {
    // One question at a time: each answer makes the token before it worthless.
    clearTimeout(this.#timer);
    if (this.#api?.connected) this.#api.send({ type: 'built-in-runner', problem }, () => undefined);
  }

  #askLater(): void {
    this.#timer = setTimeout(() => this.#isStopping || this.#ask(), this.#pause).unref();
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  #noteEnd(code: number, ranMs: number): void {
    this.#child = null;
    this.onChange();
    if (ranMs >= GOOD_START_MS) this.#pause = RESTART_PAUSE_MS;
    if (this.#isStopping) return;
    if (code === NOT_ISOLATED) {
      console.error(`capstan: the built-in runner does not run. ${PROBLEM}. ${ADVICE}`);
      this.#ask(`${PROBLEM}. ${ADVICE}`);
    } else this.#askLater();
  }
}
