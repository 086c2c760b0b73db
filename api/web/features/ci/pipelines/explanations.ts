import type { JobQueue } from './queries.js';

const REASONS: Readonly<Record<string, string>> = {
  tags: 'lacks tags of the job',
  untagged: 'takes no jobs without tags',
  protected: 'is for protected branches and tags',
  paused: 'is paused',
  offline: 'is offline',
  kind: 'does not serve this project',
  busy: 'is busy',
};

/** A reason in words: `is paused`. */
export const describeReason = (reason: string): string => REASONS[reason] ?? reason.replaceAll('_', ' ');

/** Whether a runner takes the job without anybody's help: a busy one will have finished. */
const isAvailable = (runner: JobQueue['runners'][number]): boolean =>
  runner.fits && !runner.reasons.includes('offline');

/** Whether some runner will take the job, as far as the caller can see. */
export const hasFittingRunner = ({ runners, other_runners: others }: JobQueue): boolean =>
  runners.some(isAvailable) || others.fitting > 0;

/** How to get a pending job to a runner. */
export function getAdvice({ runners, other_runners: others }: JobQueue, tags: readonly string[]): string {
  if (runners.some((runner) => isAvailable(runner) && !runner.reasons.includes('busy')))
    return 'A runner takes it within seconds.';
  if (runners.some(isAvailable)) return 'The runners that fit are busy. Wait, or add another runner.';
  if (others.fitting > 0) return "Runners that you can't see may take it. Wait, or ask a Maintainer of the project.";
  if (runners.some(({ fits }) => fits)) return 'A runner that fits is offline: start it.';
  const lacksOnly = (reason: string) =>
    runners.some(({ reasons }) => reasons.every((one) => one === reason || one === 'offline' || one === 'busy'));
  if (lacksOnly('paused')) return 'A runner that would fit is paused: resume it.';
  if (lacksOnly('tags'))
    return tags.length > 0
      ? `No runner has all tags of the job (${tags.join(', ')}): add them to a runner, or change the tags of the job.`
      : 'No runner takes jobs without tags: let one run untagged jobs.';
  if (lacksOnly('protected'))
    return 'The runners are for protected branches and tags only: protect the branch, or add a runner.';
  return 'Add a runner that serves this project.';
}
