import type { Container } from '../../data/containers.js';
import type { PathParams } from './path-pattern.js';
import { route } from './route.js';
import type { FittedComponent, MenuName, PlainComponent, Route, RouteOptions } from './route.js';

/** The general settings, which the other settings belong to. */
export const SETTINGS = { project: '/:path+/edit', group: '/groups/:path+/-/edit' };

type ContainerParams<P extends string> = PathParams<P> & { of: Container };

interface ContainerRouteOptions extends Omit<RouteOptions, 'within'> {
  /** The page of the container that it belongs to. */
  within?: string | typeof SETTINGS;
}

const MENUS_OF = {
  project: ['project', 'project_settings'],
  group: ['group', 'group_settings'],
} as const satisfies Record<Container['kind'], readonly MenuName[]>;

/** A page that projects and groups have at the same address below their own. */
export function containerRoutes<const P extends string, Props extends object, const Passed extends Props>(
  page: P,
  options: ContainerRouteOptions & FittedComponent<ContainerParams<P>, Props, Passed>,
): Route[];
export function containerRoutes<const P extends string>(
  page: P,
  options: ContainerRouteOptions & PlainComponent<ContainerParams<P>>,
): Route[];
export function containerRoutes(
  page: string,
  {
    props = (params) => params,
    within = page,
    menus = {},
    ...options
  }: ContainerRouteOptions & { load: unknown; props?: (params: never) => object },
): Route[] {
  return (['project', 'group'] as const).map((kind) => {
    const prefix = kind === 'group' ? '/groups/:path+/-/' : '/:path+/-/';
    return route(prefix + page, {
      ...options,
      load: options.load as Route['load'],
      menus: Object.fromEntries(MENUS_OF[kind].flatMap((name) => (menus[name] ? [[name, menus[name]]] : []))),
      within: typeof within === 'string' ? prefix + within : within[kind],
      props: (params) => {
        const { path, ...rest } = params as { path: string };
        return props({ ...rest, of: { kind, path } } as never);
      },
    });
  });
}

/** A page of the repository: of the default branch, or of the ref and path that follow in its address. */
export function refRoutes(
  page: string,
  {
    within = `/:path+/-/${page}`,
    menus = {},
    ...options
  }: RouteOptions & PlainComponent<{ path: string; rest: string }>,
): Route[] {
  return ['', '/:rest+'].map((rest) =>
    route<string, { path: string; rest: string }, { path: string; rest: string }>(`/:path+/-/${page}${rest}`, {
      ...options,
      within,
      menus: rest === '' ? menus : {},
      props: (params) => ({ rest: '', ...(params as { path: string }) }),
    }),
  );
}
