/** Parameters that a pattern declares: `iid` of `/:path+/-/issues/:iid(\\d+)`. */
export type PathParams<P extends string> = P extends `${infer Head}/${infer Rest}`
  ? ParamOf<Head> & PathParams<Rest>
  : ParamOf<P>;

type ParamOf<S extends string> = S extends `:${infer Name}(${string}`
  ? { [K in Name]: string }
  : S extends `:${infer Name}+`
    ? { [K in Name]: string }
    : S extends `:${infer Name}`
      ? { [K in Name]: string }
      : unknown;

const PARAM = /:(\w+)(\+|\([^)]*\))?/g;

/** One or more segments of a full path; `-` alone is none: pages of a container follow it. */
const FULL_PATH = '(?!-/)[^/]+(?:/(?!-(?:/|$))[^/]+)*';

// Own pattern: addresses of pages.
/**
 * Source of the regular expression that matches the addresses of a page: `:name` is one segment, `:name(\\d+)` one that
 * matches, `:path+` the full path of a project, group or user, and any other `:name+` one or more segments. Groups have
 * their pages below `/groups/`, which no project's path begins with.
 */
export function patternSource(path: string): string {
  const body = path.replace(PARAM, (_all, name: string, modifier = '') => {
    if (modifier === '+') return name === 'path' ? `(${FULL_PATH})` : '([^/]+(?:/[^/]+)*)';
    return modifier === '' ? '([^/]+)' : modifier;
  });
  return `^${path.startsWith('/:path+') ? '(?!/groups/)' : ''}${body}$`;
}

/** Names of the parameters of a pattern, in the order of its groups. */
export const paramNames = (path: string): string[] => [...path.matchAll(PARAM)].map(([, name]) => name as string);

/** A ref, or a path in a repository, as part of an address: slashes stay. */
export const encodeSegments = (text: string): string => text.split('/').map(encodeURIComponent).join('/');

/** Length of what a pattern spells out. */
const literalLength = (path: string): number => path.replace(PARAM, '').length;

/** Orders patterns so that the first match is the most specific one: `/:path+/-/issues/new` before `/:path+/-/issues/:iid`. */
const bySpecificity = (one: { path: string }, other: { path: string }): number =>
  literalLength(other.path) - literalLength(one.path);

/** Each route with the source of its pattern, the most specific first: the first match is the page that is shown. */
export const withPatterns = <R extends { path: string }>(routes: readonly R[]): { route: R; pattern: string }[] =>
  routes.toSorted(bySpecificity).map((route) => ({ route, pattern: patternSource(route.path) }));
