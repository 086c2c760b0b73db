import type { UserSummary } from '../../tenancy/users/user.entity.js';

/** A label as events name it. */
export interface LabelSummary {
  readonly id: number;
  readonly title: string;
}

/** A milestone as events name it. */
export interface MilestoneSummary {
  readonly id: number;
  readonly title: string;
}

/**
 * A single change to an issue, merge request or epic. System notes and resource events are created from it, each by a
 * subscriber in the transaction of the change.
 */
export type IssuableChange =
  | { readonly attribute: 'title'; readonly from: string; readonly to: string }
  | { readonly attribute: 'description' }
  /** `commit` is the SHA of the commit whose message closed it. */
  | { readonly attribute: 'state'; readonly to: 'closed' | 'reopened' | 'merged'; readonly commit?: string }
  | { readonly attribute: 'labels'; readonly added: readonly LabelSummary[]; readonly removed: readonly LabelSummary[] }
  | { readonly attribute: 'milestone'; readonly from: MilestoneSummary | null; readonly to: MilestoneSummary | null }
  | {
      readonly attribute: 'assignees';
      readonly added: readonly UserSummary[];
      readonly removed: readonly UserSummary[];
    }
  | { readonly attribute: 'confidential' | 'discussion_locked'; readonly to: boolean }
  /** `YYYY-MM-DD`. */
  | { readonly attribute: 'due_date' | 'start_date'; readonly from: string | null; readonly to: string | null }
  | { readonly attribute: 'weight'; readonly from: number | null; readonly to: number | null }
  | { readonly attribute: 'issue_type' | 'severity'; readonly from: string; readonly to: string }
  /** Seconds; 0 takes the estimate away. */
  | { readonly attribute: 'time_estimate'; readonly to: number }
  /** Seconds added, or subtracted if negative; null removes all of them. `spent_on` is `YYYY-MM-DD`. */
  | { readonly attribute: 'time_spent'; readonly seconds: number | null; readonly spent_on: string };

/** An epic as referenced in events about another one. */
export interface EpicName {
  readonly id: number;
  readonly iid: number;
  readonly namespace_id: number;
  /** Of its group. */
  readonly full_path: string;
}

/** A single change to an epic: one of any issuable, its position in the tree, or an epic-specific value. */
export type EpicChange =
  | Extract<IssuableChange, { attribute: 'title' | 'description' | 'state' | 'labels' }>
  | { readonly attribute: 'confidential'; readonly to: boolean }
  | { readonly attribute: 'parent'; readonly from: EpicName | null; readonly to: EpicName | null }
  | { readonly attribute: 'color'; readonly from: string; readonly to: string }
  /** The fixed dates, null if the epic inherits its dates; `YYYY-MM-DD`. */
  | {
      readonly attribute: 'fixed_start_date' | 'fixed_due_date';
      readonly from: string | null;
      readonly to: string | null;
    };
