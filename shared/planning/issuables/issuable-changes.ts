import type { UserSummary } from '../../tenancy/users/user.record.js';

/** A label as events name it. */
export interface NamedLabel {
  readonly id: number;
  readonly title: string;
}

/** A milestone as events name it. */
export interface NamedMilestone {
  readonly id: number;
  readonly title: string;
}

/**
 * One thing that changed about an issue, merge request or epic. System notes and resource events are made of it, each
 * by a subscriber in the transaction of the change.
 */
export type IssuableChange =
  | { readonly attribute: 'title'; readonly from: string; readonly to: string }
  | { readonly attribute: 'description' }
  /** `commit` is the sha whose message closed it. */
  | { readonly attribute: 'state'; readonly to: 'closed' | 'reopened' | 'merged'; readonly commit?: string }
  | { readonly attribute: 'labels'; readonly added: readonly NamedLabel[]; readonly removed: readonly NamedLabel[] }
  | { readonly attribute: 'milestone'; readonly from: NamedMilestone | null; readonly to: NamedMilestone | null }
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
  /** Seconds added, or taken away where negative; null takes all of them away. `spent_on` is `YYYY-MM-DD`. */
  | { readonly attribute: 'time_spent'; readonly seconds: number | null; readonly spent_on: string };
