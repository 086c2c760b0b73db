/** Whose settings a page shows. */
export interface SettingsContainer {
  kind: 'project' | 'group';
  /** The full path. */
  path: string;
}

const END = '/-/settings/repository';
const GROUPS = '/groups/';

/** What the path of a page names: `/<project>/-/settings/repository`, or `/groups/<group>/-/settings/repository`. */
export function settingsAt(pathname: string): SettingsContainer | null {
  if (!pathname.endsWith(END)) return null;
  const kind = pathname.startsWith(GROUPS) ? 'group' : 'project';
  const path = pathname.slice(kind === 'group' ? GROUPS.length : 1, -END.length);
  return path === '' ? null : { kind, path };
}

/** Where the settings of a project or group are. */
export const settingsOf = ({ kind, path }: SettingsContainer): string =>
  `${kind === 'group' ? GROUPS : '/'}${path}${END}`;
