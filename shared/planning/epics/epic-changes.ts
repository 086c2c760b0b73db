import type { IssuableChange } from '../issuables/issuable-changes.js';

/** An epic as events name it beside another one. */
export interface EpicName {
  readonly id: number;
  readonly iid: number;
  readonly namespace_id: number;
  /** Of its group. */
  readonly full_path: string;
}

/** One thing that changed about an epic: as of any issuable, or its place in the tree, or a value of its own. */
export type EpicChange =
  | Extract<IssuableChange, { attribute: 'title' | 'description' | 'state' | 'labels' }>
  | { readonly attribute: 'confidential'; readonly to: boolean }
  | { readonly attribute: 'parent'; readonly from: EpicName | null; readonly to: EpicName | null }
  | { readonly attribute: 'color'; readonly from: string; readonly to: string }
  /** The fixed days, null where the epic has those of what is below it; `YYYY-MM-DD`. */
  | {
      readonly attribute: 'fixed_start_date' | 'fixed_due_date';
      readonly from: string | null;
      readonly to: string | null;
    };
