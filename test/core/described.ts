type Json = Record<string, unknown>;

interface Operation {
  parameters?: Json[];
  responses: Record<string, Json>;
}

/**
 * The OpenAPI document with all references of operations resolved, except schemas.
 * @param document is not modified
 */
export function written<D>(document: D): D {
  const copy = structuredClone(document) as { paths: Record<string, Record<string, Operation>>; components: Json };
  const found = (node: Json): Json =>
    typeof node.$ref === 'string'
      ? (node.$ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, step) => (at as Json)[step], copy) as Json)
      : node;
  for (const item of Object.values(copy.paths))
    for (const operation of Object.values(item)) {
      if (operation.parameters) operation.parameters = operation.parameters.map(found);
      operation.responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, answer]) => [status, found(answer)]),
      );
    }
  return copy as D;
}
