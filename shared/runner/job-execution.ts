import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryOf } from './isolation.js';
import type { Isolation, JobDirectories } from './isolation.js';
import { removeTree, writeFresh } from './job-files.js';
import { JobTrace } from './job-trace.js';
import type { JobPayload, JobResult, JobStep, ServiceClient } from './protocol.js';
import { coloured, commandLines, scriptHead, sectionEnd, sectionStart } from './script.js';
import { JobShell } from './shell.js';
import type { ShellEnd } from './shell.js';
import { sourcesScript } from './sources.js';
import { JobVariables, readDuration } from './variables.js';

const AFTER_SCRIPT_MS = 300_000;
/** How often a service may ask for the whole log again. */
const RESENDS = 3;
/** How long a service may take to accept the end of a job. */
const FINAL_MS = 300_000;
const RED = '31;1';
const YELLOW = '33;1';

/** Where and how jobs of one runner run. */
export interface Workplace {
  /** An absolute path. */
  directory: string;
  isolation: Isolation;
  shell: string;
  version: string;
}

/** What ended a job early. */
type Stop = 'canceling' | 'lost' | 'interrupted';

/** One job, from its payload to its final report. */
export class JobExecution {
  readonly #variables: JobVariables;
  readonly #directories: JobDirectories;
  readonly #log: JobTrace;
  readonly #shell: JobShell;
  readonly #stop = new AbortController();
  /** Ends even what runs after a cancel. */
  readonly #end = new AbortController();
  readonly #deadline: number;
  #stoppedFor: Stop | null = null;

