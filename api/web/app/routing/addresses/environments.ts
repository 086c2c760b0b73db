const ENVIRONMENTS = '/-/environments';

/** The full path of the project whose environments a path names: `/<project>/-/environments`; null for others. */
export function environmentsAt(pathname: string): string | null {
  const at = pathname.indexOf(ENVIRONMENTS);
  return at < 2 || pathname.length > at + ENVIRONMENTS.length ? null : pathname.slice(1, at);
}
