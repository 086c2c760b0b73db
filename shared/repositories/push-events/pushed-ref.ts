/** What a push did with a branch or tag, as its event tells it. */
export interface PushedRef {
  ref_type: 'branch' | 'tag';
  action: 'created' | 'removed' | 'pushed';
  /** `main`, without what says that it is a branch. */
  ref: string;
  /** Objects that it held before and holds now. */
  commit_from: string | null;
  commit_to: string | null;
  /** Commits that came, at most 10,000; 0 where it was removed, 1 for a tag. Null where nobody counted. */
  commit_count: number | null;
  /** Of the commit that it holds now. */
  commit_title: string | null;
}

/** More of one kind and action in one push are told by one event. */
export const MOST_EACH = 3;
