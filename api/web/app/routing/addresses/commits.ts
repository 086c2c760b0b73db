const COMMIT = '/-/commit/';

/** The commit that the path of a page names: `/<project>/-/commit/<sha, whole or its beginning>`; null for others. */
export function commitAt(pathname: string): { path: string; sha: string } | null {
  const at = pathname.indexOf(COMMIT);
  const sha = pathname.slice(at + COMMIT.length);
  return at < 2 || !/^[\da-f]{4,64}$/i.test(sha) ? null : { path: pathname.slice(1, at), sha };
}

/** Where a commit of a project is shown. */
export const commitOf = (path: string, sha: string): string => `/${path}${COMMIT}${sha}`;
