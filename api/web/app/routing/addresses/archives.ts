/** Which of the pages about archives is asked for. */
export type ArchivesLocation =
  | { page: 'new'; kind: ContainerKind }
  | { page: 'settings' | 'import'; kind: ContainerKind; path: string };

export type ContainerKind = 'project' | 'group';

/** A project or a group, by its full path. */
export interface ContainerPath {
  kind: ContainerKind;
  path: string;
}

const GROUPS = '/groups/';
const IMPORT = '/-/import';

/** What the path of a project begins with in an address, and that of a group; what general settings end with. */
const PARTS = {
  project: { before: '/', settings: '/edit' },
  group: { before: GROUPS, settings: '/-/edit' },
} as const;

/** `<before><path><end>`: the path, where there is one. */
function between(pathname: string, before: string, end: string): string | null {
  const path = pathname.slice(before.length, -end.length);
  return pathname.startsWith(before) && pathname.endsWith(end) && path !== '' && !path.endsWith('/-') ? path : null;
}

/**
 * What the path of a page names, where the public product has it: `/projects/new` and `/groups/new` make one,
 * `/<project>/edit` and `/groups/<group>/-/edit` export, `/<project>/-/import` tells how an import goes, and
 * `/groups/<group>/-/import` does the same, which is ours; null for others.
 */
export function archivesAt(pathname: string): ArchivesLocation | null {
  if (pathname === '/projects/new') return { page: 'new', kind: 'project' };
  if (pathname === '/groups/new') return { page: 'new', kind: 'group' };
  const kind = pathname.startsWith(GROUPS) ? 'group' : 'project';
  const { before, settings } = PARTS[kind];
  const imported = between(pathname, before, IMPORT);
  if (imported !== null) return { page: 'import', kind, path: imported };
  const path = between(pathname, before, settings);
  return path === null ? null : { page: 'settings', kind, path };
}

/** Where the general settings of a project or group are, with its export. */
export const generalSettingsOf = ({ kind, path }: ContainerPath): string =>
  `${PARTS[kind].before}${path}${PARTS[kind].settings}`;

/** Where it is told how the import of a project or group goes. */
export const importOf = ({ kind, path }: ContainerPath): string => `${PARTS[kind].before}${path}${IMPORT}`;

/** Where one is made, and with which fields filled in: `from` an archive, in a `namespace` or below a `parent`. */
export const newOf = (kind: ContainerKind, filled: Record<string, string> = {}): string => {
  const query = new URLSearchParams(filled).toString();
  return `/${kind}s/new${query === '' ? '' : `?${query}`}`;
};
