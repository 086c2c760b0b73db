import { createContext, useContext, useMemo } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { Container } from '../../data/containers.js';
import { page } from '../../ui/later.js';
import type { Later } from '../../ui/later.js';
import { paramNames, withPatterns } from './path-pattern.js';
import type { Route } from './route.js';

/** A route with what draws it. */
interface LoadedRoute extends Route {
  Page: Later<object>;
}

interface RouteTable {
  /** In the order in which menus list them. */
  routes: readonly LoadedRoute[];
  match: (pathname: string) => RouteMatch | null;
}

/** The page at an address. */
export interface RouteMatch {
  route: LoadedRoute;
  /** Decoded. */
  params: Readonly<Record<string, string>>;
  /** The project or group that the page belongs to; `named` where a full path may also be a user's. */
  container: { kind: Container['kind'] | 'named'; path: string } | null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function getContainer({ path: pattern }: Route, path: string | undefined): RouteMatch['container'] {
  if (path === undefined) return null;
  if (pattern.startsWith('/groups/:path+')) return { kind: 'group', path };
  return { kind: pattern === '/:path+' ? 'named' : 'project', path };
}

/** One component for each loader, which routes may share. */
function loadRoutes(routes: readonly Route[]): LoadedRoute[] {
  const pages = new Map<Route['load'], Later<object>>();
  return routes.map((route) => {
    const Page = pages.get(route.load) ?? page(route.load);
    pages.set(route.load, Page);
    return { ...route, Page };
  });
}

function getTable(list: readonly Route[]): RouteTable {
  const routes = loadRoutes(list);
  const patterns = withPatterns(routes).map(({ route, pattern }) => ({
    route,
    pattern: new RegExp(pattern),
    names: paramNames(route.path),
  }));
  const match = (pathname: string): RouteMatch | null => {
    for (const { route, pattern, names } of patterns) {
      const found = pattern.exec(pathname);
      if (!found) continue;
      const params = Object.fromEntries(names.map((name, index) => [name, decoded(found[index + 1] ?? '')]));
      return { route, params, container: getContainer(route, params.path) };
    }
    return null;
  };
  return { routes, match };
}

const RoutesContext = createContext<RouteTable>(getTable([]));

/** Makes the list of pages known to what is drawn within. */
export function RouterProvider({ routes, children }: { routes: readonly Route[]; children: ReactNode }) {
  const table = useMemo(() => getTable(routes), [routes]);
  return <RoutesContext value={table}>{children}</RoutesContext>;
}

/** All pages. */
export const useRoutes = (): readonly Route[] => useContext(RoutesContext).routes;

/** Finds the page at an address. */
export const useMatchPath = (): RouteTable['match'] => useContext(RoutesContext).match;

/** The page at the current address; null where there is none. */
export function useRouteMatch(): RouteMatch | null {
  const { pathname } = useLocation();
  const { match } = useContext(RoutesContext);
  return useMemo(() => match(pathname), [match, pathname]);
}
