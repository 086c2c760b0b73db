import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { crc32 } from 'node:zlib';
import type { JobPayload, RunnerVariable } from '../../shared/runner/protocol.js';

/** What a runner reported of a job at its end. */
export interface FinalReport {
  state: string;
  failure_reason?: string;
  exit_code?: number;
  output: { checksum: string; bytesize: number };
}

/** A job that a runner was handed, and what it said of it. */
export interface HandedJob {
  log: Buffer;
  /** What the next answers print of it. */
  status: string;
  isAcknowledged: boolean;
  final: FinalReport | null;
}

const RUNNER_TOKEN = 'glrt-scripted-0123456789abcd';

/** The service's side of the runner protocol with prepared jobs, for what a real service does not do on purpose. */
export class ScriptedService {
  readonly jobs = new Map<number, HandedJob>();
  /** Answers given instead of the usual ones, once each. */
  readonly #instead: { matches: RegExp; status: number; headers: Record<string, string> }[] = [];
  readonly #waiting: JobPayload[] = [];
  readonly #polls: ServerResponse[] = [];
  #last = 0;
  readonly #changes: (() => void)[] = [];
  readonly token = RUNNER_TOKEN;

  private constructor(private readonly server: Server) {}

  /** Listens on a free port. */
  static async start(): Promise<ScriptedService> {
    const server = createServer();
    const service = new ScriptedService(server);
    server.on('request', (request, response) => void service.#answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Offers a job. @returns its id */
  offer(script: string[], { variables = [], ...more }: Partial<JobPayload> = {}): number {
    this.#last += 1;
    const id = this.#last;
    this.#waiting.push({
      id,
      token: `glcbt-scripted-token-of-job-${id}`,
      allow_git_fetch: true,
      job_info: { name: 'job', stage: 'test', project_id: 7, project_name: 'p', project_full_path: 'group/p' },
      git_info: { repo_url: `${this.url}/group/p.git`, ref: 'main', sha: '0'.repeat(40), refspecs: [], depth: 20 },
      runner_info: { timeout: 3600 },
      steps: [{ name: 'script', script, when: 'on_success' }],
      variables: [variable('GIT_STRATEGY', 'none'), ...variables],
      features: { token_mask_prefixes: ['glpat-'] },
      ...more,
    });
    this.jobs.set(id, { log: Buffer.alloc(0), status: 'running', isAcknowledged: false, final: null });
    this.#polls.shift()?.destroy();
    return id;
  }

  /** Gives one other answer to the next call that matches, as `PATCH /api/v4/jobs/1/trace`. */
  answerOnce(matches: RegExp, status: number, headers: Record<string, string> = {}): void {
    this.#instead.push({ matches, status, headers });
  }

  job(id: number): HandedJob {
    const job = this.jobs.get(id);
    if (!job) throw new Error(`There is no job ${id}.`);
    return job;
  }

  /** Resolves when something holds of a job. */
  async until(id: number, holds: (job: HandedJob) => boolean): Promise<HandedJob> {
    const job = this.job(id);
    while (!holds(job)) await new Promise<void>((resolve) => this.#changes.push(resolve));
    return job;
  }

  /** Resolves to the final report of a job, which has been compared with its log. */
  async end(id: number): Promise<FinalReport & { log: string }> {
    const { final, log } = await this.until(id, (job) => job.final !== null);
    if (!final) throw new Error('It has no end.');
    return { ...final, log: log.toString() };
  }

  /** Ends it. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { pathname } = new URL(request.url ?? '/', this.url);
    const call = `${request.method} ${pathname}`;
    const at = this.#instead.findIndex(({ matches }) => matches.test(call));
    const [instead] = at >= 0 ? this.#instead.splice(at, 1) : [];
    if (instead) response.writeHead(instead.status, instead.headers).end();
    else this.#reply(call, request, body, response);
    for (const wake of this.#changes.splice(0)) wake();
  }

  #reply(call: string, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const id = Number(/jobs\/(\d+)/.exec(call)?.[1]);
    if (call === 'POST /api/v4/runners/verify') send(response, 200, { id: 1, token: RUNNER_TOKEN });
    else if (call === 'POST /api/v4/jobs/request') this.#request(response);
    else if (Number.isNaN(id)) send(response, 404, {});
    else if (call.startsWith('PATCH ')) this.#patch(this.job(id), request, body, response);
    else this.#update(this.job(id), JSON.parse(body.toString()) as FinalReport, response);
  }

  #request(response: ServerResponse): void {
    const job = this.#waiting.shift();
    if (job) return send(response, 201, job);
    this.#polls.push(response);
  }

  #patch(job: HandedJob, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const from = Number(/^\d+/.exec(String(request.headers['content-range']))?.[0]);
    const isAhead = from > job.log.length;
    if (!isAhead) job.log = Buffer.concat([job.log.subarray(0, from), body]);
    send(response, isAhead ? 416 : 202, {}, { range: `0-${job.log.length}`, 'job-status': job.status });
  }

  #update(job: HandedJob, report: FinalReport, response: ServerResponse): void {
    if (report.state === 'running') job.isAcknowledged = true;
    else if (report.output.checksum === checksum(job.log)) job.final = report;
    else return send(response, 412, {});
    send(response, 200, {}, { 'job-status': job.status });
  }
}

function checksum(log: Buffer): string {
  return `crc32:${crc32(log).toString(16).padStart(8, '0')}`;
}

/** A variable of a job. */
export function variable(key: string, value: string, more: Partial<RunnerVariable> = {}): RunnerVariable {
  return { key, value, public: true, file: false, masked: false, raw: false, ...more };
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
