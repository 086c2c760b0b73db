import type { Expression, SqlBool } from 'kysely';
import type { PageChangeKind } from './page-changes.js';

/** A page of one project: the kinds that its caller may know of there. */
interface ProjectScope {
  readonly project_id: number;
  readonly kinds: ReadonlySet<PageChangeKind>;
}

/** A page that shows what crosses projects. */
export interface WideScope {
  /** The same for pages of the same caller and place: they are decided together. */
  readonly key: string;
  /** Of each kind the projects in which its caller may know of it, as a condition on project `p`. */
  readonly kinds: ReadonlyMap<PageChangeKind, Expression<SqlBool>>;
  /** Of the page of a group: the kinds of the group itself that its caller may know of. */
  readonly group?: { readonly id: number; readonly kinds: ReadonlySet<PageChangeKind> };
}

/** Of what a page is told when it changes. */
export type PageScope = ProjectScope | WideScope;
