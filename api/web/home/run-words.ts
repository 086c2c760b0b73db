import type { Run, Schedule } from '../client/api.js';
import type { Tone } from '../look/State.js';
import { durationWords } from '../look/time-words.js';
import { refWords } from '../pipeline-schedules/ref-words.js';

const because = (state: string, reason: string | null): string => (reason ? `${state}: ${reason}` : state);

/** What became of a run, in words, and how good that is. */
export function outcomeOf(run: Run): { tone: Tone; words: string } {
  switch (run.state) {
    case 'fired':
      if (run.by === 'play') return { tone: 'good', words: 'started by hand' };
      return {
        tone: 'good',
        words: run.lateness_ms ? `fired ${durationWords(run.lateness_ms)} late` : 'fired on time',
      };
    case 'pending':
      return { tone: 'quiet', words: 'is being started' };
    case 'failed':
      return { tone: 'bad', words: because('failed', run.reason) };
    case 'missed':
      return { tone: 'warn', words: because('missed', run.reason) };
    case 'skipped':
      return { tone: 'quiet', words: because('skipped', run.reason) };
  }
}

/** What will make the next run of a schedule fail; null where only the newest run tells what is wrong, if anything. */
export function attentionWords({ attention, owner, ref }: Schedule): string | null {
  if (attention === 'owner_missing') return 'will fail: it has no owner, and somebody must take it over';
  if (attention === 'owner_blocked') return `does not run: its owner ${owner?.username ?? ''} is blocked`;
  return attention === 'ref_missing' ? `will fail: ${refWords(ref)} is gone` : null;
}
