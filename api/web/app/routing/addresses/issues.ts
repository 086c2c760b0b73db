/** Which page of a project's issues is asked for. */
export interface IssuesLocation {
  /** Full path of the project. */
  path: string;
  /** Number of the issue; `new` for the form of another one, null for the list. */
  issue: number | 'new' | null;
}

const ISSUES = '/-/issues';

function issueIn(rest: string): IssuesLocation['issue'] | undefined {
  if (rest === '') return null;
  if (rest === '/new') return 'new';
  return /^\/[1-9]\d{0,9}$/.test(rest) ? Number(rest.slice(1)) : undefined;
}

/** What the path of a page names: `/<project>/-/issues`, `/<project>/-/issues/new` or `/<project>/-/issues/<number>`. */
export function issuesAt(pathname: string): IssuesLocation | null {
  const at = pathname.indexOf(ISSUES);
  const issue = issueIn(pathname.slice(at + ISSUES.length));
  return at < 2 || issue === undefined ? null : { path: pathname.slice(1, at), issue };
}

/** Where the issues of a project are, or one of them, or the form of another one. */
export const issuesOf = (path: string, issue?: number | 'new'): string =>
  `/${path}${ISSUES}${issue === undefined ? '' : `/${issue}`}`;

const WHOLE_REFERENCE = /^(?:([\w./-]+)?#)?([1-9]\d{0,9})$/;

/**
 * What a person names an issue by: `#12`, `12`, `group/project#12`, or the address of its page.
 * @param here the project in which a number alone counts
 * @returns null for what names none
 */
export function referenceIn(text: string, here: string): { path: string; iid: number } | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const issueLocation = url?.origin === location.origin ? issuesAt(url.pathname) : null;
  if (issueLocation && typeof issueLocation.issue === 'number')
    return { path: issueLocation.path, iid: issueLocation.issue };
  const [, path = here, iid] = WHOLE_REFERENCE.exec(text) ?? [];
  return iid === undefined ? null : { path, iid: Number(iid) };
}

/** The page of an issue by its full reference. */
export function pageOfReference(full: string): string {
  const at = full.lastIndexOf('#');
  return issuesOf(full.slice(0, at), Number(full.slice(at + 1)));
}
