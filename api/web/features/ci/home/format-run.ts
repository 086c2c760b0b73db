import type { Run, Schedule } from '../../../data/api.js';
import type { Tone } from '../../../ui/State.js';
import { formatDuration } from '../../../ui/format-time.js';
import { formatRef } from '../pipeline-schedules/index.js';

const because = (state: string, reason: string | null): string => (reason ? `${state}: ${reason}` : state);

/** The result of a run as a label and tone. */
export function getOutcome(run: Run): { tone: Tone; label: string } {
  switch (run.state) {
    case 'fired':
      if (run.by === 'play') return { tone: 'good', label: 'started manually' };
      return {
        tone: 'good',
        label: run.lateness_ms ? `started ${formatDuration(run.lateness_ms)} late` : 'started on time',
      };
    case 'pending':
      return { tone: 'quiet', label: 'starting' };
    case 'failed':
      return { tone: 'bad', label: because('failed', run.reason) };
    case 'missed':
      return { tone: 'warn', label: because('missed', run.reason) };
    case 'skipped':
      return { tone: 'quiet', label: because('skipped', run.reason) };
    case 'filtered':
      return { tone: 'quiet', label: because('no jobs by its rules', run.reason) };
    case 'config_error':
      return { tone: 'bad', label: because('configuration error', run.reason) };
  }
}

/** The problem that will make the next run of a schedule fail; null if only the newest run may show a problem. */
export function formatAttention({ attention, owner, ref }: Schedule): string | null {
  if (attention === 'owner_missing') return 'will fail: it has no owner, take ownership to fix it';
  if (attention === 'owner_blocked') return `will not run: owner ${owner?.username ?? ''} is blocked`;
  return attention === 'ref_missing' ? `will fail: ${formatRef(ref)} doesn't exist` : null;
}
