import { Kind } from 'graphql';
import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql';

/** Names of the fields that a query selects right below a field, fragments expanded; conditions are not looked at. */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): Set<string> {
  const names = new Set<string>();
  const seen = new Set<SelectionSetNode>();
  const visit = (set: SelectionSetNode | undefined): void => {
    if (!set || seen.has(set)) return;
    seen.add(set);
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) names.add(node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) visit(node.selectionSet);
      else visit(fragments[node.name.value]?.selectionSet);
    }
  };
  for (const node of fieldNodes) visit(node.selectionSet);
  return names;
}
