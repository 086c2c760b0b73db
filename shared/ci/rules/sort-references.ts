/** A variable in the order of expansion. */
export interface SortEntry {
  name: string;
  /** The variables that refer to each other in a circle with this one, itself included. */
  circle: ReadonlySet<string>;
}

interface Visit {
  name: string;
  references: readonly string[];
  next: number;
}

/**
 * Sorts variables so that each comes after those that it refers to, and finds circles (Tarjan's algorithm, without
 * recursion). Takes time in proportion to the number of references.
 */
export function sortReferences(references: ReadonlyMap<string, readonly string[]>): SortEntry[] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open = new Set<string>();
  const stack: string[] = [];
  const entries: SortEntry[] = [];
  const visits: Visit[] = [];

  const enter = (name: string): void => {
    low.set(name, order.size);
    order.set(name, order.size);
    stack.push(name);
    open.add(name);
    visits.push({ name, references: references.get(name)!, next: 0 });
  };
  const lower = (name: string, number: number): void => {
    if (number < low.get(name)!) low.set(name, number);
  };
  const leave = (name: string): void => {
    if (low.get(name) === order.get(name)) {
      const names = stack.splice(stack.lastIndexOf(name));
      const circle = new Set(names);
      for (const member of names) {
        open.delete(member);
        entries.push({ name: member, circle });
      }
    }
  };

  for (const root of references.keys()) {
    if (order.has(root)) continue;
    enter(root);
    while (visits.length > 0) {
      const visit = visits.at(-1)!;
      const next = visit.references[visit.next];
      visit.next += 1;
      if (next === undefined) {
        visits.pop();
        leave(visit.name);
        const parent = visits.at(-1);
        if (parent) lower(parent.name, low.get(visit.name)!);
      } else if (references.has(next)) {
        if (!order.has(next)) enter(next);
        else if (open.has(next)) lower(visit.name, order.get(next)!);
      }
    }
  }
  return entries;
}
