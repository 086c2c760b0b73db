import { useSession } from '../../data/session.js';
import type { Person } from '../../data/session.js';
import type { Audience, MenuContext, MenuName, Route } from './route.js';
import { useRouteMatch, useRoutes } from './router.js';

/** A link of a menu. */
export interface MenuEntry {
  label: string;
  to: string;
  /** Whether the current page is this one or belongs to it. */
  current: boolean;
}

/** Menus that list pages regardless of their audience: visitors sign in on the way to them. */
const OPEN: ReadonlySet<MenuName> = new Set(['project', 'group', 'project_settings', 'group_settings']);

/** Whether a page is for this user; null for visitors. */
export function isForPerson(audience: Audience, person: Person | null): boolean {
  if (audience === 'everyone') return true;
  if (person === null || audience === 'users') return person !== null;
  return person.is_admin || (audience === 'auditors' && person.is_auditor);
}

/** The address of a page without parameters, or of a project or group. */
const linkTo = (pattern: string, path: string): string => pattern.replace(':path+', path);

type ForMenu = Omit<MenuContext, 'person'>;

/**
 * The entries of a menu, as far as the user may see their pages.
 * @param path full path of the project or group whose menu it is
 */
export function useMenu(menu: MenuName, path = '', context: ForMenu = {}): MenuEntry[] {
  const person = useSession().data?.user ?? null;
  const current = useRouteMatch()?.route;
  const currentPath = current?.menus[menu] === undefined ? current?.within : current.path;
  const inContext = { ...context, person };
  const isListed = ({ menus, audience, isListed: isListedIn }: Route) =>
    menus[menu] !== undefined && (OPEN.has(menu) || isForPerson(audience, person)) && isListedIn(inContext, menu);
  return useRoutes()
    .filter(isListed)
    .map((route) => ({
      label: typeof route.menus[menu] === 'string' ? route.menus[menu] : route.title,
      to: linkTo(route.path, path),
      current: route.path === currentPath,
    }));
}
