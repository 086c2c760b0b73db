/** The log of a job, whose every byte its id determines: more than one chunk for some. */
export function createLog(jobId: number): Buffer {
  const lines = (jobId % 13 === 0 ? 2_000 : 20) + (jobId % 100);
  const text = Array.from(
    { length: lines },
    (_, line) => `job ${jobId} line ${line} ${'x'.repeat((jobId + line) % 120)}`,
  );
  return Buffer.from(`${text.join('\n')}\n`);
}

/** What a runner writes down of a job: that it began it, or that the service accepted its end. */
export interface LedgerEntry {
  what: 'began' | 'ended';
  job_id: number;
  runner: string;
}

export const writeEntry = ({ what, job_id, runner }: LedgerEntry): string => `${what} ${job_id} ${runner}\n`;

export const readEntries = (text: string): LedgerEntry[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [what, id, runner] = line.split(' ') as [LedgerEntry['what'], string, string];
      return { what, job_id: Number(id), runner };
    });
