import { type ExpandOptions, listReferences, replaceReferences } from './expand-variables.js';
import { sortReferences } from './sort-references.js';

/** How deep variables may refer to variables that refer to variables. */
const MAX_DEPTH = 100;
/** Characters that expansion may add in all. */
const MAX_GROWTH = 16 * 1_024 * 1_024;

/** A variable before expansion; `expand: false` means that its value is final. */
export interface RawVariable {
  value: string;
  expand: boolean;
}

/**
 * The final values of variables that refer to each other, for the server's own use (`$$` has become `$`; a runner gets
 * values as they were written). References within a circle stay as text, as do those more than 100 levels deep, those
 * past the limits of `expandVariables`, and all once expansion has added 16 MiB.
 */
export function expandAll(
  variables: ReadonlyMap<string, RawVariable>,
  options: ExpandOptions = {},
): Map<string, string> {
  const references = new Map<string, string[]>();
  for (const [name, { value, expand }] of variables) references.set(name, expand ? listReferences(value) : []);

  const absent = options.keepUndefined ? null : '';
  const values = new Map<string, string>();
  const depths = new Map<string, number>();
  let growth = 0;
  for (const { name, circle } of sortReferences(references)) {
    const { value, expand } = variables.get(name)!;
    let depth = 0;
    const read = (other: string): string | null => {
      const otherDepth = depths.get(other) ?? 0;
      if (circle.has(other) || otherDepth >= MAX_DEPTH) return null;
      depth = Math.max(depth, otherDepth + 1);
      return values.get(other) ?? absent;
    };
    const result = expand && growth <= MAX_GROWTH ? replaceReferences(value, read) : value;
    growth += Math.max(0, result.length - value.length);
    values.set(name, result);
    depths.set(name, depth);
  }
  return new Map([...variables.keys()].map((name) => [name, values.get(name)!]));
}
