import type { ComponentType } from 'react';
import type { Project } from '../../data/api.js';
import type { Person } from '../../data/session.js';
import type { PathParams } from './path-pattern.js';

/** Who sees a page: others sign in first, or find no such page. */
export type Audience = 'everyone' | 'users' | 'auditors' | 'administrators';

/** Navigation that a page has a place in; `actions` are commands of the palette within a project. */
export type MenuName =
  | 'main'
  | 'palette'
  | 'account'
  | 'project'
  | 'actions'
  | 'group'
  | 'project_settings'
  | 'group_settings'
  | 'admin'
  | 'jobs'
  | 'reference';

/** What a menu is drawn for. */
export interface MenuContext {
  person: Person | null;
  project?: Project | undefined;
  group?: object | undefined;
}

/** How a page is declared, but for its component. */
export interface RouteOptions {
  /** Label of links to the page. */
  title: string;
  /** Defaults to everyone. */
  audience?: Audience;
  /** Menus that list the page; a text where its label differs from the title. */
  menus?: Partial<Record<MenuName, true | string>>;
  /** Whether a menu lists the page, beyond its audience. */
  isListed?: (context: MenuContext, menu: MenuName) => boolean;
  /** The entry of a menu that the page belongs to, where it is not the page itself: the path of another route. */
  within?: string;
}

/** Loads a component, apart from the first view. */
type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A component that receives the parameters of the address. */
export interface PlainComponent<Params> {
  // Without parameters: an object whose properties are all optional will do.
  load: Load<Params & Record<never, string>>;
  props?: undefined;
}

/** A component that receives something else. */
export interface FittedComponent<Params, Props extends object, Passed extends Props> {
  load: Load<Props>;
  props: (params: Params) => Passed;
}

/** A page: its address, title, component and place in the navigation. */
export interface Route {
  path: string;
  title: string;
  load: Load<object>;
  props: (params: Record<string, string>) => object;
  audience: Audience;
  menus: Partial<Record<MenuName, true | string>>;
  isListed: (context: MenuContext, menu: MenuName) => boolean;
  within: string;
}

/**
 * Declares a page.
 * @param path pattern of its addresses (see `patternSource`)
 */
export function route<const P extends string, Props extends object, const Passed extends Props>(
  path: P,
  options: RouteOptions & FittedComponent<PathParams<P>, Props, Passed>,
): Route;
export function route<const P extends string>(path: P, options: RouteOptions & PlainComponent<PathParams<P>>): Route;
export function route(path: string, options: RouteOptions & { load: unknown; props?: unknown }): Route {
  const {
    title,
    load,
    props = (params: object) => params,
    audience = 'everyone',
    menus = {},
    isListed = () => true,
    within = path,
  } = options;
  return {
    path,
    title,
    load: load as Route['load'],
    props: props as Route['props'],
    audience,
    menus,
    isListed,
    within,
  };
}
