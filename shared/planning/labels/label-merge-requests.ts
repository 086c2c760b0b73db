import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import type { LabelRecord } from './label.record.js';

/** How many open merge requests that the caller may see have each of some labels; those that none has are left out. */
type OpenMergeRequests = (ctx: Context, labelIds: readonly number[]) => Promise<Map<number, number>>;

let openMergeRequests: OpenMergeRequests = () => Promise.resolve(new Map());

/** Has labels tell of merge requests, which a domain above knows. Called where its registry is made. */
export function countMergeRequestsOfLabels(count: OpenMergeRequests): void {
  openMergeRequests = count;
}

/** The open merge requests of a page of labels, by one statement. */
export const labelMergeRequests = load(
  ({ id }: Readonly<LabelRecord>) => id,
  (ctx, labels) =>
    openMergeRequests(
      ctx,
      labels.map(({ id }) => id),
    ),
);
