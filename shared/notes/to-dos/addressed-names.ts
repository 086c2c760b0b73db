/** A name of a user or group after `@`, and what may stand between two of them. */
const NAME = /[ \t]*@(?<name>[a-z0-9_][a-z0-9_./-]*)[,:]?/iy;

function namesAtStart(line: string): string[] {
  const names: string[] = [];
  NAME.lastIndex = 0;
  for (let found = NAME.exec(line); found; found = NAME.exec(line))
    names.push((found.groups?.name ?? '').replace(/[./-]+$/, '').toLowerCase());
  return names;
}

/**
 * The names that a text addresses directly, lower case: those at the start of a line, one after another. In quotes and
 * code nobody is addressed.
 */
export function addressedNames(text: string): Set<string> {
  const names = new Set<string>();
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(?<mark>>>>|`{3,}|~{3,})/.exec(line)?.groups?.mark?.slice(0, 3);
    if (fence === null) {
      if (mark === undefined) for (const name of namesAtStart(line)) names.add(name);
      else fence = mark;
    } else if (mark === fence) fence = null;
  }
  return names;
}
