import { setTimeout as sleep } from 'node:timers/promises';

/** One variable of a job, as the service sends it. */
export interface RunnerVariable {
  key: string;
  value: string | null;
  public?: boolean;
  file?: boolean;
  masked?: boolean;
  raw?: boolean;
}

/** A list of commands that share a shell. */
export interface JobStep {
  name: string;
  script: string[];
  timeout?: number;
  when?: string;
  allow_failure?: boolean;
}

/** What a runner is handed: as much of it as this runner reads. */
export interface JobPayload {
  id: number;
  token: string;
  allow_git_fetch?: boolean;
  job_info: { name: string; stage: string; project_id: number; project_name: string; project_full_path?: string };
  git_info: {
    repo_url: string;
    ref: string;
    sha: string;
    refspecs?: string[];
    depth?: number;
    repo_object_format?: string;
    protected?: boolean;
  };
  runner_info: { timeout: number };
  steps: JobStep[];
  hooks?: { name: string; script: string[] }[] | null;
  image?: { name: string } | null;
  services?: { name: string }[] | null;
  artifacts?: unknown[] | null;
  cache?: unknown[] | null;
  variables: RunnerVariable[];
  features?: { token_mask_prefixes?: string[] | null } | null;
}

/** The end of a job, as its runner tells it. */
export interface JobResult {
  state: 'success' | 'failed';
  failureReason?: string;
  exitCode?: number;
}

/** What a runner tells of itself with each request for a job. */
export interface RunnerInfo {
  name: string;
  version: string;
  revision: string;
  platform: string;
  architecture: string;
  executor: string;
  shell: string;
  features: Record<string, boolean>;
}

/** An answer that no repetition changes. */
export class RejectedCall extends Error {
  constructor(
    readonly status: number,
    call: string,
  ) {
    super(`${call} was answered with ${status}`);
  }
}

/** How often a call is repeated whose answer was lost or was no answer. */
const TRIES = 8;
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const CALL_MS = 60_000;
/** Longer than a service holds a request for a job. */
const POLL_MS = 120_000;
const REPEATABLE = new Set([408, 429, 500, 502, 503, 504]);

/** The calls of the runner protocol, with the repetitions that it asks for. */
export class ServiceClient {
  #lastUpdate: string | undefined;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly systemId: string,
    private readonly info: RunnerInfo,
  ) {}

  /** Checks the token. @returns the id of the runner @throws RejectedCall when the service doesn't know the token */
  async verify(signal?: AbortSignal): Promise<number> {
    const response = await this.#repeat('verify', signal, (limit) => this.#send('POST', '/runners/verify', {}, limit));
    if (response.status !== 200) throw new RejectedCall(response.status, 'verify');
    return ((await response.json()) as { id: number }).id;
  }

  /** Asks for a job, for as long as the service holds the question. @returns null when there is none */
  async requestJob(signal: AbortSignal): Promise<JobPayload | null> {
    const body = { last_update: this.#lastUpdate, info: this.info };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(POLL_MS)]);
    const response = await this.#send('POST', '/jobs/request', body, limit);
    this.#lastUpdate = response.headers.get('x-gitlab-last-update') ?? this.#lastUpdate;
    if (response.status === 201) return (await response.json()) as JobPayload;
    await response.body?.cancel();
    if (response.status === 204 || response.status === 409) return null;
    if (!REPEATABLE.has(response.status)) throw new RejectedCall(response.status, 'the request for a job');
    await sleep(pauseOf(response), undefined, { signal });
    return null;
  }

  /** Tells that a job runs still, or runs at all. */
  keepAlive(job: JobPayload): Promise<Response> {
    return this.#repeat('keep-alive', undefined, (limit) => this.#sendOfJob(job, 'PUT', { state: 'running' }, limit));
  }

  /** Tells how a job ended, and what its log should hold. */
  finish(job: JobPayload, { state, failureReason, exitCode }: JobResult, log: { checksum: string; bytesize: number }) {
    const body = { state, failure_reason: failureReason, exit_code: exitCode, checksum: log.checksum, output: log };
    return this.#repeat('final report', undefined, (limit) => this.#sendOfJob(job, 'PUT', body, limit));
  }

  /** Appends to the log of a job, from an offset in bytes. */
  patchTrace(job: JobPayload, offset: number, bytes: Buffer, isDebug: boolean): Promise<Response> {
    const headers = {
      'job-token': job.token,
      'content-type': 'text/plain',
      'content-range': `${offset}-${offset + bytes.length - 1}`,
    };
    const target = `${this.url}/api/v4/jobs/${job.id}/trace?debug_trace=${isDebug}`;
    return this.#repeat('log', undefined, (signal) =>
      fetch(target, { method: 'PATCH', headers, body: new Uint8Array(bytes), signal }),
    );
  }

  #sendOfJob(job: JobPayload, method: string, body: object, signal: AbortSignal): Promise<Response> {
    return fetch(`${this.url}/api/v4/jobs/${job.id}`, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'job-token': job.token },
      body: JSON.stringify({ token: job.token, info: this.info, ...body }),
      signal,
    });
  }

  #send(method: string, path: string, body: object, signal: AbortSignal): Promise<Response> {
    return fetch(`${this.url}/api/v4${path}`, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'runner-token': this.token },
      body: JSON.stringify({ token: this.token, system_id: this.systemId, info: this.info, ...body }),
      signal,
    });
  }

  /** Repeats a call while its answer says that it may, or there is none. */
  async #repeat(call: string, signal: AbortSignal | undefined, send: (limit: AbortSignal) => Promise<Response>) {
    for (let left = TRIES, pause = PAUSE_MS; ; left -= 1, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const limits = [AbortSignal.timeout(CALL_MS), ...(signal ? [signal] : [])];
      let wait = pause;
      try {
        const response = await send(AbortSignal.any(limits));
        if (!REPEATABLE.has(response.status)) return response;
        await response.body?.cancel();
        if (left <= 1) throw new RejectedCall(response.status, call);
        if (response.headers.has('retry-after')) wait = pauseOf(response);
      } catch (error) {
        if (left <= 1 || signal?.aborted || error instanceof RejectedCall) throw error;
      }
      await sleep(wait, undefined, signal ? { signal } : {});
    }
  }
}

/** How long an answer asks to wait, within reason, in milliseconds. */
function pauseOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, 60_000) : 2000;
}
