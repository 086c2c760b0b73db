/** Rows per requested page, the API's maximum. */
export const WALKED_PER_PAGE = 100;

/** Few lists that are walked have a second page. */
const MOST_PAGES = 10;

/** The rows of all pages of a list. */
export interface Walked<T> {
  rows: T[];
  /** Whether there are more pages, which were not requested. */
  more: boolean;
}

/** Requests the pages of a list one after the other, up to the tenth. */
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
