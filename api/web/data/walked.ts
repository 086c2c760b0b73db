/** Rows of each page that is asked for, the most that the API sends. */
export const WALKED_PER_PAGE = 100;

/** Few lists that are walked have a second page. */
const MOST_PAGES = 10;

/** The rows of all pages of a list. */
export interface Walked<T> {
  rows: T[];
  /** Whether there are others, which were not asked for. */
  more: boolean;
}

/** Asks for one page of a list after the other, up to the tenth. */
export async function walked<T>(
  pageOf: (page: number) => Promise<{ rows: T[]; next: number | null }>,
): Promise<Walked<T>> {
  const rows: T[] = [];
  let next: number | null = 1;
  while (next !== null && next <= MOST_PAGES) {
    const found: { rows: T[]; next: number | null } = await pageOf(next);
    rows.push(...found.rows);
    next = found.next;
  }
  return { rows, more: next !== null };
}
