import { inAddress, pageOf } from './containers.js';

/** Two branches, tags or commits. */
export interface Compared {
  from: string;
  to: string;
  /** Files as they are in both, instead of since both parted. */
  straight: boolean;
}

/** What stands behind `/-/compare/`: `main...fix/valve`, or with two dots; null for others. No ref holds two dots. */
export function comparedIn(rest: string): Compared | null {
  const [, from, dots, to] = /^(.+?)(\.{2,3})(.+)$/.exec(rest) ?? [];
  return from === undefined || to === undefined ? null : { from, to, straight: dots === '..' };
}

/** Where refs of a project are compared. */
export function compareOf(path: string, compared?: Compared): string {
  const page = pageOf({ kind: 'project', path }, 'compare');
  if (!compared) return page;
  const { from, to, straight } = compared;
  return `${page}/${inAddress(from)}${straight ? '..' : '...'}${inAddress(to)}`;
}
