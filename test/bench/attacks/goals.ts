import { report } from '../goal.js';
import type { Goal } from '../goal.js';
import { KINDS } from './others.js';
import type { Others, Span } from './others.js';
import type { Memory } from './process-watch.js';

/** How much longer others may wait than while it is quiet. */
export const TIMES = 3;
const MEMORY_MIB = 200;

const counted = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([what, count]) => `${count} x ${what}`)
    .join(', ') || 'nothing';

/** How long others wait while the attack runs. */
export function latencyGoal(name: string, others: Others, quiet: Span, attacked: Span): Goal {
  const ratios = KINDS.map((kind) => {
    const [before, meanwhile] = [others.p90(kind, quiet), others.p90(kind, attacked)];
    report(`${kind} p90: ${before.toFixed(1)} ms quiet, ${meanwhile.toFixed(1)} ms attacked`);
    return { kind, times: meanwhile / before };
  });
  const stills = [quiet, attacked].map((span) => others.longestStill(span).toFixed(0));
  report(`longest wait for a page from memory: ${stills[0]} ms quiet, ${stills[1]} ms attacked`);
  return {
    name: `${name} p90 of others`,
    target: `<= ${TIMES} x the quiet one`,
    measured: ratios.map(({ kind, times }) => `${kind} ${times.toFixed(1)} x`).join(', '),
    holds: ratios.every(({ times }) => times <= TIMES),
  };
}

/** What everybody is answered. */
export function answersGoal(name: string, others: Record<string, number>, attackers: Record<string, number>): Goal {
  report(`others: ${counted(others)}; attackers: ${counted(attackers)}`);
  const bad = Object.entries(others).filter(([status]) => status !== '200');
  const broken = Object.keys(attackers).some((status) => status.startsWith('500'));
  return {
    name: `${name} answers`,
    target: 'others get 200, attackers no 500',
    measured: `${counted(Object.fromEntries(bad))} to others, ${attackers['500'] ?? 0} x 500 to attackers`,
    holds: bad.length === 0 && !broken,
  };
}

/** The memory of the service's processes, one after the other. */
export function memoryGoal(name: string, idle: readonly Memory[], after: readonly Memory[]): Goal {
  const rises = after.map(({ most }, index) => most - (idle[index]?.now ?? 0));
  const mib = (memories: readonly Memory[], of: keyof Memory) =>
    memories.map((each) => each[of].toFixed(0)).join(' + ');
  report(`memory in MiB: ${mib(idle, 'now')} idle, ${mib(after, 'most')} at most, ${mib(after, 'now')} in the end`);
  return {
    name: `${name} memory`,
    target: `<= ${MEMORY_MIB} MiB above idle`,
    measured: `${Math.max(...rises).toFixed(0)} MiB`,
    holds: Math.max(...rises) <= MEMORY_MIB && after.every(({ now: left }) => left > 0),
  };
}
