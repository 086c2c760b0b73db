/** The change of a branch or tag by a push, for its event. */
export interface PushedRef {
  ref_type: 'branch' | 'tag';
  action: 'created' | 'removed' | 'pushed';
  /** `main`, without the `refs/heads/` prefix; null for several refs together. */
  ref: string | null;
  /** Objects that it held before and holds now. */
  commit_from: string | null;
  commit_to: string | null;
  /** Number of new commits, at most 10,000; 0 if removed, 1 for a tag. Null if not counted. */
  commit_count: number | null;
  /** Of the commit that it holds now. */
  commit_title: string | null;
}

/** More refs than this of one kind with the same action in one push are combined into one event. */
const MOST_EACH = 3;

/** Whether this number of refs gets one event each. */
export const eachHasEvent = ({ length }: readonly unknown[]): boolean => length <= MOST_EACH;
