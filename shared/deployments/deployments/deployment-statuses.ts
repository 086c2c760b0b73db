import { Invalid } from '../../core/values/errors.js';

/** All states of a deployment (delivery-resources.md section 2). */
export const DEPLOYMENT_STATUSES = [
  'created',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'blocked',
] as const;

/** The states that callers may set, and the event names used in errors if the transition is not allowed. */
const EVENTS = { running: 'run', success: 'succeed', failed: 'drop', canceled: 'cancel' } as const;
type TargetStatus = keyof typeof EVENTS;

export const TARGET_STATUSES = Object.keys(EVENTS) as TargetStatus[];

/** States of finished deployments. `skipped` is not among them: nothing was deployed. */
const FINAL: ReadonlySet<string> = new Set(['success', 'failed', 'canceled']);

export const isFinal = (status: string): boolean => FINAL.has(status);

/**
 * Only what waits can begin to run; anything but itself can end, also what has ended otherwise (delivery-resources.md
 * section 2).
 * @throws Invalid `{status: ["cannot transition via \"succeed\""]}`
 */
export function requireTransition(from: string, to: TargetStatus): void {
  const allowed = to === 'running' ? from === 'created' || from === 'blocked' : from !== to;
  if (!allowed) throw new Invalid({ status: [`cannot transition via "${EVENTS[to]}"`] });
}
