import { useEffect } from 'react';

/** Something that a page can do, or a page beside it: one of the three besides its words. */
export interface PageAction {
  label: string;
  /** The address of another page. */
  to?: string;
  /** What is put into the clipboard. */
  copy?: string;
  run?: () => void;
}

const offered = new Set<readonly PageAction[]>();

/** Offers what a page can do to the palette, for as long as it is shown. */
export function usePageActions(actions: readonly PageAction[]): void {
  useEffect(() => {
    offered.add(actions);
    return () => void offered.delete(actions);
  });
}

/** What the page that is shown offers now. */
export const pageActions = (): PageAction[] => [...offered].flat();
