import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import type { Progress } from '../contents/progress.js';
import type { RelationProgress } from './archive-export.entity.js';
import { tellProgress } from './export-state.js';
import type { ExportTry } from './export-state.js';

/** Between two reports: often enough for whoever watches. */
const REPORT_MS = 1000;

/** Writes how far a try is, at most once a second and with each relation that begins. @throws ExportOver */
export function reportProgress(ctx: Context<Caller>, attempt: ExportTry): Progress {
  const counts = new Map<string, { total: number; done: number }>();
  let toldAt = -Infinity;
  const tell = async () => {
    toldAt = performance.now();
    const progress: RelationProgress[] = [...counts].map(([relation, { total, done }]) => ({ relation, total, done }));
    await tellProgress(ctx, attempt, progress);
  };
  const tellNowAndThen = async () => {
    if (performance.now() - toldAt >= REPORT_MS) await tell();
  };
  return {
    async begin(relation, total) {
      counts.set(relation, { total, done: 0 });
      await tellNowAndThen();
    },
    async done(relation, count) {
      const counted = counts.get(relation);
      if (counted) counted.done += count;
      await tellNowAndThen();
    },
    end: tell,
  };
}
