import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiProblem } from '../../../data/problem.js';
import { useDebounced } from '../../../ui/use-debounced.js';
import { previewQuery } from './queries.js';
import type { NextRun } from './queries.js';
import { isWhole } from './zones.js';

/** The next runs of a schedule with the values of a form, or the errors in them. */
export interface Preview {
  runs: readonly NextRun[];
  cronProblem: string | null;
  zoneProblem: string | null;
}

const NONE: readonly NextRun[] = [];

export function usePreview(cron: string, zone: string): Preview {
  const settled = { cron: useDebounced(cron), zone: useDebounced(zone) };
  // A partially typed time zone is not requested.
  const enabled = isWhole(settled.zone);
  const { data, error } = useQuery({
    ...previewQuery(settled.cron, settled.zone),
    placeholderData: keepPreviousData,
    enabled,
  });
  if (!enabled) return { runs: NONE, cronProblem: null, zoneProblem: 'Time zone not found.' };
  if (!error) return { runs: data ?? NONE, cronProblem: null, zoneProblem: null };
  if (!(error instanceof ApiProblem)) return { runs: NONE, cronProblem: error.message, zoneProblem: null };
  const { cron: bad, cron_timezone: badZone } = error.fields;
  return {
    runs: NONE,
    cronProblem: bad ? (error.hint ?? bad.join(', ')) : badZone ? null : error.message,
    zoneProblem: badZone ? 'Time zone not found.' : null,
  };
}
