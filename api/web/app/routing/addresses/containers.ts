import type { Container } from '../../../data/containers.js';

/** A page of a project or group, or one that a full path alone names. */
export interface ContainerLocation {
  /** `named`: the address is a full path alone, of a project, a group or a user. */
  kind: 'project' | 'group' | 'named';
  path: string;
  /** Behind `/-/`, or `edit`: `pipelines` of `/a/b/-/pipelines/12`; empty for the container itself. */
  page: string;
  /** What stands behind the page, decoded: `12`. */
  rest: string;
}

/** The project or group that a page is of. */
export const containerOf = ({ kind, path }: ContainerLocation): Container => ({
  kind: kind === 'group' ? 'group' : 'project',
  path,
});

const GROUPS = '/groups/';
const EDIT = '/edit';

/** Full paths; the service's own pages begin otherwise. */
const PATH = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** They look like full paths, which none can be: the first words are taken. */
const OWN_PAGES = new Set(['/projects/new', '/groups/new']);

/** What the path of a page names, where that is a project, a group or something in one; null for others. */
export function containerAt(pathname: string): ContainerLocation | null {
  if (OWN_PAGES.has(pathname)) return null;
  const group = pathname.startsWith(GROUPS);
  const below = pathname.slice(group ? GROUPS.length : 1);
  const at = below.indexOf('/-/');
  const path = at === -1 ? below : below.slice(0, at);
  if (!PATH.test(path)) return null;
  if (at !== -1) {
    const [page = '', ...rest] = below.slice(at + '/-/'.length).split('/');
    return { kind: group ? 'group' : 'project', path, page, rest: rest.map(decoded).join('/') };
  }
  if (!group && path.endsWith(EDIT))
    return { kind: 'project', path: path.slice(0, -EDIT.length), page: 'edit', rest: '' };
  return { kind: group ? 'group' : 'named', path, page: '', rest: '' };
}

/** Where a project or group is, or one of its pages: `pageOf({ kind: 'group', path: 'a' }, 'dora')`. */
export function pageOf({ kind, path }: Container, page = ''): string {
  const own = kind === 'group' ? `${GROUPS}${path}` : `/${path}`;
  return page === '' ? own : `${own}/-/${page}`;
}

/** Where what a full path names is, whatever it is. */
export const pageOfPath = (path: string): string => `/${path}`;

/** The page of a record, by its `web_url`. */
export const pageOfRecord = (url: string): string => new URL(url).pathname;

/** A ref, or a path in a repository, as part of an address: slashes stay. */
export const inAddress = (text: string): string => text.split('/').map(encodeURIComponent).join('/');

/** How the event stream is asked for what a page of a project or group shows. */
export const liveParams = ({ kind, path }: Container): Record<string, string> => ({ [kind]: path });

/** Where the boards of a project or group are, or one of them by its id. */
export const boardsOf = (of: Container, board?: number): string =>
  pageOf(of, board === undefined ? 'boards' : `boards/${board}`);

/** Where the milestones of a project or group are, or one of them by its number, or the form of another one. */
export const milestonesOf = (of: Container, milestone?: number | 'new'): string =>
  pageOf(of, milestone === undefined ? 'milestones' : `milestones/${milestone}`);

/** Where the epics of a group are, or one of them by its number, or its form, or the form of another one. */
export function epicsOf(path: string, epic?: number | 'new', edit = false): string {
  const one = epic === undefined ? '' : `/${epic}`;
  return pageOf({ kind: 'group', path }, `epics${one}${edit ? '/edit' : ''}`);
}

/** Where the snippets of a project are, or one's own for null, or one of them by its id, or the form of another one. */
export function snippetsOf(project: string | null, snippet?: number | 'new'): string {
  const rest = snippet === undefined ? 'snippets' : `snippets/${snippet}`;
  return project === null ? `/-/${rest}` : pageOf({ kind: 'project', path: project }, rest);
}
