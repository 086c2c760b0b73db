import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

/** Fields that only structure a list, and type wrappers: their nesting is no sign of recursion. */
const UNCOUNTED = new Set(['node', 'nodes', 'edges', 'ofType']);
/** How often a field may occur within itself, including the outermost occurrence. */
const MOST_OF_ONE_FIELD = 2;

interface Nesting {
  depth: number;
  /** The maximum occurrences of a field with subfields on one branch. */
  repeats: Map<string, number>;
}

/**
 * How deep an operation goes, and which fields it nests in themselves too often (graphql.md section 2). Each fragment
 * is measured once, however often it is spread, so that nested fragments don't multiply the work. Introspection is
 * left out. The document must be free of fragment cycles.
 */
export function measureNesting(document: DocumentNode, operation: OperationDefinitionNode) {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const { depth, repeats } = measure(operation.selectionSet, fragments, new Map());
  const recursive = Object.fromEntries([...repeats].filter(([, count]) => count > MOST_OF_ONE_FIELD));
  return { depth, recursive };
}

function measure(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  measured: Map<string, Nesting>,
): Nesting {
  const result: Nesting = { depth: 0, repeats: new Map() };
  for (const node of selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) merge(result, measure(node.selectionSet, fragments, measured));
    else if (node.kind === Kind.FRAGMENT_SPREAD) {
      const name = node.name.value;
      const fragment = fragments.get(name);
      const nesting = measured.get(name) ?? (fragment && measure(fragment.selectionSet, fragments, measured));
      if (!nesting) continue;
      measured.set(name, nesting);
      merge(result, nesting);
    } else if (node.name.value !== '__schema' && node.name.value !== '__type') {
      const inner = node.selectionSet && measure(node.selectionSet, fragments, measured);
      merge(result, inner ? within(node.name.value, inner) : { depth: 1, repeats: new Map() });
    }
  }
  return result;
}

function within(field: string, inner: Nesting): Nesting {
  const repeats = new Map(inner.repeats);
  if (!UNCOUNTED.has(field)) repeats.set(field, (repeats.get(field) ?? 0) + 1);
  return { depth: inner.depth + 1, repeats };
}

function merge(into: Nesting, other: Nesting): void {
  into.depth = Math.max(into.depth, other.depth);
  for (const [field, count] of other.repeats) into.repeats.set(field, Math.max(count, into.repeats.get(field) ?? 0));
}
