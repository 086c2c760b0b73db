import type { Comparison } from '../../../app/routing/paths.js';

/** The comparison that an address names: `main...fix/valve`, or with two dots; null for others. No ref holds two dots. */
export function parseComparison(rest: string): Comparison | null {
  const [, from, dots, to] = /^(.+?)(\.{2,3})(.+)$/.exec(rest) ?? [];
  return from === undefined || to === undefined ? null : { from, to, straight: dots === '..' };
}
