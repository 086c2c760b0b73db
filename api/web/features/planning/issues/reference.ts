import { paramNames, patternSource } from '../../../app/routing/path-pattern.js';
import { issuesPath } from '../../../app/routing/paths.js';

const ISSUE_PAGE = '/:path+/-/issues/:iid(\\d+)';
// Own pattern: addresses of issues.
const ISSUE_ADDRESS = new RegExp(patternSource(ISSUE_PAGE));

const FULL_REFERENCE = /^(?:([\w./-]+)?#)?([1-9]\d{0,9})$/;

function getParams(text: string): Record<string, string> | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const found = url?.origin === location.origin ? ISSUE_ADDRESS.exec(url.pathname) : null;
  return found && Object.fromEntries(paramNames(ISSUE_PAGE).map((name, index) => [name, found[index + 1] as string]));
}

/**
 * The issue that a text refers to: `#12`, `12`, `group/project#12`, or the address of its page.
 * @param here the project that a number alone refers to
 * @returns null where it refers to none
 */
export function parseIssueReference(text: string, here: string): { path: string; iid: number } | null {
  const params = getParams(text);
  if (params) return { path: params.path as string, iid: Number(params.iid) };
  const [, path = here, iid] = FULL_REFERENCE.exec(text) ?? [];
  return iid === undefined ? null : { path, iid: Number(iid) };
}

/** The page of an issue, by its full reference. */
export function issueReferencePath(full: string): string {
  const at = full.lastIndexOf('#');
  return issuesPath(full.slice(0, at), Number(full.slice(at + 1)));
}