  constructor(
    private readonly client: ServiceClient,
    private readonly job: JobPayload,
    private readonly workplace: Workplace,
    private readonly slot: number,
  ) {
    const builds = path.join(workplace.directory, 'builds', String(slot));
    const project = path.join(builds, pathOf(job));
    this.#directories = { project, temporary: `${project}.tmp` };
    this.#deadline = Date.now() + job.runner_info.timeout * 1000;
    const { temporary } = this.#directories;
    removeTree(temporary);
    // Variables may have any name, such as `tmp`.
    const files = path.join(temporary, 'files');
    for (const directory of [project, temporaryOf(this.#directories), path.join(temporary, 'home'), files])
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#variables = new JobVariables(job.variables, (key) => path.join(files, key));
    this.#setOwnVariables(builds);
    this.#log = new JobTrace(
      client,
      job,
      path.join(workplace.directory, `log-${slot}`),
      [...job.variables.filter(({ masked }) => masked).map(({ value }) => value ?? ''), job.token],
      (status) => this.#note(status),
      this.#variables.get('CI_DEBUG_TRACE') === 'true',
    );
    this.#shell = new JobShell(workplace.isolation, this.#directories, workplace.shell, this.#log);
  }

  /** Runs it. Resolves when the service knows its end, or takes nothing more. */
  async run(): Promise<void> {
    try {
      const response = await this.client.keepAlive(this.job);
      await response.body?.cancel();
      // Somebody else has it, or it was canceled on the way.
      if (response.status !== 200) return;
      const result = await this.#execute().catch((error: unknown) => this.#failOf(error));
      if (this.#stoppedFor !== 'lost') await this.#report(result);
    } finally {
      this.#log.close();
      removeTree(this.#directories.temporary);
    }
  }

  /** Ends it, since its runner ends. */
  interrupt(): void {
    this.#stopFor('interrupted');
  }

  async #execute(): Promise<JobResult> {
    const { isolation, version } = this.workplace;
    this.#write(`Running with capstan-runner ${version} on ${hostname()}\n`);
    this.#begin('prepare_executor', 'Preparing the shell');
    for (const warning of this.#warnings()) this.#write(coloured(warning, YELLOW));
    if (this.job.services?.length)
      return this.#fail(
        'This job asks for services, which need a container engine; this runner runs commands on the machine itself.',
        'runner_configuration_error',
      );
    this.#write(isolation.name === 'none' ? '' : `Jobs are kept apart by ${isolation.name}.\n`);
    for (const [file, content] of this.#variables.files()) writeFresh(file, content);
    this.#finish('prepare_executor');
    const sources = await this.#getSources();
    if (sources.exitCode !== 0) return this.#resultOf(sources, 'runner_system_failure');
    return this.#runSteps();
  }

  async #getSources(): Promise<ShellEnd> {
    const hooks = (this.job.hooks ?? []).filter(({ name }) => name === 'pre_get_sources_script');
    const script = [
      commandLines(hooks.flatMap((hook) => hook.script)),
      sourcesScript(this.job, this.#variables, this.#directories.project),
    ].join('\n');
    if (script.trim() === '') return { exitCode: 0, stoppedBy: null };
    this.#begin('get_sources', 'Getting the sources');
    const end = await this.#shell.run(`${this.#head()}${script}\n`, this.#timeLeft(), this.#stop.signal);
    this.#finish('get_sources');
    return end;
  }

  async #runSteps(): Promise<JobResult> {
    let result: JobResult = { state: 'success' };
    for (const step of this.job.steps) {
      const isAfter = step.name === 'after_script';
      const isDue = step.when === 'always' || (step.when === 'on_failure') === (result.state === 'failed');
      if (!isDue || step.script.length === 0 || (isAfter && !this.#mayGoOn(result))) continue;
      const end = isAfter ? await this.#runAfter(step, result) : await this.#runStep(step);
      if (end.exitCode !== 0 && !step.allow_failure && result.state === 'success') result = this.#resultOf(end);
    }
    if (this.#stoppedFor === 'canceling') return { state: 'failed', failureReason: 'job_canceled' };
    if (result.state === 'success') this.#write(coloured('Job succeeded', '32;1'));
    return result;
  }

  #runStep(step: JobStep): Promise<ShellEnd> {
    this.#variables.set('CI_JOB_STATUS', 'running');
    const limit = readDuration(this.#variables.get('RUNNER_SCRIPT_TIMEOUT')) ?? Infinity;
    return this.#runCommands(step, Math.min(limit, this.#timeLeft()), this.#stop.signal);
  }

  async #runAfter(step: JobStep, { state }: JobResult): Promise<ShellEnd> {
    this.#variables.set('CI_JOB_STATUS', this.#stoppedFor === 'canceling' ? 'canceled' : state);
    const chosen = readDuration(this.#variables.get('RUNNER_AFTER_SCRIPT_TIMEOUT')) ?? AFTER_SCRIPT_MS;
    // No variable makes a job longer than it may be.
    const limit = Math.min(chosen, Math.max(this.#timeLeft(), AFTER_SCRIPT_MS));
    const end = await this.#runCommands(step, limit, this.#end.signal);
    if (end.exitCode !== 0) this.#write(coloured(`after_script ended with ${describeEnd(end)}.`, YELLOW));
    return { exitCode: 0, stoppedBy: null };
  }

  async #runCommands(step: JobStep, limit: number, signal: AbortSignal): Promise<ShellEnd> {
    const section = step.name === 'script' ? 'step_script' : step.name;
    this.#begin(section, step.name === 'script' ? 'Running the script' : `Running ${step.name}`);
    const end = await this.#shell.run(`${this.#head()}${commandLines(step.script)}`, limit, signal);
    this.#finish(section);
    return end;
  }

  /** Whether `after_script` is due: after a cancel too, but not when the time of the whole job is over. */
  #mayGoOn({ failureReason }: JobResult): boolean {
    if (this.#stoppedFor !== null) return this.#stoppedFor === 'canceling';
    return failureReason !== 'job_execution_timeout' || this.#timeLeft() > 0;
  }

  #resultOf(end: ShellEnd, reason = 'script_failure'): JobResult {
    if (this.#stoppedFor === 'canceling') return { state: 'failed', failureReason: 'job_canceled' };
    if (this.#stoppedFor === 'interrupted') return this.#fail('The runner was stopped.', 'runner_interrupted');
    if (end.stoppedBy === 'time') return this.#fail('The time for this job is over.', 'job_execution_timeout');
    this.#write(coloured(`Job failed: ${describeEnd(end)}`, RED));
    return { state: 'failed', failureReason: reason, exitCode: end.exitCode };
  }

  #fail(problem: string, failureReason = 'runner_system_failure'): JobResult {
    this.#write(coloured(`Job failed: ${problem}`, RED));
    return { state: 'failed', failureReason };
  }

  /** The end of a job whose runner failed, which may be unable to write its log, as on a full disk. */
  #failOf(error: unknown): JobResult {
    try {
      return this.#fail(String(error));
    } catch {
      return { state: 'failed', failureReason: 'runner_system_failure' };
    }
  }

  /** Tells the service the end, until it says that it knows. */
  async #report(result: JobResult): Promise<void> {
    await this.#log.end();
    const end = Date.now() + FINAL_MS;
    for (let resends = 0; Date.now() < end;) {
      const response = await this.client.finish(this.job, result, this.#log.summary).catch(() => null);
      await response?.body?.cancel();
      if (response?.status === 412 && resends < RESENDS) {
        resends += 1;
        await this.#log.sendAgain();
      } else if (response !== null && response.status !== 202) return;
      else await sleep(1000);
    }
  }

  /** What this runner does not do, though the job asks for it. */
  *#warnings(): Generator<string> {
    const { image, artifacts, cache } = this.job;
    if (this.workplace.isolation.name === 'none')
      yield 'This runner can not keep jobs apart from the machine: it is for trusted projects only.';
    if (image?.name) yield `There is no container engine here: the image ${image.name} is not used.`;
    if (artifacts?.length) yield 'This runner keeps no artifacts yet.';
    if (cache?.length) yield 'This runner keeps no cache yet.';
  }

  #setOwnVariables(builds: string): void {
    const own = {
      CI_BUILDS_DIR: builds,
      CI_PROJECT_DIR: this.#directories.project,
      CI_CONCURRENT_ID: String(this.slot),
      CI_CONCURRENT_PROJECT_ID: String(this.slot),
      CI_SERVER: 'yes',
      CI_DISPOSABLE_ENVIRONMENT: 'false',
      CI_SHARED_ENVIRONMENT: 'true',
      CI_RUNNER_VERSION: this.workplace.version,
      CI_RUNNER_EXECUTABLE_ARCH: `${process.platform}/${process.arch}`,
      CI_JOB_STATUS: 'running',
    };
    for (const [key, value] of Object.entries(own)) this.#variables.set(key, value);
  }

  #note(status: string): void {
    if (status === 'canceling') this.#stopFor('canceling');
    if (status === 'canceled' || status === 'failed') this.#stopFor('lost');
  }

  #stopFor(why: Stop): void {
    if (this.#stoppedFor === null || why !== 'canceling') this.#stoppedFor = why;
    this.#stop.abort();
    if (why !== 'canceling') this.#end.abort();
  }

  #timeLeft(): number {
    return Math.max(this.#deadline - Date.now(), 0);
  }

  #head(): string {
    return scriptHead(this.#variables, this.#directories.project, this.#shell.program);
  }

  #begin(section: string, title: string): void {
    this.#write(sectionStart(section, title, new Date()));
  }

  #finish(section: string): void {
    this.#write(sectionEnd(section, new Date()));
  }

  #write(text: string): void {
    this.#log.write(text);
  }
}

function describeEnd({ exitCode, stoppedBy }: ShellEnd): string {
  return stoppedBy === 'time' ? 'its time being over' : `exit status ${exitCode}`;
}

/**
 * Where a project lies among the builds: below its id, since its path may once have been another's, whose work tree a
 * job could then read; and apart for protected refs, since any job may leave what a later one would take for sources.
 */
function pathOf({ job_info: { project_id: id, project_full_path: full }, git_info }: JobPayload): string {
  const parts = (full ?? '').split('/');
  const directory = parts.every((part) => /^\w[\w.-]*$/.test(part)) ? parts.join('/') : 'project';
  return path.join(git_info.protected ? `${id}-protected` : String(id), directory);
}
