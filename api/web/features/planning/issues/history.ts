import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage } from '../../../data/api.js';
import type { IssuePerson } from '../../../data/api.js';
import { ISSUES } from './queries.js';

const PER_PAGE = 100;

/** An event in the history of an issue, as text that follows the name of its author. */
export interface HistoryEntry {
  key: string;
  at: string;
  by: IssuePerson | null;
  did: string;
}

interface Happened {
  id: number;
  user: IssuePerson | null;
  created_at: string;
}

const entries = <E extends Happened>(kind: string, events: readonly E[], did: (event: E) => string): HistoryEntry[] =>
  events.map((event) => ({ key: `${kind}-${event.id}`, at: event.created_at, by: event.user, did: did(event) }));

const quoteName = (what: string, name: string | undefined) => (name === undefined ? `a deleted ${what}` : `“${name}”`);

/** The history of an issue, oldest first, and whether there are more events of a kind than displayed. */
export const historyQuery = (path: string, iid: number) =>
  queryOptions({
    queryKey: [ISSUES, path, 'history', iid],
    queryFn: async () => {
      const params = { path: { id: path, issue_iid: iid }, query: { per_page: PER_PAGE } };
      const [states, labels, milestones, weights] = await Promise.all([
        unwrapPage(api.GET('/projects/{id}/issues/{issue_iid}/resource_state_events', { params })),
        unwrapPage(api.GET('/projects/{id}/issues/{issue_iid}/resource_label_events', { params })),
        unwrapPage(api.GET('/projects/{id}/issues/{issue_iid}/resource_milestone_events', { params })),
        unwrapPage(api.GET('/projects/{id}/issues/{issue_iid}/resource_weight_events', { params })),
      ]);
      const rows = [
        ...entries('state', states.rows, ({ state }) =>
          state === 'closed' ? 'closed this issue' : 'reopened this issue',
        ),
        ...entries(
          'label',
          labels.rows,
          ({ action, label }) =>
            `${action === 'add' ? 'added' : 'removed'} the label ${quoteName('label', label?.name)}`,
        ),
        ...entries('milestone', milestones.rows, ({ action, milestone }) => {
          const which = quoteName('milestone', milestone?.title);
          return action === 'add' ? `set the milestone to ${which}` : `removed the milestone ${which}`;
        }),
        ...entries('weight', weights.rows, ({ weight }) =>
          weight === null ? 'removed the weight' : `set the weight to ${weight}`,
        ),
      ];
      rows.sort((one, other) => one.at.localeCompare(other.at) || one.key.localeCompare(other.key));
      return { rows, more: [states, labels, milestones, weights].some(({ next }) => next !== null) };
    },
  });
