import { crc32 } from 'node:zlib';
import type { z } from 'zod';
import type { Answer, Client } from '../../core/client.js';
import { payloadSchema } from './payload-schema.js';

const INFO = { name: 'scripted', features: { two_phase_job_commit: true, cancel_gracefully: true, trace_size: true } };

/** A job in the hands of a scripted runner. */
export type RunnerJob = z.infer<typeof payloadSchema>;

/** Asks for a job without waiting for one. @returns null where there is none, or another runner was faster */
export async function takeJob(client: Client, token: string): Promise<RunnerJob | null> {
  const { status, body, text } = await client.post('/jobs/request', { token, system_id: 's_1', info: INFO });
  if (status === 204 || status === 409) return null;
  if (status !== 201) throw new Error(`request: ${status} ${text}`);
  return payloadSchema.parse(body);
}

/** Reports the state of a job. */
export const reportJob = (
  client: Client,
  { id, token }: RunnerJob,
  state: string,
  more: object = {},
): Promise<Answer> => client.put(`/jobs/${id}`, { token, state, info: INFO, ...more });

/** Sends a part of the log of a job. */
export const sendLog = (client: Client, { id, token }: RunnerJob, start: number, part: string): Promise<Answer> =>
  client
    .with({ 'JOB-TOKEN': token, 'Content-Range': `${start}-${start + part.length - 1}` })
    .raw('PATCH', `/api/v4/jobs/${id}/trace`, part, 'text/plain');

/** What a runner says of the whole log with its last report. */
export const describeLog = (log: string): { output: { checksum: string; bytesize: number } } => ({
  output: { checksum: `crc32:${crc32(log).toString(16).padStart(8, '0')}`, bytesize: log.length },
});

async function must(answer: Promise<Answer>, expected: number): Promise<void> {
  const { status, text } = await answer;
  if (status !== expected) throw new Error(`${status} ${text}`);
}

/** The log of a job that printed what it would run. */
export const printSteps = ({ steps }: RunnerJob): string =>
  steps.flatMap(({ script }) => script.map((line) => `$ ${line}\n`)).join('');

/** Takes a job, prints what it would run, and ends it. @returns null where there is no job */
export async function runNextJob(client: Client, token: string): Promise<RunnerJob | null> {
  const job = await takeJob(client, token);
  if (!job) return null;
  await must(reportJob(client, job, 'running'), 200);
  const log = printSteps(job);
  await must(sendLog(client, job, 0, log), 202);
  await must(reportJob(client, job, 'success', describeLog(log)), 200);
  return job;
}
