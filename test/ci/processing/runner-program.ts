import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { createLog, writeEntry } from './runner-ledger.js';

/*
 * A runner that does nothing but speak the protocol, made to be killed: it runs no script, and writes into a file which
 * jobs it began and which ends of jobs were accepted. Arguments: token, file, name, jobs at once, and `hang` for jobs that
 * never end. The addresses of the service come as messages, since they change with each start.
 */

const [token = '', ledger = '', runner = '', concurrency = '1', hang = ''] = process.argv.slice(2);
const REPEATABLE = new Set([408, 429, 500, 502, 503, 504]);
const FEATURES = { two_phase_job_commit: true, cancel_gracefully: true, trace_checksum: true, trace_size: true };
const info = { name: 'killed', features: FEATURES };

let urls: string[] = [];
let ready: () => void;
const haveUrls = new Promise<void>((resolve) => (ready = resolve));
process.on('message', (sent: string[]) => {
  urls = sent;
  ready();
});
process.on('disconnect', () => process.exit(0));

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Repeats a call until the service answers it, whichever process of it does. */
async function call(method: string, path: string, headers: Record<string, string>, body: string | Buffer) {
  for (;;) {
    const url = urls[Math.floor(Math.random() * urls.length)];
    try {
      const response = await fetch(`${url}/api/v4${path}`, { method, headers, body: body as never });
      const answer: Answer = { status: response.status, headers: response.headers, text: await response.text() };
      if (!REPEATABLE.has(answer.status)) return answer;
    } catch {
      // The process at this address is gone.
    }
    await pause(20 + Math.random() * 80);
  }
}

const sendJson = (method: string, path: string, body: object) =>
  call(method, path, { 'Content-Type': 'application/json' }, JSON.stringify(body));

const note = (what: 'began' | 'ended', jobId: number) =>
  appendFileSync(ledger, writeEntry({ what, job_id: jobId, runner }));

/** Sends the log from a position on, in patches of any size. @returns false if the job is not this runner's any more */
async function sendLog(id: number, jobToken: string, log: Buffer, from: number): Promise<boolean> {
  const most = Math.ceil(log.length / 4);
  for (let start = from; start < log.length;) {
    const part = log.subarray(start, start + 1 + Math.floor(Math.random() * most));
    const headers = {
      'JOB-TOKEN': jobToken,
      'Content-Type': 'text/plain',
      'Content-Range': `${start}-${start + part.length - 1}`,
    };
    const { status, headers: answered } = await call('PATCH', `/jobs/${id}/trace`, headers, part);
    if (status !== 202 && status !== 416) return false;
    start = Number(/-(\d+)$/.exec(answered.get('range') ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(start)) throw new Error(`${status} without a range`);
  }
  return true;
}

async function runJob({ id, token: jobToken, steps }: { id: number; token: string; steps: { script: string[] }[] }) {
  const update = (state: string, more: object = {}) =>
    sendJson('PUT', `/jobs/${id}`, { token: jobToken, system_id: runner, state, info, ...more });
  if ((await update('running')).status !== 200) return;
  note('began', id);
  const log = createLog(id);
  const output = { checksum: `crc32:${crc32(log).toString(16).padStart(8, '0')}`, bytesize: log.length };
  const fails = steps.some(({ script }) => script.includes('fail'));
  const state = fails ? 'failed' : 'success';
  if (!(await sendLog(id, jobToken, log, 0))) return;
  if (hang === 'hang') await new Promise(() => undefined);
  for (;;) {
    const { status, headers } = await update(state, { output, failure_reason: fails ? 'script_failure' : undefined });
    // Its first report may have been accepted without an answer.
    if (status === 200 || (status === 403 && headers.get('job-status') === state)) return note('ended', id);
    if (status === 202) await pause(50);
    else if (status !== 412 || !(await sendLog(id, jobToken, log, 0))) return;
  }
}

async function work(name: string): Promise<never> {
  let last: string | null = null;
  await haveUrls;
  for (;;) {
    const body = { token, system_id: name, info, ...(last === null ? {} : { last_update: last }) };
    const { status, headers, text } = await sendJson('POST', '/jobs/request', body);
    if (status === 201) await runJob(JSON.parse(text));
    else if (status === 204) last = headers.get('x-gitlab-last-update');
    else if (status !== 409) throw new Error(`The request for a job was answered with ${status}: ${text}`);
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, (_, index) => work(`${runner}-${index}`)));
