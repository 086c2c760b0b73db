/** What of a merge request is shown: each part has an address of its own. */
export type RequestPart = 'overview' | 'commits' | 'diffs';

/** Which page of a project's merge requests is asked for. */
export interface MergeRequestsLocation {
  /** Full path of the project. */
  path: string;
  /** Null for the list, `new` for the form of another one. */
  request: { iid: number; part: RequestPart } | 'new' | null;
}

const MERGE_REQUESTS = '/-/merge_requests';

const REST = /^\/([1-9]\d{0,9})(?:\/(commits|diffs))?$/;

/**
 * What the path of a page names: `/<project>/-/merge_requests`, `…/new`, `…/<number>`, `…/<number>/commits` or
 * `…/<number>/diffs`; null for others.
 */
export function mergeRequestsAt(pathname: string): MergeRequestsLocation | null {
  const at = pathname.indexOf(MERGE_REQUESTS);
  if (at < 2) return null;
  const path = pathname.slice(1, at);
  const rest = pathname.slice(at + MERGE_REQUESTS.length);
  if (rest === '') return { path, request: null };
  if (rest === '/new') return { path, request: 'new' };
  const [, iid, part = 'overview'] = REST.exec(rest) ?? [];
  return iid === undefined ? null : { path, request: { iid: Number(iid), part: part as RequestPart } };
}

/** Where the merge requests of a project are, or one of them, or a part of that. */
export function mergeRequestsOf(path: string, iid?: number, part: RequestPart = 'overview'): string {
  const rest = part === 'overview' ? '' : `/${part}`;
  return `/${path}${MERGE_REQUESTS}${iid === undefined ? '' : `/${iid}${rest}`}`;
}

/** Where the form of another merge request of a project is. */
export const newRequestOf = (path: string): string => `/${path}${MERGE_REQUESTS}/new`;
