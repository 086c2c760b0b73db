/** What a push did with a branch or tag, as its event tells it. */
export interface PushedRef {
  ref_type: 'branch' | 'tag';
  action: 'created' | 'removed' | 'pushed';
  /** `main`, without what says that it is a branch; null where several are told together. */
  ref: string | null;
  /** Objects that it held before and holds now. */
  commit_from: string | null;
  commit_to: string | null;
  /** Commits that came, at most 10,000; 0 where it was removed, 1 for a tag. Null where nobody counted. */
  commit_count: number | null;
  /** Of the commit that it holds now. */
  commit_title: string | null;
}

/** More of one kind with which the same happens in one push are told by one event. */
const MOST_EACH = 3;

/** Whether so many are told one by one. */
export const eachHasEvent = ({ length }: readonly unknown[]): boolean => length <= MOST_EACH;
