import type { Job } from './queries.js';

/** A stage with its jobs, in the order of the file. */
export interface GraphStage {
  name: string;
  jobs: Job[];
}

/** The newest job of each name, stage by stage. */
export function groupJobs(jobs: readonly Job[], stages: readonly string[]): GraphStage[] {
  const newest = new Map<string, Job>();
  for (const job of jobs) if ((newest.get(job.name)?.id ?? 0) < job.id) newest.set(job.name, job);
  const ordered = [...newest.values()].sort((one, other) => one.id - other.id);
  const names = new Set([...stages, ...ordered.map(({ stage }) => stage)]);
  return [...names]
    .map((name) => ({ name, jobs: ordered.filter(({ stage }) => stage === name) }))
    .filter(({ jobs: found }) => found.length > 0);
}

/** A line from a job to one that needs it. */
export interface NeedLine {
  from: string;
  to: string;
}

/** The needs between jobs that are there. */
export function getNeedLines(stages: readonly GraphStage[]): NeedLine[] {
  const jobs = stages.flatMap((stage) => stage.jobs);
  const names = new Set(jobs.map(({ name }) => name));
  return jobs.flatMap(({ name, needs }) =>
    ((needs ?? []) as readonly string[]).filter((need) => names.has(need)).map((from) => ({ from, to: name })),
  );
}

/** Where a card is, within the graph. */
export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The curve of a need: from the end of one card to the beginning of another, or around where they share a column. */
export function getCurve(from: Rectangle, to: Rectangle): string {
  const [fromY, toY] = [from.top + from.height / 2, to.top + to.height / 2];
  const start = from.left + from.width;
  if (to.left <= from.left) {
    const out = start + 14;
    return `M ${start} ${fromY} C ${out} ${fromY} ${out} ${toY} ${to.left + to.width} ${toY}`;
  }
  const bend = Math.max(12, (to.left - start) / 2);
  return `M ${start} ${fromY} C ${start + bend} ${fromY} ${to.left - bend} ${toY} ${to.left} ${toY}`;
}
