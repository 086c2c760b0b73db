import type { Context } from '../../core/context/context.js';

/** `key` of `key::value`; of `a::b::c` it is `a::b`. Null for labels without a scope. */
function scopeOf(title: string): string | null {
  const at = title.lastIndexOf('::');
  return at > 0 && at + 2 < title.length ? title.slice(0, at) : null;
}

/**
 * What is left of labels when of each scope only the last one counts: scoped labels exclude each other, from Premium on.
 * @param labels in the order in which they were given
 */
export function withoutExcluded<L extends { title: string }>(ctx: Context, labels: readonly L[]): L[] {
  if (!ctx.hasPlan('premium')) return [...labels];
  const last = new Map<string, L>();
  for (const label of labels) {
    const scope = scopeOf(label.title);
    if (scope !== null) last.set(scope, label);
  }
  return labels.filter((label) => {
    const scope = scopeOf(label.title);
    return scope === null || last.get(scope) === label;
  });
}
