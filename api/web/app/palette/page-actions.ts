import { useEffect } from 'react';

/** An action of a page, or a link to a related page: has exactly one of the three in addition to its label. */
export interface PageAction {
  label: string;
  /** The address of another page. */
  to?: string;
  /** The text that is copied to the clipboard. */
  copy?: string;
  run?: () => void;
}

const offered = new Set<readonly PageAction[]>();

/** Adds a page's actions to the palette, for as long as the page is displayed. */
export function usePageActions(actions: readonly PageAction[]): void {
  useEffect(() => {
    offered.add(actions);
    return () => void offered.delete(actions);
  });
}

/** The current page's actions. */
export const pageActions = (): PageAction[] => [...offered].flat();
