import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import type { ListedIssue } from './issue.record.js';

/** How many merge requests that the caller may read close each of some issues; those that none closes are left out. */
type CountMergeRequests = (ctx: Context, issueIds: readonly number[]) => Promise<Map<number, number>>;

let countMergeRequests: CountMergeRequests = () => Promise.resolve(new Map());

/** Lets issues show counts of merge requests, which a domain above knows. Called where its registry is made. */
export function countMergeRequestsOfIssues(count: CountMergeRequests): void {
  countMergeRequests = count;
}

/** The merge requests that close the issues of a page: one statement, or none where nothing closes any of them. */
export const closingCounts = load(
  (issue: Readonly<ListedIssue>) => issue.id,
  async (ctx, issues): Promise<Map<number, number>> => {
    const closed = issues.flatMap(({ id, merge_requests_count: count }) => (count > 0 ? [id] : []));
    return closed.length === 0 ? new Map() : countMergeRequests(ctx, closed);
  },
);
