/** Whose metrics a page shows. */
export interface DoraContainer {
  kind: 'project' | 'group';
  /** The full path. */
  path: string;
}

const END = '/-/dora';
const GROUPS = '/groups/';

/** What the path of a page names: `/<project>/-/dora`, or `/groups/<group>/-/dora`; null for others. */
export function doraAt(pathname: string): DoraContainer | null {
  if (!pathname.endsWith(END)) return null;
  const kind = pathname.startsWith(GROUPS) ? 'group' : 'project';
  const path = pathname.slice(kind === 'group' ? GROUPS.length : 1, -END.length);
  return path === '' ? null : { kind, path };
}
