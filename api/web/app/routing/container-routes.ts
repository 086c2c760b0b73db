import type { Container } from '../../data/containers.js';
import type { PathParams } from './path-pattern.js';
import { route } from './route.js';
import type { MenuName, RouteOptions } from './route.js';

/** The general settings, which the other settings belong to. */
export const SETTINGS = { project: '/:path+/edit', group: '/groups/:path+/-/edit' };

type ContainerParams<P extends string> = PathParams<P> & { of: Container };

interface ContainerRouteOptions<P extends string, Props extends object, Passed extends Props> extends Omit<
  RouteOptions<string, Props, Passed>,
  'props' | 'within'
> {
  props: (params: ContainerParams<P>) => Passed;
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
  { props, within = page, menus = {}, ...options }: ContainerRouteOptions<P, Props, Passed>,
) {
  return (['project', 'group'] as const).map((kind) => {
    const prefix = kind === 'group' ? '/groups/:path+/-/' : '/:path+/-/';
    return route<string, Props, Passed>(prefix + page, {
      ...options,
      menus: Object.fromEntries(MENUS_OF[kind].flatMap((name) => (menus[name] ? [[name, menus[name]]] : []))),
      within: typeof within === 'string' ? prefix + within : within[kind],
      props: (params) => {
        const { path, ...rest } = params as { path: string };
        return props({ ...rest, of: { kind, path } } as ContainerParams<P>);
      },
    });
  });
}

/** A page of the repository: of the default branch, or of the ref and path that follow in its address. */
export function refRoutes<Props extends { path: string; rest: string }>(
  page: string,
  { within = `/:path+/-/${page}`, menus = {}, ...options }: Omit<RouteOptions<string, Props, Props>, 'props'>,
) {
  return ['', '/:rest+'].map((rest) =>
    route<string, Props, Props>(`/:path+/-/${page}${rest}`, {
      ...options,
      within,
      menus: rest === '' ? menus : {},
      props: (params) => ({ rest: '', ...(params as { path: string }) }) as Props,
    }),
  );
}
